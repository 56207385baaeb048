import type { Summary } from '@manager/core/contract/monitoring/sections';
import {
  formatCompact,
  formatCount,
  formatDuration,
  formatShare,
  formatTenths,
  knownCost,
  NONE,
} from '../../../platform/format/format.ts';
import type { TextKey, Translate } from '../../../platform/i18n/index.ts';
import {
  type Change,
  type GoodDirection,
  pointChange,
  relativeChange,
  signed,
} from '../../../platform/wording/changes.ts';
import { judgeChange, type Verdict } from '../../../platform/wording/judge-change.ts';
import { chartGaps } from '../../../ui/chart/gaps.ts';
import type { ChartBucket, ChartData, ChartGap } from '../../../ui/chart/types.ts';
import type { RankMeasure } from '../analytics-search.ts';
import { laneScale, type Measure, measureName, measureText, measureValue } from '../measures.ts';
import type { Money } from '../money.ts';
import { type TimelineView, timelineView } from '../trends/timeline-chart.ts';
import { accountsUsed, knownValue, ranked, type UsageRow } from '../usage/usage-rows.ts';
import type { Answered } from '../use-scope.ts';

const HOUR_MS = 3_600_000;

/** Length of a bucket on the offset axis; days of 23 and 25 hours are one step like all others. */
const stepOf = (granularity: 'hour' | 'day'): number => (granularity === 'hour' ? HOUR_MS : 24 * HOUR_MS);

/** The offset of an instant on the axis: its bucket, and the position in it. */
function offsetOf(ms: number, buckets: readonly ChartBucket[], step: number): number {
  const index = buckets.findIndex(({ endMs }) => ms < endMs);
  const bucket = buckets[index];
  if (bucket === undefined) return buckets.length * step;
  const share = (ms - bucket.startMs) / (bucket.endMs - bucket.startMs);
  return (index + Math.max(0, share)) * step;
}

/** Whether the range of a side reaches to the present. */
export const isMoving = ({ toMs, nowMs }: Answered): boolean => toMs >= nowMs;

/** Both sides on one axis: the first bucket of A over the first of B, whatever their times. */
export function compareChart(
  a: Answered,
  b: Answered,
  measures: readonly Measure[],
  names: { readonly a: string; readonly b: string },
  t: Translate,
  money: Money,
): ChartData {
  const step = stepOf(a.granularity);
  const views = { a: timelineView(a), b: timelineView(b) };
  const count = Math.max(views.a.buckets.length, views.b.buckets.length);
  const buckets = Array.from({ length: count }, (_, index): ChartBucket => {
    const partial = [views.a, views.b].some(({ buckets: own }) => own[index]?.partial === true);
    return { startMs: index * step, endMs: (index + 1) * step, ...(partial ? { partial } : {}) };
  });
  const gapsOf = (side: 'a' | 'b', answered: Answered): readonly ChartGap[] =>
    chartGaps(answered.answer.gaps, answered, answered.nowMs, t).map((gap) => ({
      fromMs: offsetOf(Math.max(gap.fromMs, answered.fromMs), views[side].buckets, step),
      toMs: offsetOf(Math.min(gap.toMs, answered.toMs), views[side].buckets, step),
      text: `${names[side]}: ${gap.text}`,
      series: [side],
    }));
  const running = [a, b].find(isMoving);
  const values = ({ points, buckets: own }: TimelineView, one: Measure) =>
    buckets.map((_, index) => (own[index] === undefined ? null : measureValue(one, points[index])));
  return {
    fromMs: 0,
    toMs: Math.max(1, count) * step,
    buckets,
    // The last bucket of a running side reaches to the present alone.
    ...(running === undefined
      ? {}
      : { nowMs: offsetOf(running.nowMs, (running === a ? views.a : views.b).buckets, step) }),
    gaps: [...gapsOf('a', a), ...gapsOf('b', b)],
    lanes: measures.map((one) => ({
      id: one.id,
      title: measures.length === 1 ? '' : measureName(one, money, t),
      ...laneScale(one, money),
      series: [
        {
          id: 'a',
          label: `A · ${names.a}`,
          color: 'series-1' as const,
          kind: 'line' as const,
          primary: true,
          values: values(views.a, one),
          format: measureText(one.unit, money),
        },
        {
          id: 'b',
          label: `B · ${names.b}`,
          color: 'series-2' as const,
          kind: 'line' as const,
          dash: [6, 3],
          values: values(views.b, one),
          format: measureText(one.unit, money),
        },
      ],
    })),
  };
}

export interface Sides<Value> {
  readonly a: Value;
  readonly b: Value;
}

export interface MetricRow {
  readonly id: string;
  readonly label: TextKey;
  readonly a: number | null;
  readonly b: number | null;
  /** Both as shown: `≥$4.20` where some requests are unpriced. */
  readonly texts: Sides<string>;
  /** Unpriced requests that a cost lacks; 0 for other measures. */
  readonly unpriced: Sides<number>;
  readonly change: Change;
  /** Of A, against B. */
  readonly verdict: Verdict;
  /** `+17,976`, `+0.5 pt` */
  readonly difference: string | null;
  readonly cost: boolean;
}

const per = (value: number, calls: number): number | null => (calls === 0 ? null : value / calls);

/** Requests behind a comparison of two sides: those of the smaller one. */
const baseRequests = (a: Answered, b: Answered): number =>
  Math.min(a.answer.summary?.total_calls ?? 0, b.answer.summary?.total_calls ?? 0);

/** The measures of both sides, from one answer each. */
export function metricRows(a: Answered, b: Answered, money: Money): readonly MetricRow[] {
  type Read = (sums: Summary, answered: Answered) => number | null;
  const row = (
    id: string,
    label: TextKey,
    read: Read,
    format: (value: number) => string,
    { good = null, share = false, cost = false }: { good?: GoodDirection; share?: boolean; cost?: boolean } = {},
  ): MetricRow => {
    const of = (answered: Answered) =>
      answered.answer.summary === undefined ? null : read(answered.answer.summary, answered);
    const [first, second] = [of(a), of(b)];
    const change = share ? pointChange(first, second) : relativeChange(first, second);
    const by = first === null || second === null ? null : first - second;
    const lacking = ({ answer }: Answered): number => (cost ? (answer.summary?.unpriced_calls ?? 0) : 0);
    const unpriced = { a: lacking(a), b: lacking(b) };
    const size = by === null ? '' : share ? `${formatTenths(Math.abs(by) * 100)} pt` : format(Math.abs(by));
    return {
      id,
      label,
      a: first,
      b: second,
      texts: {
        a: first === null ? NONE : cost ? money.sum(first, unpriced.a) : format(first),
        b: second === null ? NONE : cost ? money.sum(second, unpriced.b) : format(second),
      },
      unpriced,
      change,
      verdict: judgeChange({ baseRequests: baseRequests(a, b), before: second, after: first, good, share }),
      difference: by === null ? null : signed(/[1-9]/.test(size) ? by : 0, size),
      cost,
    };
  };
  return [
    row('requests', 'analytics.requests', (sums) => sums.total_calls, formatCount),
    row('failed', 'analytics.failed', (sums) => sums.failure_calls, formatCount),
    row('tokens', 'analytics.tokens', (sums) => sums.total_tokens, formatCompact),
    row('cost_usd', 'analytics.cost', (sums) => knownCost(sums.total_cost, sums.unpriced_calls), money.format, {
      cost: true,
    }),
    row(
      'cost_per_1000_usd',
      'analytics.unitCost',
      (sums) => (sums.total_calls === 0 ? null : knownCost(sums.average_cost_per_call * 1_000, sums.unpriced_calls)),
      money.format,
      { good: 'down', cost: true },
    ),
    row(
      'tokens_per_request',
      'analytics.tokensPerRequest',
      (sums) => per(sums.total_tokens, sums.total_calls),
      (value) => formatCount(Math.round(value)),
    ),
    row(
      'cache_hit_rate',
      'stat.cacheHits',
      (sums) => (sums.input_tokens === 0 ? null : sums.cache_hit_rate),
      formatShare,
      { good: 'up', share: true },
    ),
    row(
      'failure_rate',
      'analytics.failureRate',
      (sums, { scope }) => (scope.status === 'all' ? per(sums.failure_calls, sums.total_calls) : null),
      formatShare,
      {
        good: 'down',
        share: true,
      },
    ),
    row('p95_latency_ms', 'analytics.p95', (sums) => sums.p95_latency_ms, formatDuration, { good: 'down' }),
    row('mean_latency_ms', 'analytics.meanLatency', (sums) => sums.average_latency_ms, formatDuration, {
      good: 'down',
    }),
    row('p95_ttft_ms', 'analytics.ttft', (sums) => sums.p95_ttft_ms, formatDuration, { good: 'down' }),
    row('accounts', 'analytics.accountsUsed', (_, { answer }) => accountsUsed(answer), formatCount),
  ];
}

export interface PairRow {
  readonly key: string;
  readonly name: string;
  readonly plainName: string;
  /** null = not in that side, or only unpriced requests. */
  readonly a: number | null;
  readonly b: number | null;
  /** Unpriced requests of each side. */
  readonly unpriced: Sides<number>;
  /** The sum of the remaining parts. */
  readonly others: boolean;
}

/** Parts of both sides, the largest of either first; those beyond `most` are summed up. */
export function pairRows(
  a: readonly UsageRow[],
  b: readonly UsageRow[],
  by: RankMeasure,
  most: number,
  others: (count: number) => string,
): readonly PairRow[] {
  const second = new Map(b.map((row) => [row.key, row]));
  const keys = new Set(a.map((row) => row.key));
  const pairs = [
    ...ranked(a, by).map((row) => pair(row, row, second.get(row.key))),
    ...ranked(b, by)
      .filter((row) => !keys.has(row.key))
      .map((row) => pair(row, undefined, row)),
  ].sort((one, other) => Math.max(other.a ?? 0, other.b ?? 0) - Math.max(one.a ?? 0, one.b ?? 0));
  if (pairs.length <= most) return pairs;
  const rest = pairs.slice(most - 1);
  const name = others(rest.length);
  return [...pairs.slice(0, most - 1), { key: '', name, plainName: name, ...pairTotal(rest), others: true }];

  function pair(named: UsageRow, first: UsageRow | undefined, other: UsageRow | undefined): PairRow {
    return {
      key: named.key,
      name: named.name,
      plainName: named.plainName,
      a: first === undefined ? null : knownValue(first, by),
      b: other === undefined ? null : knownValue(other, by),
      unpriced: { a: first?.unpriced ?? 0, b: other?.unpriced ?? 0 },
      others: false,
    };
  }
}

/** Sums of both sides. */
export function pairTotal(rows: readonly PairRow[]): Pick<PairRow, 'unpriced'> & Sides<number> {
  const sum = (read: (row: PairRow) => number | null) => rows.reduce((total, row) => total + (read(row) ?? 0), 0);
  return {
    a: sum((row) => row.a),
    b: sum((row) => row.b),
    unpriced: { a: sum((row) => row.unpriced.a), b: sum((row) => row.unpriced.b) },
  };
}

/** A − B; what a side lacks counts as 0. */
export const differenceOf = (row: Sides<number | null>): number => (row.a ?? 0) - (row.b ?? 0);

/** Share of the bar between less and more: a change of 100 % fills a side. */
export function barShare(change: Change): number {
  if (change.kind === 'none' || change.kind === 'new') return 0;
  const scale = change.kind === 'points' ? 0.1 : 1;
  return Math.max(-1, Math.min(1, change.value / scale));
}

/** Measures that both sides have. */
export const comparable = (a: Answered | undefined, b: Answered | undefined): boolean =>
  (a?.answer.summary?.total_calls ?? 0) + (b?.answer.summary?.total_calls ?? 0) > 0;
