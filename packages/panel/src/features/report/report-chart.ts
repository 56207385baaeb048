import type { TimelinePoint } from '@manager/core/contract/monitoring/sections';
import { formatCount, knownCost } from '../../platform/format/format.ts';
import type { Translate } from '../../platform/i18n/index.ts';
import { axisCost, axisCount } from '../../ui/chart/axis-format.ts';
import { chartBuckets } from '../../ui/chart/buckets.ts';
import { chartGaps } from '../../ui/chart/gaps.ts';
import { fillBuckets, timeBuckets } from '../../ui/chart/time-buckets.ts';
import type { ChartData, ChartSeries } from '../../ui/chart/types.ts';
import { costText, MEASURE_LABELS } from './report-columns.tsx';
import type { ReportMeasure } from './report-search.ts';
import type { Reported } from './use-report.ts';

const VALUES: Readonly<Record<ReportMeasure, (point: TimelinePoint) => number | null>> = {
  cost: (point) => knownCost(point.cost, point.unpriced_calls),
  requests: (point) => point.calls,
  tokens: (point) => point.tokens,
};

/** One value per day; a day without requests is 0. */
function daily(
  points: readonly TimelinePoint[] | undefined,
  span: { readonly fromMs: number; readonly toMs: number },
  zone: string,
  measure: ReportMeasure,
) {
  return fillBuckets(points ?? [], timeBuckets(span, 'day', zone)).map(({ startMs, endMs, point }) => ({
    bucket_ms: startMs,
    bucket_end_ms: endMs,
    value: point === undefined ? 0 : VALUES[measure](point),
  }));
}

/**
 * The measure by day, and as a line the range before: its first day over the first one, as the report compares them. The axis of a running
 * period reaches to its end, so that it keeps its shape.
 */
export function reportChart({ answer, before, range, nowMs, search }: Reported, t: Translate): ChartData {
  const { zone, measure } = search;
  const toMs = Math.min(range.toMs, range.moving ? nowMs : range.endMs);
  const days = daily(answer.timeline, { fromMs: range.fromMs, toMs }, zone, measure);
  const axis = { fromMs: range.fromMs, toMs: range.endMs };
  const format = measure === 'cost' ? costText : formatCount;
  const series: ChartSeries[] = [
    {
      id: measure,
      label: t(MEASURE_LABELS[measure]),
      color: 'series-1',
      kind: 'bars',
      values: days.map(({ value }) => value),
      format,
    },
  ];
  if (before !== null) {
    const earlier = daily(before.answer.timeline, before, zone, measure);
    series.push({
      id: 'before',
      label: t('report.before'),
      color: 'series-2',
      kind: 'line',
      dash: [6, 3],
      values: days.map((_, index) => earlier[index]?.value ?? null),
      format,
    });
  }
  return {
    ...axis,
    nowMs,
    buckets: chartBuckets(days, axis, nowMs),
    gaps: chartGaps(answer.gaps, axis, nowMs, t),
    lanes: [
      { id: measure, title: '', axis: measure === 'cost' ? axisCost : axisCount, whole: measure !== 'cost', series },
    ],
  };
}
