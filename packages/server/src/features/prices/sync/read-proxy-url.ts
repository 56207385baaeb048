import { UpstreamError } from '../../../gateway/errors.ts';
import type { ManagementClient } from '../../../gateway/management-client.ts';
import type { UpstreamConnection } from '../../../platform/config/config.ts';

export interface ProxyUrlDeps {
  readonly management: Pick<ManagementClient, 'readConfig'>;
  /** null while no upstream is connected. */
  readonly connection: () => UpstreamConnection | null;
  readonly tlsSkipVerify: () => boolean;
}

const TIMEOUT_MS = 5_000;

/** The upstream reaches the world through it, so the manager probably has to as well. '' when there is none to be learnt of. */
export async function readProxyUrl({ management, connection, tlsSkipVerify }: ProxyUrlDeps): Promise<string> {
  const upstream = connection();
  if (upstream === null) return '';
  try {
    return (await management.readConfig(upstream, { timeoutMs: TIMEOUT_MS, tlsSkipVerify: tlsSkipVerify() })).proxyUrl;
  } catch (error) {
    // Direct is the better guess than no sync at all.
    if (error instanceof UpstreamError) return '';
    throw error;
  }
}
