import { nextDay, startOfDay, zoneOffset } from '../../platform/format/time.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Maximum number of generated buckets; with more, only the answer is drawn. */
const MAX_BUCKETS = 5_000;

export interface TimeBucket {
  readonly startMs: number;
  readonly endMs: number;
}

/** First instant in `(fromMs, toMs]` that has another offset than `fromMs`. */
function offsetChange(fromMs: number, toMs: number, zone: string): number {
  const before = zoneOffset(fromMs, zone);
  let [low, high] = [fromMs, toMs];
  while (high - low > 1_000) {
    const middle = Math.floor((low + high) / 2);
    if (zoneOffset(middle, zone) === before) low = middle;
    else high = middle;
  }
  return Math.round(high / 1_000) * 1_000;
}

/** The hour of the zone's clock; a clock change inside it starts a new bucket. */
function startOfHour(ms: number, zone: string): number {
  const offset = zoneOffset(ms, zone);
  const start = ms - ((((ms + offset) % HOUR_MS) + HOUR_MS) % HOUR_MS);
  return zoneOffset(start, zone) === offset ? start : offsetChange(start, ms, zone);
}

function endOfHour(startMs: number, zone: string): number {
  const offset = zoneOffset(startMs, zone);
  const end = startMs + HOUR_MS - ((((startMs + offset) % HOUR_MS) + HOUR_MS) % HOUR_MS);
  return zoneOffset(end - 1, zone) === offset ? end : offsetChange(startMs, end - 1, zone);
}

/**
 * Every bucket of a range, including empty ones, which answers leave out: hours and days of the zone's clock, as the manager cuts
 * them.
 */
export function timeBuckets(
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  granularity: 'hour' | 'day',
  zone: string,
): readonly TimeBucket[] {
  if ((toMs - fromMs) / (granularity === 'hour' ? HOUR_MS : DAY_MS) > MAX_BUCKETS) return [];
  const buckets: TimeBucket[] = [];
  let startMs = granularity === 'hour' ? startOfHour(fromMs, zone) : startOfDay(fromMs, zone);
  while (startMs < toMs) {
    const endMs = granularity === 'hour' ? endOfHour(startMs, zone) : nextDay(startMs, zone);
    if (endMs <= startMs) break;
    buckets.push({ startMs, endMs });
    startMs = endMs;
  }
  return buckets;
}

/** Points of an answer on all buckets of its range; undefined = no event in it. */
export function fillBuckets<P extends { readonly bucket_ms: number; readonly bucket_end_ms: number }>(
  points: readonly P[],
  all: readonly TimeBucket[],
): readonly (TimeBucket & { readonly point: P | undefined })[] {
  const known = new Map(points.map((point) => [point.bucket_ms, point]));
  const filled = all.map((bucket) => ({ ...bucket, point: known.get(bucket.startMs) }));
  const placed = filled.reduce((count, { point }) => count + (point === undefined ? 0 : 1), 0);
  // If the browser's rules of the zone differ from the manager's, counted buckets win over empty ones.
  if (placed === known.size && all.length > 0) return filled;
  return points.map((point) => ({ startMs: point.bucket_ms, endMs: point.bucket_end_ms, point }));
}
