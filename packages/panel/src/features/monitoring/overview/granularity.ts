import type { Granularity } from '@manager/core/contract/monitoring/analytics';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Length of the buckets: about a hundred of them in any range. */
export function timelineGranularity(fromMs: number, toMs: number): Granularity {
  const span = toMs - fromMs;
  if (span <= 2 * HOUR_MS) return '5m';
  // A day with a repeated hour is longer than 24 hours.
  if (span <= 26 * HOUR_MS) return '15m';
  return span <= 8 * DAY_MS ? 'hour' : 'day';
}
