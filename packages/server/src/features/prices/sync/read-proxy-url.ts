import { GatewayError } from '../../../gateway/errors.ts';
import type { ManagementClient } from '../../../gateway/management-client.ts';
import type { GatewayConnection } from '../../../platform/config/config.ts';

export interface ProxyUrlDeps {
  readonly management: Pick<ManagementClient, 'readConfig'>;
  /** null while no gateway is connected. */
  readonly connection: () => GatewayConnection | null;
  readonly tlsSkipVerify: () => boolean;
}

const TIMEOUT_MS = 5_000;

/** The gateway needs it to reach the internet, so the manager probably does too. '' = not set or unknown. */
export async function readProxyUrl({ management, connection, tlsSkipVerify }: ProxyUrlDeps): Promise<string> {
  const gateway = connection();
  if (gateway === null) return '';
  try {
    return (await management.readConfig(gateway, { timeoutMs: TIMEOUT_MS, tlsSkipVerify: tlsSkipVerify() })).proxyUrl;
  } catch (error) {
    // A direct connection is better than no sync.
    if (error instanceof GatewayError) return '';
    throw error;
  }
}
