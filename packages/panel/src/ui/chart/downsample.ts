import type { ChartBucket } from './types.ts';

/** Maximum number of points drawn per series. */
export const MAX_POINTS = 2_000;

/** Runs of `0 … count`, as even as possible. */
function bins(count: number, most: number): readonly (readonly [number, number])[] {
  const size = count / most;
  return Array.from({ length: most }, (_, bin) => [Math.round(bin * size), Math.round((bin + 1) * size)] as const);
}

/**
 * Indexes to draw of a line with more values than `most`: of each run the smallest and largest value, in order, and one unknown
 * value if any, so that peaks and breaks stay.
 */
export function lineIndexes(values: readonly (number | null)[], most = MAX_POINTS): readonly number[] {
  if (values.length <= most) return values.map((_, index) => index);
  const indexes: number[] = [];
  for (const [from, to] of bins(values.length, Math.floor(most / 3))) {
    let low = -1;
    let high = -1;
    let unknown = -1;
    for (let index = from; index < to; index += 1) {
      const value = values[index] ?? null;
      if (value === null) {
        unknown = index;
        continue;
      }
      if (low < 0 || value < (values[low] ?? 0)) low = index;
      if (high < 0 || value > (values[high] ?? 0)) high = index;
    }
    const kept = [...new Set([low, high, unknown])].filter((index) => index >= 0);
    indexes.push(...kept.sort((a, b) => a - b));
  }
  return indexes;
}

export interface BarRun {
  readonly bucket: ChartBucket;
  /** Of each series in the given order; of several buckets the largest. */
  readonly values: readonly (number | null)[];
}

/** Bars to draw: each bucket, or runs of them with the values of the highest stack, when there are more than `most`. */
export function barRuns(
  buckets: readonly ChartBucket[],
  series: readonly (readonly (number | null)[])[],
  most = MAX_POINTS,
): readonly BarRun[] {
  const valuesAt = (index: number) => series.map((values) => values[index] ?? null);
  if (buckets.length <= most) return buckets.map((bucket, index) => ({ bucket, values: valuesAt(index) }));
  const height = (index: number) => series.reduce((sum, values) => sum + (values[index] ?? 0), 0);
  return bins(buckets.length, most).flatMap(([from, to]) => {
    const [first, last] = [buckets[from], buckets[to - 1]];
    if (first === undefined || last === undefined) return [];
    let highest = from;
    for (let index = from; index < to; index += 1) if (height(index) > height(highest)) highest = index;
    const bucket = { startMs: first.startMs, endMs: last.endMs, partial: last.partial === true };
    return [{ bucket, values: valuesAt(highest) }];
  });
}
