import { SERVICE_NAME } from '@manager/core/contract/system/info';
import { askAddress, type ProbedAddress } from './keyless-request.ts';

/**
 * Asks an address who it is, without any key: true when it is the manager that was started at `startedAt` (ms), however many
 * proxies are between. Any error means no.
 */
export async function pointsToThisManager(target: ProbedAddress, startedAt: number): Promise<boolean> {
  try {
    const { status, json } = await askAddress(target, '/usage-service/info');
    return status === 200 && json?.service === SERVICE_NAME && json.startedAt === startedAt;
  } catch {
    return false;
  }
}
