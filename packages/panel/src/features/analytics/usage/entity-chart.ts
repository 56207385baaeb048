import type { TimelineGap } from '@manager/core/contract/monitoring/sections';
import type { Translate } from '../../../platform/i18n/index.ts';
import { chartBuckets } from '../../../ui/chart/buckets.ts';
import { chartGaps } from '../../../ui/chart/gaps.ts';
import { seriesStyle } from '../../../ui/chart/series-style.ts';
import { timeBuckets } from '../../../ui/chart/time-buckets.ts';
import type { ChartData, ChartSeries } from '../../../ui/chart/types.ts';
import {
  isAmount,
  laneScale,
  type Measure,
  type MeasuredPoint,
  measureName,
  measureText,
  measureValue,
} from '../measures.ts';
import type { Money } from '../money.ts';
import { withRate } from '../trends/timeline-chart.ts';
import type { Answered } from '../use-scope.ts';

export interface EntityLine {
  /** As on screen, masked; also the column name in files. */
  readonly name: string;
  /** Number of the entity on this page: it keeps its color, whatever else is drawn. */
  readonly look: number;
  readonly points: readonly (MeasuredPoint & { readonly bucket_ms: number })[];
}

/** A line for each key or account, only from the manager's counts for it. */
export function entityChart(
  answered: Pick<Answered, 'fromMs' | 'toMs' | 'nowMs' | 'granularity' | 'zone' | 'scope'>,
  lines: readonly EntityLine[],
  gaps: readonly TimelineGap[] | undefined,
  measures: readonly Measure[],
  t: Translate,
  money: Money,
): ChartData {
  const { fromMs, toMs, nowMs, granularity, zone } = answered;
  const some = lines.some(({ points }) => points.length > 0);
  const times = some ? timeBuckets(answered, granularity, zone) : [];
  const bounds = times.map(({ startMs, endMs }) => ({ bucket_ms: startMs, bucket_end_ms: endMs }));
  const alone = lines.length === 1 && measures.length > 1;
  const lanes = measures.map((one) => ({
    id: one.id,
    title: measures.length === 1 ? '' : measureName(one, money, t),
    ...laneScale(one, money),
    series: lines.map((line, position): ChartSeries => {
      const same = lines.findIndex(({ name }) => name === line.name);
      const id = same === position ? line.name : `${line.name} (${position + 1})`;
      const known = new Map(line.points.map((point) => [point.bucket_ms, withRate(answered, point)]));
      return {
        id: measures.length === 1 ? id : `${one.id} ${id}`,
        label: line.name,
        // A single entity with several measures uses the measures' colors.
        ...(alone
          ? { color: one.color, kind: isAmount(one) ? ('bars' as const) : ('line' as const) }
          : { ...seriesStyle(line.look), kind: 'line' as const }),
        values: times.map(({ startMs }) => measureValue(one, known.get(startMs))),
        format: measureText(one.unit, money),
      };
    }),
  }));
  return {
    fromMs,
    toMs,
    nowMs,
    buckets: chartBuckets(bounds, answered, nowMs),
    lanes,
    gaps: chartGaps(gaps, answered, nowMs, t),
  };
}
