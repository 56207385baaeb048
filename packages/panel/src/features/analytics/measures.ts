import type { TimelinePoint } from '@manager/core/contract/monitoring/sections';
import { formatCount, formatDuration, formatShare, knownCost } from '../../platform/format/format.ts';
import type { TextKey, Translate } from '../../platform/i18n/index.ts';
import type { GoodDirection } from '../../platform/wording/changes.ts';
import { axisCount, axisDuration, axisShare } from '../../ui/chart/axis-format.ts';
import { FIXED_COLORS } from '../../ui/chart/series-style.ts';
import type { ChartColor, ChartLane } from '../../ui/chart/types.ts';
import type { Money } from './money.ts';

export const MEASURE_IDS = [
  'requests',
  'failed',
  'tokens',
  'input',
  'output',
  'cached',
  'cost',
  'failureRate',
  'hitRate',
  'p95',
  'ttft',
] as const;
export type MeasureId = (typeof MEASURE_IDS)[number];

type Unit = 'count' | 'cost' | 'share' | 'duration';

/** Measures of a timeline's buckets. */
export interface Measure {
  readonly id: MeasureId;
  readonly label: TextKey;
  readonly unit: Unit;
  readonly color: ChartColor;
  readonly good: GoodDirection;
  /** Amounts are 0 in a bucket without events; levels are unknown there. */
  readonly value: (point: MeasuredPoint) => number | null;
}

/** Members that points of all timelines have; only some have percentiles. */
export type MeasuredPoint = Pick<
  TimelinePoint,
  | 'calls'
  | 'failure'
  | 'input_tokens'
  | 'output_tokens'
  | 'cached_tokens'
  | 'cache_read_tokens'
  | 'total_tokens'
  | 'cost'
> &
  Partial<Pick<TimelinePoint, 'unpriced_calls' | 'cache_hit_rate' | 'p95_latency_ms' | 'p95_ttft_ms'>> & {
    /** null where a filter leaves only failed or successful requests: rates are meaningless. */
    readonly failure_rate: number | null;
  };

type Definition = Omit<Measure, 'id'>;

const amount = (label: TextKey, color: ChartColor, value: Measure['value'], unit: Unit = 'count'): Definition => ({
  label,
  unit,
  color,
  good: null,
  value,
});

const level = (
  label: TextKey,
  unit: Unit,
  color: ChartColor,
  good: GoodDirection,
  value: Measure['value'],
): Definition => ({ label, unit, color, good, value });

const { requests, failed, tokens, input, output, cached } = FIXED_COLORS;

const MEASURES: Readonly<Record<MeasureId, Definition>> = {
  requests: amount('analytics.requests', requests, (point) => point.calls),
  failed: amount('analytics.failed', failed, (point) => point.failure),
  tokens: amount('analytics.tokens', tokens, (point) => point.total_tokens),
  input: amount('tokens.input', input, (point) => point.input_tokens),
  output: amount('tokens.output', output, (point) => point.output_tokens),
  cached: amount('tokens.cacheRead', cached, (point) => point.cached_tokens + point.cache_read_tokens),
  cost: amount('analytics.cost', 'series-2', (point) => knownCost(point.cost, point.unpriced_calls), 'cost'),
  failureRate: level('analytics.failureRate', 'share', 'bad-fill', 'down', (point) =>
    point.calls === 0 ? null : point.failure_rate,
  ),
  hitRate: level('stat.cacheHits', 'share', 'series-3', 'up', (point) =>
    point.input_tokens === 0 ? null : (point.cache_hit_rate ?? null),
  ),
  p95: level('analytics.p95', 'duration', 'series-4', 'down', (point) => point.p95_latency_ms ?? null),
  ttft: level('analytics.ttft', 'duration', 'series-7', 'down', (point) => point.p95_ttft_ms ?? null),
};

export const measure = (id: MeasureId): Measure => ({ id, ...MEASURES[id] });

export const isAmount = ({ unit }: Measure): boolean => unit === 'count' || unit === 'cost';

export function measureValue(one: Measure, point: MeasuredPoint | undefined): number | null {
  if (point === undefined) return isAmount(one) ? 0 : null;
  return one.value(point);
}

export function measureText(unit: Unit, money: Money): (value: number) => string {
  if (unit === 'cost') return money.format;
  if (unit === 'share') return formatShare;
  return unit === 'duration' ? formatDuration : formatCount;
}

export function measureName(one: Measure, money: Money, t: Translate): string {
  return one.unit === 'cost' ? `${t(one.label)}${money.mark}` : t(one.label);
}

/** Scale of a lane of this measure. */
export function laneScale(one: Measure, money: Money): Pick<ChartLane, 'axis' | 'whole' | 'limit'> {
  if (one.unit === 'cost') return { axis: money.axis };
  if (one.unit === 'share') return { axis: axisShare, limit: 1 };
  return one.unit === 'duration' ? { axis: axisDuration } : { axis: axisCount, whole: true };
}

/** A formatted measure; unknown is a dash. */
export function measureOf(one: Measure, point: MeasuredPoint | undefined, money: Money): string {
  const value = measureValue(one, point);
  return value === null ? '–' : measureText(one.unit, money)(value);
}
