import type { ChartBucket } from './types.ts';

/** Buckets of an answer, marked partial where the range begins or ends inside them, or that contain the present. */
export function chartBuckets(
  points: readonly { readonly bucket_ms: number; readonly bucket_end_ms: number }[],
  range: { readonly fromMs: number; readonly toMs: number },
  nowMs: number,
): readonly ChartBucket[] {
  const end = Math.min(range.toMs, nowMs);
  return points.map((point) => {
    const partial = point.bucket_end_ms > end || point.bucket_ms < range.fromMs;
    return { startMs: point.bucket_ms, endMs: point.bucket_end_ms, ...(partial ? { partial } : {}) };
  });
}

/** Index of the bucket at an instant, else of the nearest one; −1 without buckets. */
export function bucketAt(buckets: readonly ChartBucket[], ms: number): number {
  let [low, high] = [0, buckets.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((buckets[middle]?.endMs ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  const [found, before] = [buckets[low], buckets[low - 1]];
  if (found === undefined || before === undefined || ms >= found.startMs) return Math.min(low, buckets.length - 1);
  return ms - before.endMs < found.startMs - ms ? low - 1 : low;
}

/** Index of the largest value of complete buckets, −1 without any: used for peaks. */
export function peakIndex(buckets: readonly ChartBucket[], values: readonly (number | null)[]): number {
  let peak = -1;
  for (const [index, value] of values.entries()) {
    if (value === null || buckets[index]?.partial === true) continue;
    if (peak < 0 || value > (values[peak] ?? 0)) peak = index;
  }
  return peak;
}
