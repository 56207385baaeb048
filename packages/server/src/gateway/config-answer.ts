import { endOfSpace } from '@manager/core/json/space';
import { scalarMembers } from '../platform/json-members.ts';
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

/** In the spellings of all versions. */
const ENABLED = ['usage-statistics-enabled', 'usageStatisticsEnabled'] as const;
const RETENTION = ['redis-usage-queue-retention-seconds', 'redisUsageQueueRetentionSeconds'] as const;
const PROXY_URL = ['proxy-url', 'proxyUrl'] as const;
const NAMES: ReadonlySet<string> = new Set([...ENABLED, ...RETENTION, ...PROXY_URL]);
const OPEN_LIST = 0x5b;
const LONGEST_SCALAR = 1024;

/**
 * Parses only the members that are needed: a whole configuration takes 35 times its bytes.
 *
 * @throws GatewayError
 */
export function readConfigAnswer(body: Buffer, versionHeader: string | null): GatewayConfig {
  const config = scalarMembers(body, NAMES);
  if (config === null) {
    const kind = isOtherJson(body) ? 'an object' : 'JSON';
    throw new GatewayError(
      'protocol',
      `the configuration response is not ${kind}; check that this is the address of the gateway`,
    );
  }
  const first = (names: readonly string[]) => names.map((name) => config.get(name)).find((value) => value != null);
  const enabled = first(ENABLED);
  const retention = numberOf(first(RETENTION));
  const proxyUrl = first(PROXY_URL);
  return {
    usageStatisticsEnabled: typeof enabled === 'boolean' ? enabled : null,
    retentionSeconds: retention ?? DEFAULT_RETENTION_SECONDS,
    retentionFromDefault: retention === null,
    proxyUrl: typeof proxyUrl === 'string' ? proxyUrl : '',
    version: versionOf(versionHeader),
  };
}

/** Without a leading `v`; '' = unknown. */
export const versionOf = (text: string | null): string => (text ?? '').trim().replace(/^v/, '');

/** Time in ms for which the gateway keeps a queued event: it uses its default for 0 and below, and one hour at most. */
export function effectiveRetentionMs(retentionSeconds: number): number {
  const seconds = retentionSeconds > 0 ? Math.min(retentionSeconds, MAX_RETENTION_SECONDS) : DEFAULT_RETENTION_SECONDS;
  return seconds * 1000;
}

/** Text, number or list, as far as it can be told without parsing a long one. */
function isOtherJson(body: Buffer): boolean {
  if (body[endOfSpace(body, 0)] === OPEN_LIST) return true;
  if (body.length > LONGEST_SCALAR) return false;
  try {
    return typeof JSON.parse(body.toString()) !== 'object';
  } catch {
    return false;
  }
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value)) return Number(value);
  return null;
}
