import { SERVICE_NAME } from '@manager/core/contract/system/info';
import { NO_ENCODING } from '../../gateway/decoded-body.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;

export interface ProbedAddress {
  readonly baseUrl: string;
  readonly tlsSkipVerify: boolean;
}

/**
 * Asks an address who it is, without any key: true when it is the manager that was started at `startedAt` (ms), however many
 * proxies are between. Any error means no.
 */
export async function pointsToThisManager(
  { baseUrl, tlsSkipVerify }: ProbedAddress,
  startedAt: number,
): Promise<boolean> {
  try {
    const answer = await fetch(`${baseUrl}/usage-service/info`, {
      headers: NO_ENCODING,
      redirect: 'manual',
      decompress: false,
      keepalive: false,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(tlsSkipVerify ? { tls: { rejectUnauthorized: false } } : {}),
    });
    if (!answer.ok || answer.body === null) return false;
    const info: unknown = JSON.parse(await readHead(answer.body));
    return isInfo(info) && info.service === SERVICE_NAME && info.startedAt === startedAt;
  } catch {
    return false;
  }
}

async function readHead(body: ReadableStream<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part);
    size += part.byteLength;
    if (size > MAX_BYTES) throw new Error('too long for what was asked');
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

function isInfo(value: unknown): value is { readonly service?: unknown; readonly startedAt?: unknown } {
  return typeof value === 'object' && value !== null;
}
