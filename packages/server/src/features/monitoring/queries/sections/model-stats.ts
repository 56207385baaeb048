import type { ModelShare, ModelStats } from '@manager/core/contract/monitoring/sections';
import { IDENTITY_COLUMNS } from '../../../../facts/answers/identity-columns.ts';
import { byBytes } from '../../../../facts/answers/sort.ts';
import { type Dimension, symbolDimension } from '../../../../facts/kernels/dimensions.ts';
import { foldTotals, type Totals, totalsSection } from '../../../../facts/kernels/totals.ts';
import { cacheMembers, callMembers, costMember, tokenMembers } from '../../../../facts/ratios.ts';
import type { Scan } from '../../../../facts/scan.ts';
import type { AnalyticsPlan } from '../plan.ts';
import { keyDimension } from './client-keys.ts';
import { isKeysAlone, KEY } from './keys-alone.ts';

const MODEL = symbolDimension(['analytics_model']);

/** Totals of each analytics model; an empty name is a separate model. */
export interface ModelTotals {
  readonly model: string;
  readonly totals: Totals;
}

/**
 * When another section groups by model within something else, the model sums are folded from its groups.
 *
 * @returns the models of the scan: requests descending, then name
 */
export function planModels(plan: AnalyticsPlan, scan: Scan): () => ModelTotals[] {
  const wider = widerDimension(plan, scan);
  const dimensions = wider === null ? [MODEL] : [wider, MODEL];
  const read = scan.add(totalsSection(dimensions, plan.pricer));
  return () => {
    const state = read();
    const models = state.groups.valuesIn(dimensions.length - 1);
    return foldTotals(state, state.groups.membersOf(dimensions.length - 1), models.length)
      .map((totals, index): ModelTotals => ({ model: plan.snapshot.symbols.text(models[index]?.[0] ?? 0), totals }))
      .sort((left, right) => right.totals.calls - left.totals.calls || byBytes(left.model, right.model));
  };
}

/** The outer dimension of other sections in this pass that group by model. */
function widerDimension({ query, snapshot, range, base }: AnalyticsPlan, scan: Scan): Dimension | null {
  const { include } = query;
  const inRange = include.account_stats || include.channel_share || include.failure_sources || include.credential_stats;
  if ((scan === range && inRange) || (scan === base && include.filter_options))
    return symbolDimension(IDENTITY_COLUMNS);
  if (scan !== range || !include.api_key_stats) return null;
  return isKeysAlone(query.rows) ? KEY : keyDimension(snapshot.symbols);
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
