import type { Granularity } from '@manager/core/contract/monitoring/analytics';
import type { TimelinePoint } from '@manager/core/contract/monitoring/sections';
import { formatCompact, formatCount } from '../../../platform/format/format.ts';
import { nextDay } from '../../../platform/format/time.ts';
import type { TextKey, Translate } from '../../../platform/i18n/index.ts';
import type { RangeName } from '../../../platform/range/range.ts';
import { bucketAt, chartBuckets } from '../../../ui/chart/buckets.ts';
import { chartGaps } from '../../../ui/chart/gaps.ts';
import { FIXED_COLORS } from '../../../ui/chart/series-style.ts';
import type { ChartData, ChartSeries } from '../../../ui/chart/types.ts';
import type { Overview } from './use-overview.ts';

const HOUR_MS = 3_600_000;

export const BUCKET_TEXTS = {
  '5m': 'monitoring.per5m',
  '15m': 'monitoring.per15m',
  hour: 'monitoring.perHour',
  day: 'monitoring.perDay',
} as const satisfies Record<Granularity, TextKey>;

const STEP_MS = { '5m': 300_000, '15m': 900_000, hour: HOUR_MS } as const;

interface Bucket {
  readonly bucket_ms: number;
  readonly bucket_end_ms: number;
  readonly point: TimelinePoint | null;
}

/** The buckets of the answer, with those between them that had no request: they are known to be empty. */
export function denseBuckets(
  points: readonly TimelinePoint[],
  granularity: Granularity,
  untilMs: number,
  zone: string,
): readonly Bucket[] {
  const next = (ms: number): number => (granularity === 'day' ? nextDay(ms, zone) : ms + STEP_MS[granularity]);
  const buckets: Bucket[] = [];
  let at = points[0]?.bucket_ms ?? untilMs;
  const fill = (end: number) => {
    // A clock change leaves less than half a bucket.
    while (at + (next(at) - at) / 2 < end) {
      buckets.push({ bucket_ms: at, bucket_end_ms: next(at), point: null });
      at = next(at);
    }
  };
  for (const point of points) {
    fill(point.bucket_ms);
    buckets.push({ bucket_ms: point.bucket_ms, bucket_end_ms: point.bucket_end_ms, point });
    at = point.bucket_end_ms;
  }
  fill(untilMs);
  return buckets;
}

/** The axis of "today" reaches to midnight, so that the day keeps its shape; "all" begins with the first event. */
function axisOf(overview: Overview, name: RangeName, zone: string): { readonly fromMs: number; readonly toMs: number } {
  const first = overview.answer.timeline?.[0]?.bucket_ms ?? overview.fromMs;
  const fromMs = name === 'all' ? Math.max(overview.fromMs, first) : overview.fromMs;
  const toMs = name === 'today' ? nextDay(overview.fromMs, zone) : overview.toMs;
  return { fromMs, toMs: Math.max(toMs, fromMs + 1) };
}

/** Requests per bucket, failed ones at the bottom of the bar, and the comparison range as a line. */
export function overviewChart(
  overview: Overview,
  compared: Overview | undefined,
  name: RangeName,
  zone: string,
  t: Translate,
): ChartData {
  const range = axisOf(overview, name, zone);
  const { nowMs, granularity } = overview;
  const dense = denseBuckets(overview.answer.timeline ?? [], granularity, Math.min(range.toMs, nowMs), zone);
  const buckets = chartBuckets(dense, { ...range, fromMs: overview.fromMs }, nowMs);
  const bars = (id: string, label: string, color: ChartSeries['color'], value: (p: TimelinePoint) => number) => ({
    id,
    label,
    color,
    kind: 'bars' as const,
    values: dense.map(({ point }) => (point === null ? 0 : value(point))),
    format: formatCount,
  });
  const series: ChartSeries[] = [
    bars('failed', t('stat.failed'), FIXED_COLORS.failed, (point) => point.failure),
    bars('succeeded', t('filter.succeeded'), FIXED_COLORS.requests, (point) => point.success),
  ];
  if (compared !== undefined && dense.length > 0) {
    const values = dense.map((): number => 0);
    for (const point of compared.answer.timeline ?? []) {
      const middle = (point.bucket_ms + point.bucket_end_ms) / 2 - compared.fromMs + overview.fromMs;
      const last = dense.at(-1);
      if (last === undefined || middle >= last.bucket_end_ms) continue;
      const index = bucketAt(buckets, middle);
      values[index] = (values[index] ?? 0) + point.calls;
    }
    series.push({
      id: 'compared',
      label: t('monitoring.compared'),
      color: 'series-2',
      kind: 'line',
      values,
      format: formatCount,
      dash: [6, 3],
    });
  }
  return {
    ...range,
    nowMs,
    buckets,
    gaps: chartGaps(overview.answer.gaps, range, nowMs, t),
    lanes: [{ id: 'requests', title: '', axis: formatCompact, whole: true, series }],
  };
}
