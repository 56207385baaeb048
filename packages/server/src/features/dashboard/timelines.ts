import { DASHBOARD_HOURS, DASHBOARD_POINTS, type DashboardResponse } from '@manager/core/contract/dashboard';
import { ratio } from '../../facts/ratios.ts';
import { pointTone } from './tones.ts';

/** Sums of one stretch of the day. */
export interface SlotSums {
  readonly calls: number;
  readonly failures: number;
  readonly tokens: number;
}

type TrafficTimeline = DashboardResponse['traffic_timeline'];

export const POINT_MS = 600_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const POINTS_PER_HOUR = HOUR_MS / POINT_MS;

const NOTHING: SlotSums = { calls: 0, failures: 0, tokens: 0 };

/** @param points sums of the 144 points of the day */
export function hoursOf(points: readonly SlotSums[]): SlotSums[] {
  return Array.from({ length: DASHBOARD_HOURS }, (_, hour) =>
    points.slice(hour * POINTS_PER_HOUR, (hour + 1) * POINTS_PER_HOUR).reduce(plus, NOTHING),
  );
}

/** @param hours sums of the 24 hours from the start of the day */
export function trafficTimeline(startMs: number, hours: readonly SlotSums[]): TrafficTimeline {
  const mostCalls = Math.max(...hours.map(({ calls }) => calls));
  const mostTokens = Math.max(...hours.map(({ tokens }) => tokens));
  return hours.map(({ calls, failures, tokens }, index) => ({
    bucket_ms: startMs + index * HOUR_MS,
    calls,
    tokens,
    success: calls - failures,
    failure: failures,
    calls_share: ratio(calls, mostCalls),
    tokens_share: ratio(tokens, mostTokens),
    failure_rate: ratio(failures, calls),
  }));
}

export function hourlyActivity(traffic: TrafficTimeline): DashboardResponse['hourly_activity'] {
  return traffic.map(({ bucket_ms, calls, tokens, calls_share, tokens_share }, hour_index) => ({
    hour_index,
    bucket_ms,
    calls,
    tokens,
    intensity: Math.max(calls_share, tokens_share),
  }));
}

/** @param points sums of the 144 points of the day */
export function requestHealth(
  startMs: number,
  nowMs: number,
  points: readonly SlotSums[],
): DashboardResponse['today_request_health_timeline'] {
  const busiest = Math.max(...points.map(({ calls }) => calls));
  const { calls, failures } = points.reduce(plus, NOTHING);
  return {
    from_ms: startMs,
    to_ms: startMs + DAY_MS,
    bucket_ms: POINT_MS,
    success_calls: calls - failures,
    failure_calls: failures,
    total_calls: calls,
    success_rate: ratio(calls - failures, calls),
    points: points.map((point, index) => {
      const bucketMs = startMs + index * POINT_MS;
      const future = bucketMs > nowMs;
      return {
        bucket_ms: bucketMs,
        calls: point.calls,
        tokens: point.tokens,
        success: point.calls - point.failures,
        failure: point.failures,
        success_rate: ratio(point.calls - point.failures, point.calls),
        failure_rate: ratio(point.failures, point.calls),
        tone: pointTone(point, future),
        intensity: ratio(point.calls, busiest),
        future,
      };
    }),
  };
}

/** @param at sums of a point, undefined = no events */
export function allPoints(at: (index: number) => SlotSums | undefined): SlotSums[] {
  return Array.from({ length: DASHBOARD_POINTS }, (_, index) => at(index) ?? NOTHING);
}

function plus(left: SlotSums, right: SlotSums): SlotSums {
  return {
    calls: left.calls + right.calls,
    failures: left.failures + right.failures,
    tokens: left.tokens + right.tokens,
  };
}
