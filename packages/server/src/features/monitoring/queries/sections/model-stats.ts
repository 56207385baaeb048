import type { ModelShare, ModelStats } from '@manager/core/contract/monitoring-sections';
import { type CoreSums, readCoreSums } from '../../../../facts/core-sums.ts';
import { symbolDimension } from '../../../../facts/kernels/dimensions.ts';
import { addTotals, groupTotals, type Totals, totalsSection } from '../../../../facts/kernels/totals.ts';
import { cacheMembers, callMembers, costMember, tokenMembers } from '../../../../facts/ratios.ts';
import type { Pass } from '../../../../facts/sections.ts';
import type { AnalyticsQuery } from '../../request.ts';
import { byBytes } from '../../sort.ts';
import type { AnalyticsPlan } from '../plan.ts';

/** Totals of each analytics model; an empty name is a model of its own. */
export interface ModelTotals {
  readonly model: string;
  readonly totals: Totals;
}

/**
 * From the hourly core where that is less to read, else by a scan; both give the same.
 *
 * @returns the models of the pass: calls descending, then name
 */
export function planModels(plan: AnalyticsPlan, pass: Pass): () => ModelTotals[] {
  const { snapshot, pricer } = plan;
  const section = totalsSection([symbolDimension(['analytics_model'])], pricer);
  const core = plan.once(pass, 'hourly core', () => coreSums(plan, pass, section.key));
  const scanned = core === null ? [pass] : core.edges.map(({ fromMs, toMs }) => plan.over(fromMs, toMs));
  const states = scanned.map((each) => each.add(section));
  return () => {
    const parts = new Map<number, Totals[]>();
    const add = (model: number, totals: Totals) => parts.set(model, [...(parts.get(model) ?? []), totals]);
    for (const [model, totals] of core?.models ?? []) add(model, totals);
    for (const state of states) {
      for (const { values, totals } of groupTotals(state())) add(values[0]?.[0] ?? 0, totals);
    }
    return [...parts]
      .map(([model, list]): ModelTotals => ({ model: snapshot.symbols.text(model), totals: addTotals(list) }))
      .sort((left, right) => right.totals.calls - left.totals.calls || byBytes(left.model, right.model));
  };
}

function coreSums(plan: AnalyticsPlan, pass: Pass, scanKey: string): CoreSums | null {
  const { context, snapshot, prices, query } = plan;
  const least = context.hourlyCoreFromEvents ?? Number.POSITIVE_INFINITY;
  if (readsTokens(query) || pass.unread(scanKey) < least) return null;
  return readCoreSums(snapshot, pass.query, prices, context.checkStopped);
}

/** Whether another section reads the tokens of every event anyway. */
function readsTokens({ include }: AnalyticsQuery): boolean {
  const { summary, compact, percentiles, comparison, model_share, model_stats, filter_selectors, ...others } = include;
  return Object.values(others).some((asked) => asked);
}

export function modelStats(models: readonly ModelTotals[]): ModelStats[] {
  return models.map(({ model, totals }) => ({
    model,
    ...callMembers(totals),
    ...tokenMembers(totals),
    ...cacheMembers(totals),
    total_tokens: totals.totalTokens,
    ...costMember(totals),
  }));
}

export function modelShare(models: readonly ModelTotals[]): ModelShare[] {
  return models.map(({ model, totals }) => ({
    model,
    calls: totals.calls,
    tokens: totals.totalTokens,
    ...costMember(totals),
  }));
}
