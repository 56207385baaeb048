import { isRecord } from '../browser/storage.ts';

/** Length of a bucket, ms. */
export const BUCKET_MS = 600_000;

/** Requests of ten minutes, as the gateway counts them. */
export interface RecentBucket {
  readonly success: number;
  readonly failed: number;
}

/** Buckets of an entry, oldest first, the last one still open; [] = an older gateway, which does not count. */
export function recentBuckets(entry: unknown): readonly RecentBucket[] {
  const list = isRecord(entry) ? entry.recent_requests : undefined;
  if (!Array.isArray(list)) return [];
  return list.map((bucket: unknown) => ({
    success: countIn(bucket, 'success'),
    failed: countIn(bucket, 'failed'),
  }));
}

function countIn(bucket: unknown, name: string): number {
  const value = isRecord(bucket) ? bucket[name] : undefined;
  return typeof value === 'number' && value > 0 ? Math.floor(value) : 0;
}

/** Start of a bucket, ms. Computed from its position: the gateway's label is local time without a date. */
export function bucketStart(index: number, count: number, nowMs: number): number {
  return (Math.floor(nowMs / BUCKET_MS) - (count - 1 - index)) * BUCKET_MS;
}

export interface RecentUse {
  readonly buckets: readonly RecentBucket[];
  readonly success: number;
  readonly failed: number;
  /** Minutes that the buckets cover. */
  readonly minutes: number;
}

/** Buckets of several entries summed; their last ones are the same ten minutes. */
export function recentUse(all: readonly (readonly RecentBucket[])[]): RecentUse {
  const count = all.reduce((most, { length }) => Math.max(most, length), 0);
  const buckets = Array.from({ length: count }, (_, index) =>
    all.reduce(
      (sum, one) => {
        const bucket = one[index - count + one.length];
        return bucket === undefined
          ? sum
          : { success: sum.success + bucket.success, failed: sum.failed + bucket.failed };
      },
      { success: 0, failed: 0 },
    ),
  );
  const total = (of: (bucket: RecentBucket) => number) => buckets.reduce((sum, bucket) => sum + of(bucket), 0);
  return {
    buckets,
    success: total(({ success }) => success),
    failed: total(({ failed }) => failed),
    minutes: (count * BUCKET_MS) / 60_000,
  };
}
