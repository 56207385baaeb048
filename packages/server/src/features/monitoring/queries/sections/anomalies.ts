import type { AnomalyPoint, TimelinePoint } from '@manager/core/contract/monitoring/sections';
import { ratio, unpricedMember } from '../../../../facts/ratios.ts';

type MetricKey = AnomalyPoint['metric_keys'][number];
type Changes = Pick<
  AnomalyPoint,
  | 'request_change'
  | 'cost_change'
  | 'tokens_per_request_change'
  | 'cache_hit_rate_change'
  | 'failure_rate_change'
  | 'latency_p95_change'
>;

const MAX_POINTS = 50;
/** An anomalous metric weighs as much as a change of this size. */
const KEY_SCORE = 10;

/** The rules for anomalies, in the order of their keys. */
const RULES: readonly (readonly [MetricKey, (changes: Changes) => boolean])[] = [
  ['request_spike', ({ request_change }) => request_change > 1],
  ['cost_spike', ({ cost_change }) => cost_change > 1],
  ['tokens_per_request_spike', ({ tokens_per_request_change }) => tokens_per_request_change > 0.5],
  ['cache_hit_drop', ({ cache_hit_rate_change }) => cache_hit_rate_change < -0.2],
  ['failure_rate_spike', ({ failure_rate_change }) => failure_rate_change > 0.2],
  ['latency_spike', ({ latency_p95_change }) => latency_p95_change > 0.5],
];

/** Buckets that differ from the previous bucket with events, highest score first. */
export function anomalyPoints(timeline: readonly TimelinePoint[]): AnomalyPoint[] {
  const scored: { readonly point: AnomalyPoint; readonly score: number }[] = [];
  for (let index = 1; index < timeline.length; index++) {
    const [previous, current] = [timeline[index - 1], timeline[index]];
    if (previous === undefined || current === undefined) continue;
    const changes = changesOf(current, previous);
    const keys = RULES.filter(([, standsOut]) => standsOut(changes)).map(([key]) => key);
    if (keys.length > 0) scored.push({ point: anomalyPoint(current, changes, keys), score: scoreOf(keys, changes) });
  }
  return scored
    .sort((left, right) => right.score - left.score || right.point.bucket_ms - left.point.bucket_ms)
    .slice(0, MAX_POINTS)
    .map(({ point }) => point);
}

function changesOf(current: TimelinePoint, previous: TimelinePoint): Changes {
  return {
    request_change: change(current.calls, previous.calls),
    cost_change: change(current.cost, previous.cost),
    tokens_per_request_change: change(tokensPerCall(current), tokensPerCall(previous)),
    cache_hit_rate_change: current.cache_hit_rate - previous.cache_hit_rate,
    failure_rate_change: current.failure_rate - previous.failure_rate,
    latency_p95_change: change(current.p95_latency_ms ?? 0, previous.p95_latency_ms ?? 0),
  };
}

/** Relative to the previous value; from 0 to any value counts as a doubling. */
function change(current: number, previous: number): number {
  if (previous <= 0) return current > 0 ? 1 : 0;
  return (current - previous) / previous;
}

function tokensPerCall({ total_tokens, calls }: TimelinePoint): number {
  return ratio(total_tokens, calls);
}

/** For cache hits only a decrease counts. */
function scoreOf(keys: readonly MetricKey[], changes: Changes): number {
  const all = { ...changes, cache_hit_rate_change: -changes.cache_hit_rate_change };
  return KEY_SCORE * keys.length + Object.values(all).reduce((sum, value) => sum + Math.max(value, 0), 0);
}

function anomalyPoint(bucket: TimelinePoint, changes: Changes, keys: MetricKey[]): AnomalyPoint {
  return {
    bucket_ms: bucket.bucket_ms,
    bucket_end_ms: bucket.bucket_end_ms,
    label: bucket.label,
    severity: keys.length >= 3 ? 'high' : keys.length === 2 ? 'medium' : 'low',
    metric_keys: keys,
    calls: bucket.calls,
    total_tokens: bucket.total_tokens,
    cost: bucket.cost,
    ...unpricedMember({ unpricedCalls: bucket.unpriced_calls ?? 0 }),
    failure_rate: bucket.failure_rate,
    ...changes,
  };
}
