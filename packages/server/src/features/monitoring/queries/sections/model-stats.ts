import type { ModelShare, ModelStats } from '@manager/core/contract/monitoring-sections';
import { symbolDimension } from '../../../../facts/kernels/dimensions.ts';
import { groupTotals, type Totals, totalsSection } from '../../../../facts/kernels/totals.ts';
import type { Pass } from '../../../../facts/sections.ts';
import { byBytes } from '../../sort.ts';
import type { AnalyticsPlan } from '../plan.ts';
import { cacheMembers, callMembers, costMember, tokenMembers } from '../ratios.ts';

/** Totals of each analytics model; an empty name is a model of its own. */
export interface ModelTotals {
  readonly model: string;
  readonly totals: Totals;
}

/** @returns the models of the pass: calls descending, then name */
export function planModels({ snapshot, pricer }: AnalyticsPlan, pass: Pass): () => ModelTotals[] {
  const state = pass.add(totalsSection([symbolDimension(['analytics_model'])], pricer));
  return () =>
    groupTotals(state())
      .map(({ values, totals }): ModelTotals => ({ model: snapshot.symbols.text(values[0]?.[0] ?? 0), totals }))
      .sort((left, right) => right.totals.calls - left.totals.calls || byBytes(left.model, right.model));
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
