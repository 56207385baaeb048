import type { TimelinePoint } from '@manager/core/contract/monitoring/sections';
import { type ForecastDay, forecastMonth, gapMsIn } from '@manager/core/forecast/month-forecast';
import { weekdayOf } from '../../platform/format/time.ts';
import { timeBuckets } from '../../ui/chart/time-buckets.ts';
import type { Reported } from './use-report.ts';

export interface ReportForecast {
  readonly requests: number;
  readonly tokens: number;
  readonly cost: number;
  /** Whole days that it is made from. */
  readonly basisDays: number;
}

/** Days of the month with what was counted in each. */
function daysOf(
  { answer: { timeline = [], gaps = [] }, range, nowMs, search: { zone } }: Reported,
  value: (point: TimelinePoint) => number,
): readonly ForecastDay[] {
  const points = new Map(timeline.map((point) => [point.bucket_ms, point]));
  return timeBuckets({ fromMs: range.fromMs, toMs: range.endMs }, 'day', zone).map(({ startMs, endMs }) => {
    const point = points.get(startMs);
    return {
      startMs,
      endMs,
      weekday: weekdayOf(startMs, zone),
      value: point === undefined ? 0 : value(point),
      gapMs: gapMsIn(gaps, startMs, Math.min(endMs, nowMs)),
    };
  });
}

/** What the running month comes to; null = too little data, undefined = the period is no running month. */
export function reportForecast(reported: Reported): ReportForecast | null | undefined {
  const { answer, range, nowMs } = reported;
  if (!range.moving || range.month !== true || answer.breakdown === undefined) return undefined;
  const { total } = answer.breakdown;
  const first = answer.timeline?.[0];
  // Without earlier requests the manager may have been set up within the first day that has some.
  const sinceMs = total.before === undefined ? (first?.bucket_end_ms ?? nowMs) : range.fromMs;
  const of = (value: (point: TimelinePoint) => number) => forecastMonth(daysOf(reported, value), nowMs, sinceMs);
  const [requests, tokens, cost] = [of(({ calls }) => calls), of((point) => point.tokens), of((point) => point.cost)];
  if (requests === null || tokens === null || cost === null) return null;
  return { requests: requests.total, tokens: tokens.total, cost: cost.total, basisDays: requests.basisDays };
}
