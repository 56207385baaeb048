import { GatewayError } from './errors.ts';

/** The manager's view of the gateway's configuration. */
export interface GatewayConfig {
  /** null = missing. */
  readonly usageStatisticsEnabled: boolean | null;
  /** As configured, unchecked: the caller refuses 0 and below. */
  readonly retentionSeconds: number;
  /** The value is missing at the gateway and the default is used. */
  readonly retentionFromDefault: boolean;
  readonly proxyUrl: string;
  /** Without a leading `v`; '' = missing. */
  readonly version: string;
}

const DEFAULT_RETENTION_SECONDS = 60;
const MAX_RETENTION_SECONDS = 3600;

/** @throws UpstreamError */
export function readConfigAnswer(body: Uint8Array, versionHeader: string | null): GatewayConfig {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new GatewayError(
      'protocol',
      'the configuration response is not JSON; check that this is the address of the gateway',
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new GatewayError(
      'protocol',
      'the configuration response is not an object; check that this is the address of the gateway',
    );
  }
  const config: Readonly<Record<string, unknown>> = { ...value };
  const enabled = config['usage-statistics-enabled'] ?? config.usageStatisticsEnabled;
  const retention = numberOf(config['redis-usage-queue-retention-seconds'] ?? config.redisUsageQueueRetentionSeconds);
  const proxyUrl = config['proxy-url'] ?? config.proxyUrl;
  return {
    usageStatisticsEnabled: typeof enabled === 'boolean' ? enabled : null,
    retentionSeconds: retention ?? DEFAULT_RETENTION_SECONDS,
    retentionFromDefault: retention === null,
    proxyUrl: typeof proxyUrl === 'string' ? proxyUrl : '',
    version: (versionHeader ?? '').trim().replace(/^v/, ''),
  };
}

/** Time in ms for which the gateway keeps a queued event: it uses its default for 0 and below, and one hour at most. */
export function effectiveRetentionMs(retentionSeconds: number): number {
  const seconds = retentionSeconds > 0 ? Math.min(retentionSeconds, MAX_RETENTION_SECONDS) : DEFAULT_RETENTION_SECONDS;
  return seconds * 1000;
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value)) return Number(value);
  return null;
}
