import type { TimelinePoint } from '@manager/core/contract/monitoring/sections';
import { formatCount, formatDuration, formatShare, knownCost } from '../../platform/format/format.ts';
import type { TextKey, Translate } from '../../platform/i18n/index.ts';
import type { GoodDirection } from '../../platform/wording/changes.ts';
import { axisCount, axisDuration, axisShare } from '../../ui/chart/axis-format.ts';
import { FIXED_COLORS } from '../../ui/chart/looks.ts';
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

const MEASURES: Readonly<Record<MeasureId, Omit<Measure, 'id'>>> = {
  requests: {
    label: 'analytics.requests',
    unit: 'count',
    color: FIXED_COLORS.requests,
    good: null,
    value: (point) => point.calls,
  },
  failed: {
    label: 'analytics.failed',
    unit: 'count',
    color: FIXED_COLORS.failed,
    good: null,
    value: (point) => point.failure,
  },
  tokens: {
    label: 'analytics.tokens',
    unit: 'count',
    color: FIXED_COLORS.tokens,
    good: null,
    value: (point) => point.total_tokens,
  },
  input: {
    label: 'tokens.input',
    unit: 'count',
    color: FIXED_COLORS.input,
    good: null,
    value: (point) => point.input_tokens,
  },
  output: {
    label: 'tokens.output',
    unit: 'count',
    color: FIXED_COLORS.output,
    good: null,
    value: (point) => point.output_tokens,
  },
  cached: {
    label: 'tokens.cacheRead',
    unit: 'count',
    color: FIXED_COLORS.cached,
    good: null,
    value: (point) => point.cached_tokens + point.cache_read_tokens,
  },
  cost: {
    label: 'analytics.cost',
    unit: 'cost',
    color: 'series-2',
    good: null,
    value: (point) => knownCost(point.cost, point.unpriced_calls),
  },
  failureRate: {
    label: 'analytics.failureRate',
    unit: 'share',
    color: 'bad-fill',
    good: 'down',
    value: (point) => (point.calls === 0 ? null : point.failure_rate),
  },
  hitRate: {
    label: 'stat.cacheHits',
    unit: 'share',
    color: 'series-3',
    good: 'up',
    value: (point) => (point.input_tokens === 0 ? null : (point.cache_hit_rate ?? null)),
  },
  p95: {
    label: 'analytics.p95',
    unit: 'duration',
    color: 'series-4',
    good: 'down',
    value: (point) => point.p95_latency_ms ?? null,
  },
  ttft: {
    label: 'analytics.ttft',
    unit: 'duration',
    color: 'series-7',
    good: 'down',
    value: (point) => point.p95_ttft_ms ?? null,
  },
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
