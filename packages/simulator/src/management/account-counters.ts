import type { JsonObject } from '../json.ts';

const BUCKET_MS = 10 * 60_000;
const BUCKETS = 20;

/** Requests of one account since the process started, and in 20 buckets of ten minutes. */
interface AccountCounter {
  success: number;
  failed: number;
  readonly buckets: Map<number, { success: number; failed: number }>;
}

/** Counters by `auth_index`. */
export interface AccountCounters {
  count(authIndex: string, failed: boolean): void;
  of(authIndex: string): AccountCounter;
  /** Oldest first; times are UTC, without a date. */
  recentRequests(authIndex: string): JsonObject[];
  /** Takes over a history whose last bucket is the current one. */
  seed(authIndex: string, success: number, failed: number, recent: readonly JsonObject[]): void;
  reset(): void;
}

export function createAccountCounters(now: () => number): AccountCounters {
  const counters = new Map<string, AccountCounter>();

  function of(authIndex: string): AccountCounter {
    const known = counters.get(authIndex);
    if (known !== undefined) return known;
    const created: AccountCounter = { success: 0, failed: 0, buckets: new Map() };
    counters.set(authIndex, created);
    return created;
  }

  function currentBucket(): number {
    return Math.floor(now() / BUCKET_MS);
  }

  function timeOf(bucket: number): string {
    return new Date(bucket * BUCKET_MS).toISOString().slice(11, 16);
  }

  return {
    of,
    count(authIndex, failed) {
      const counter = of(authIndex);
      const current = currentBucket();
      const bucket = counter.buckets.get(current) ?? { success: 0, failed: 0 };
      const kind = failed ? 'failed' : 'success';
      counter[kind] += 1;
      bucket[kind] += 1;
      counter.buckets.set(current, bucket);
      if (counter.buckets.size > BUCKETS * 2) {
        for (const key of counter.buckets.keys()) if (key <= current - BUCKETS) counter.buckets.delete(key);
      }
    },
    recentRequests(authIndex) {
      const { buckets } = of(authIndex);
      const last = currentBucket();
      return Array.from({ length: BUCKETS }, (_, index) => {
        const bucket = last - BUCKETS + 1 + index;
        const { success, failed } = buckets.get(bucket) ?? { success: 0, failed: 0 };
        return { time: `${timeOf(bucket)}-${timeOf(bucket + 1)}`, success, failed };
      });
    },
    seed(authIndex, success, failed, recent) {
      const counter = of(authIndex);
      counter.success += success;
      counter.failed += failed;
      const last = currentBucket();
      for (const [index, bucket] of recent.entries()) {
        counter.buckets.set(last - recent.length + 1 + index, {
          success: Number(bucket.success ?? 0),
          failed: Number(bucket.failed ?? 0),
        });
      }
    },
    reset: () => counters.clear(),
  };
}
