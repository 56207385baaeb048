import type { ViewerAnalytics } from '@manager/core/contract/viewer-links/viewer';
import { formatCompact, formatCost, formatCount } from '../../platform/format/format.ts';
import type { Translate } from '../../platform/i18n/index.ts';
import { axisCost, axisCount } from '../../ui/chart/axis-format.ts';
import { chartBuckets } from '../../ui/chart/buckets.ts';
import { FIXED_COLORS } from '../../ui/chart/series-style.ts';
import { fillBuckets, timeBuckets } from '../../ui/chart/time-buckets.ts';
import type { ChartData, ChartLane, ChartSeries } from '../../ui/chart/types.ts';
import type { ViewerUsage } from './use-viewer.ts';

type Point = NonNullable<ViewerAnalytics['timeline']>[number];

/** Requests, failed ones, tokens and cost as lanes of one time axis. */
export function usageChart({ answer, range, nowMs, zone }: ViewerUsage, t: Translate): ChartData {
  const { timeline = [], gaps = [], granularity } = answer;
  const filled = timeline.length === 0 ? [] : fillBuckets(timeline, timeBuckets(range, granularity, zone));
  const bounds = filled.map(({ startMs, endMs }) => ({ bucket_ms: startMs, bucket_end_ms: endMs }));
  const lane = (
    id: string,
    title: string,
    color: ChartSeries['color'],
    measure: (point: Point) => number,
    how: Pick<ChartLane, 'axis' | 'whole' | 'weight'> & Pick<ChartSeries, 'format'>,
  ): ChartLane => {
    const { format, ...rest } = how;
    const values = filled.map(({ point }) => (point === undefined ? 0 : measure(point)));
    return { id, title, ...rest, series: [{ id, label: title, color, kind: 'bars', primary: true, values, format }] };
  };
  const counts = { axis: axisCount, whole: true, format: formatCount };
  return {
    fromMs: range.fromMs,
    toMs: range.toMs,
    nowMs,
    buckets: chartBuckets(bounds, range, nowMs),
    lanes: [
      lane('requests', t('stat.requests'), FIXED_COLORS.requests, ({ calls }) => calls, { ...counts, weight: 3 }),
      lane('failed', t('stat.failed'), FIXED_COLORS.failed, ({ failure_calls }) => failure_calls, counts),
      lane('tokens', t('stat.tokens'), FIXED_COLORS.tokens, ({ total_tokens }) => total_tokens, {
        ...counts,
        format: formatCompact,
        weight: 2,
      }),
      lane('cost', t('stat.cost'), 'series-2', ({ cost }) => cost, { axis: axisCost, format: formatCost, weight: 2 }),
    ],
    gaps: gaps
      .map(({ from_ms, to_ms }) => ({ fromMs: from_ms, toMs: to_ms ?? nowMs, text: t('viewer.gap') }))
      .filter(({ fromMs, toMs }) => toMs > range.fromMs && fromMs < range.toMs),
  };
}
