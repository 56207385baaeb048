import type { Summary, SummaryComparison } from '@manager/core/contract/monitoring/sections';
import { trimText } from '@manager/core/json/text';
import { createZone } from '@manager/core/time/zones';
import { dateDimension } from '../../../../facts/answers/local-time.ts';
import { sortTexts } from '../../../../facts/answers/sort.ts';
import { activityAt, activitySection } from '../../../../facts/kernels/activity.ts';
import { distinctTasksSection } from '../../../../facts/kernels/distinct-tasks.ts';
import { overallPercentiles, overallPercentilesSection } from '../../../../facts/kernels/overall-percentiles.ts';
import { presentValuesSection } from '../../../../facts/kernels/present-values.ts';
import { type Quality, qualitySection } from '../../../../facts/kernels/quality.ts';
import { addTotals, costOfTotals, groupTotals, type Totals, totalsSection } from '../../../../facts/kernels/totals.ts';
import {
  averageLatency,
  cacheHitRate,
  callMembers,
  ratio,
  tokenMembers,
  unpricedMember,
} from '../../../../facts/ratios.ts';
import type { AnalyticsPlan } from '../plan.ts';
import { type ModelTotals, planModels } from './model-stats.ts';

const ROLLING_MINUTES = 30;
const ROLLING_MS = ROLLING_MINUTES * 60_000;

/** Members of the full profile only; in the compact one they are 0. */
type Extended = Pick<
  Summary,
  | 'rpm_30m'
  | 'tpm_30m'
  | 'avg_daily_requests'
  | 'avg_daily_tokens'
  | 'approx_tasks'
  | 'approx_task_failures'
  | 'approx_task_success_rate'
>;
type Percentile95 = Pick<Summary, 'p95_latency_ms' | 'p95_ttft_ms'>;

const NOT_EXTENDED: Extended = {
  rpm_30m: 0,
  tpm_30m: 0,
  avg_daily_requests: 0,
  avg_daily_tokens: 0,
  approx_tasks: 0,
  approx_task_failures: 0,
  approx_task_success_rate: 0,
};

/** Totals are folded from the models, so that they equal the sum of the model rows and cost one grouping for both. */
export function planSummary(plan: AnalyticsPlan): () => Summary {
  const { compact, percentiles } = plan.query.include;
  const models = planModels(plan, plan.range);
  const quality = plan.range.add(qualitySection());
  const percentile = compact && !percentiles ? noPercentiles : planPercentiles(plan);
  const extended = compact ? () => NOT_EXTENDED : planExtended(plan);
  return () => {
    const rows = models();
    const totals = addTotals(rows.map((row) => row.totals));
    return summaryOf(totals, quality(), percentile(), extended(totals), compact ? null : rows);
  };
}

export function planComparison(plan: AnalyticsPlan): (() => SummaryComparison) | null {
  const range = comparisonRange(plan.query);
  if (range === null) return null;
  // Half of the columns of the sums by model.
  const read = plan.over(range.fromMs, range.toMs).add(activitySection([], plan.pricer));
  return () => {
    const { tokens, cost, ...sums } = activityAt(read().sums, 0);
    return {
      from_ms: range.fromMs,
      to_ms: range.toMs,
      ...callTotals(sums),
      total_tokens: tokens,
      total_cost: cost,
      ...unpricedMember(sums),
    };
  };
}

/** As long as the range and directly before it; null when it would start before the first allowed instant. */
export function comparisonRange({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) {
  const start = fromMs - (toMs - fromMs);
  return start > 0 ? { fromMs: start, toMs: fromMs } : null;
}

/** The half hour before the "now" of the request. */
export function rollingRange({ query, context }: Pick<AnalyticsPlan, 'query' | 'context'>) {
  const toMs = query.nowMs ?? context.now();
  return { fromMs: toMs - ROLLING_MS, toMs };
}

function noPercentiles(): Percentile95 {
  return { p95_latency_ms: null, p95_ttft_ms: null };
}

function planPercentiles({ range }: AnalyticsPlan): () => Percentile95 {
  const state = range.add(overallPercentilesSection());
  return () => {
    const { latencyMs, ttftMs } = overallPercentiles(state());
    return { p95_latency_ms: latencyMs, p95_ttft_ms: ttftMs };
  };
}

function planExtended(plan: AnalyticsPlan): (totals: Totals) => Extended {
  const { range, query, pricer } = plan;
  const { fromMs, toMs } = rollingRange(plan);
  const recent = plan.recent(fromMs, toMs).add(totalsSection([], pricer));
  const dates = range.add(presentValuesSection(dateDimension(createZone(query.timeZone))));
  const taskCounts = range.add(distinctTasksSection());
  return (totals) => {
    const rolling = addTotals(groupTotals(recent()).map((group) => group.totals));
    const days = Math.max(dates().size, 1);
    const { tasks, failedTasks } = taskCounts();
    return {
      rpm_30m: rolling.calls / ROLLING_MINUTES,
      tpm_30m: rolling.totalTokens / ROLLING_MINUTES,
      avg_daily_requests: totals.calls / days,
      avg_daily_tokens: totals.totalTokens / days,
      approx_tasks: tasks,
      approx_task_failures: failedTasks,
      approx_task_success_rate: ratio(tasks - failedTasks, tasks),
    };
  };
}

/** @param models null with the compact profile, which lists none */
function summaryOf(
  totals: Totals,
  quality: Quality,
  percentiles: Percentile95,
  extended: Extended,
  models: readonly ModelTotals[] | null,
): Summary {
  const cost = costOfTotals(totals);
  return {
    ...callTotals(totals),
    ...tokenMembers(totals),
    cache_hit_rate: cacheHitRate(totals),
    reasoning_tokens: totals.reasoningTokens,
    total_tokens: totals.totalTokens,
    total_cost: cost,
    average_cost_per_call: ratio(cost, totals.calls),
    average_latency_ms: averageLatency(totals),
    ...percentiles,
    ...extended,
    zero_token_calls: totals.zeroTokenCalls,
    zero_token_models: models && namesOf(models, (each) => each.zeroTokenCalls > 0),
    unpriced_calls: totals.unpricedCalls,
    unpriced_models: models && namesOf(models, (each) => each.unpricedCalls > 0),
    inconsistent_calls: quality.inconsistentCalls,
    unclassified_tokens: quality.unclassifiedTokens,
    implausible_time_calls: quality.implausibleTimeCalls,
  };
}

function callTotals(totals: Pick<Totals, 'calls' | 'failures'>) {
  const { calls, ...others } = callMembers(totals);
  return { total_calls: calls, ...others };
}

function namesOf(models: readonly ModelTotals[], test: (totals: Totals) => boolean): string[] {
  return sortTexts(
    models.filter(({ model, totals }) => trimText(model) !== '' && test(totals)).map((row) => row.model),
  );
}
