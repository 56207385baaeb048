import { MAX_BATCH_SIZE } from '@manager/core/contract/constants';
import type { NumberRange } from '../../platform/wording/number-range.ts';

/** The server's own values. */
export const DEFAULT_COLLECTOR = { pollIntervalMs: 500, batchSize: 100, queryLimit: 50_000 } as const;

/** Longest retention of any gateway, ms; the limit until the one of this gateway is known. */
const LONGEST_RETENTION_MS = 3_600_000;

export const COLLECTOR_RANGES = {
  batchSize: { least: 1, most: MAX_BATCH_SIZE },
  queryLimit: { least: 1 },
} as const satisfies Record<string, NumberRange>;

/** Allowed poll intervals, ms. @param retentionMs how long the gateway keeps events; undefined = unknown */
export function pollRange(retentionMs: number | undefined): NumberRange {
  const known = retentionMs !== undefined && retentionMs > 0;
  return { least: 1, most: known ? retentionMs : LONGEST_RETENTION_MS };
}
