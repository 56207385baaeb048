import type { AnomalyPoint, TimelinePoint } from '@manager/core/contract/monitoring/sections';
import type { Translate } from '../../../platform/i18n/index.ts';
import { chartBuckets } from '../../../ui/chart/buckets.ts';
import { chartGaps } from '../../../ui/chart/gaps.ts';
import { fillBuckets, timeBuckets } from '../../../ui/chart/time-buckets.ts';
import type { ChartBucket, ChartData, ChartLane } from '../../../ui/chart/types.ts';
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
import type { Answered } from '../use-scope.ts';

export interface TimelineView {
  readonly buckets: readonly ChartBucket[];
  /** One per bucket; undefined = no event in it. */
  readonly points: readonly (Timed | undefined)[];
}

type Timed = Omit<TimelinePoint, 'failure_rate'> & Pick<MeasuredPoint, 'failure_rate'>;

/** All buckets of an answer; none without events. */
export function timelineView(answered: Answered): TimelineView {
  const { answer, granularity, zone, nowMs } = answered;
  const timeline = answer.timeline ?? [];
  if (timeline.length === 0) return { buckets: [], points: [] };
  const filled = fillBuckets(timeline, timeBuckets(answered, granularity, zone));
  const bounds = filled.map(({ startMs, endMs }) => ({ bucket_ms: startMs, bucket_end_ms: endMs }));
  return {
    buckets: chartBuckets(bounds, answered, nowMs),
    points: filled.map(({ point }) => point && withRate(answered, point)),
  };
}

/** A point of a timeline; without a rate where the scope leaves only one outcome. */
export function withRate<P extends MeasuredPoint>({ scope }: Pick<Answered, 'scope'>, point: P) {
  return scope.status === 'all' ? point : { ...point, failure_rate: null };
}

/**
 * Anomalies among complete buckets: a bucket cut by the range or the present differs from the previous one for that reason alone.
 */
export function completeAnomalies(answered: Answered): readonly AnomalyPoint[] {
  const { buckets, points } = timelineView(answered);
  const used = buckets.filter((_, index) => points[index] !== undefined);
  const whole = new Set(
    used
      .filter((bucket, index) => bucket.partial !== true && used[index - 1]?.partial !== true)
      .map(({ startMs }) => startMs),
  );
  return (answered.answer.anomaly_points ?? []).filter(({ bucket_ms }) => whole.has(bucket_ms));
}

/** Measures of a timeline, one lane each: different units never share a scale. */
export function timelineChart(answered: Answered, measures: readonly Measure[], t: Translate, money: Money): ChartData {
  const { buckets, points } = timelineView(answered);
  const lanes = measures.map(
    (one, position): ChartLane => ({
      id: one.id,
      title: measures.length === 1 ? '' : measureName(one, money, t),
      ...laneScale(one, money),
      weight: position === 0 ? 3 : 2,
      series: [
        {
          id: one.id,
          label: measureName(one, money, t),
          color: one.color,
          kind: isAmount(one) ? 'bars' : 'line',
          primary: true,
          values: points.map((point) => measureValue(one, point)),
          format: measureText(one.unit, money),
        },
      ],
    }),
  );
  const { fromMs, toMs, nowMs } = answered;
  return { fromMs, toMs, nowMs, buckets, lanes, gaps: chartGaps(answered.answer.gaps, answered, nowMs, t) };
}
