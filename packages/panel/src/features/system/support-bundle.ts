import type { ConfigResponse } from '@manager/core/contract/settings/config';
import type { StatusResponse } from '@manager/core/contract/system/status';
import { maskMiddle, maskText } from '../../platform/format/mask.ts';

export interface BundleParts {
  readonly createdAt: string;
  readonly timeZone: string;
  readonly browser: string;
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly status: StatusResponse | undefined;
  readonly config: ConfigResponse | undefined;
}

/**
 * Data for a bug report: versions, state and settings, always masked. The server sends no keys; paths and host names are left out
 * here.
 */
export function supportBundle({ status, config, ...others }: BundleParts): string {
  const bundle = {
    ...others,
    status: status && withoutPaths(status),
    config: config && {
      ...config,
      config: {
        ...config.config,
        cpaConnection: {
          ...config.config.cpaConnection,
          cpaBaseUrl: maskAddress(config.config.cpaConnection.cpaBaseUrl),
        },
      },
    },
  };
  return `${JSON.stringify(bundle, (_, value: unknown) => (typeof value === 'string' ? maskText(value) : value), 2)}\n`;
}

function withoutPaths({ dbPath: _, ...status }: StatusResponse): object {
  return { ...status, collector: { ...status.collector, upstream: maskAddress(status.collector.upstream) } };
}

/** Scheme and port stay: they are the most frequent cause. */
function maskAddress(address: string): string {
  try {
    const { protocol, hostname, port } = new URL(address);
    return `${protocol}//${maskMiddle(hostname)}${port === '' ? '' : `:${port}`}`;
  } catch {
    return address === '' ? '' : maskMiddle(address);
  }
}
