import type { RecentRequest } from '@manager/core/contract/accounts/history';
import { BUCKET_MS, bucketStart, type RecentBucket } from './recent-buckets.ts';

/** Failures of one bucket that are told one by one: more of them say nothing else. */
const MOST_FAILURES = 50;

/**
 * What buckets show of an account, as outcomes of requests, the newest first. In which order things went within ten minutes is
 * not known, so that a success counts as the last of its bucket: the account did answer.
 */
export function bucketOutcomes(buckets: readonly RecentBucket[], nowMs: number): readonly RecentRequest[] {
  const outcomes: RecentRequest[] = [];
  for (let index = buckets.length - 1; index >= 0; index -= 1) {
    const { success = 0, failed = 0 } = buckets[index] ?? {};
    const timestamp_ms = Math.min(nowMs, bucketStart(index, buckets.length, nowMs) + BUCKET_MS);
    if (success > 0) outcomes.push({ timestamp_ms, failed: false });
    for (let count = 0; count < Math.min(failed, MOST_FAILURES); count += 1) {
      outcomes.push({ timestamp_ms, failed: true });
    }
  }
  return outcomes;
}
