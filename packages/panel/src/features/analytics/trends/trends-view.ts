import { peakIndex } from '../../../ui/chart/buckets.ts';
import type { ChartBucket } from '../../../ui/chart/types.ts';
import { MEASURE_IDS, type Measure, type MeasureId, measure, measureValue } from '../measures.ts';
import type { TimelineView } from './timeline-chart.ts';

const USUAL: readonly MeasureId[] = ['requests', 'tokens', 'cost', 'failureRate'];
/** Maximum number of readable lanes. */
export const MAX_SERIES = 6;

/** The series of the address in list order; unknown ones are left out. */
export function chosenMeasures(series: readonly string[]): readonly Measure[] {
  const known = MEASURE_IDS.filter((id) => series.includes(id)).slice(0, MAX_SERIES);
  return (known.length === 0 ? USUAL : known).map(measure);
}

/** The series with one added or removed; the last one stays. Empty = the default ones. */
export function toggledSeries(shown: readonly Measure[], id: MeasureId): readonly string[] {
  const ids = shown.map((one) => one.id);
  const next = ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id];
  if (next.length === 0 || next.length > MAX_SERIES) return ids;
  const ordered = MEASURE_IDS.filter((one) => next.includes(one));
  return ordered.join() === USUAL.join() ? [] : ordered;
}

export interface Peak {
  readonly bucket: ChartBucket;
  readonly value: number;
}

/** Largest value of complete buckets. */
export function peakOf({ buckets, points }: TimelineView, id: MeasureId): Peak | null {
  const one = measure(id);
  const values = points.map((point) => measureValue(one, point));
  const index = peakIndex(buckets, values);
  const [bucket, value] = [buckets[index], values[index] ?? null];
  // A peak of 0 does not count.
  return bucket === undefined || value === null || value === 0 ? null : { bucket, value };
}

/** Mean of complete buckets, empty ones included; null without any. */
export function meanOf({ buckets, points }: TimelineView, id: MeasureId): number | null {
  const one = measure(id);
  const values = points.flatMap((point, index) => {
    const value = buckets[index]?.partial === true ? null : measureValue(one, point);
    return value === null ? [] : [value];
  });
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
