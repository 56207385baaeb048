import type { RecentRequest } from '@manager/core/contract/accounts/history';
import { BUCKET_MS, bucketStart, type RecentBucket } from './recent-buckets.ts';

/** Maximum of failures listed per bucket: more add no information. */
const MAX_FAILURES = 50;

/**
 * Bucket counts as outcomes of requests, newest first. The order within ten minutes is unknown, so a success counts as the last
 * of its bucket: the account did answer.
 */
export function bucketOutcomes(buckets: readonly RecentBucket[], nowMs: number): readonly RecentRequest[] {
  const outcomes: RecentRequest[] = [];
  for (let index = buckets.length - 1; index >= 0; index -= 1) {
    const { success = 0, failed = 0 } = buckets[index] ?? {};
    const timestamp_ms = Math.min(nowMs, bucketStart(index, buckets.length, nowMs) + BUCKET_MS);
    if (success > 0) outcomes.push({ timestamp_ms, failed: false });
    for (let count = 0; count < Math.min(failed, MAX_FAILURES); count += 1) {
      outcomes.push({ timestamp_ms, failed: true });
    }
  }
  return outcomes;
}
