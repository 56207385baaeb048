import type { ModelShare, ModelStats } from '@manager/core/contract/monitoring/sections';
import { type RollupSums, readRollupSums } from '../../../../events/rollup-sums.ts';
import { IDENTITY_COLUMNS } from '../../../../facts/answers/identity-columns.ts';
import { byBytes } from '../../../../facts/answers/sort.ts';
import { type Dimension, symbolDimension } from '../../../../facts/kernels/dimensions.ts';
import { addTotals, foldTotals, type Totals, totalsSection } from '../../../../facts/kernels/totals.ts';
import { cacheMembers, callMembers, costMember, tokenMembers } from '../../../../facts/ratios.ts';
import type { Scan } from '../../../../facts/sections.ts';
import type { AnalyticsQuery } from '../../request.ts';
import type { AnalyticsPlan } from '../plan.ts';
import { keyDimension } from './client-keys.ts';

const MODEL = symbolDimension(['analytics_model']);

/** Totals of each analytics model; an empty name is a separate model. */
export interface ModelTotals {
  readonly model: string;
  readonly totals: Totals;
}

/**
 * From the hourly rollup if that is less to read, else by a scan; both give the same.
 *
 * @returns the models of the scan: requests descending, then name
 */
export function planModels(plan: AnalyticsPlan, scan: Scan): () => ModelTotals[] {
  const { snapshot } = plan;
  const core = planFromRollup(plan, scan);
  const scanned = core === null ? [scan] : core.edges.map(({ fromMs, toMs }) => plan.over(fromMs, toMs));
  const reads = scanned.map((each) => planScanned(plan, each));
  return () => {
    const parts = new Map<number, Totals[]>();
    const add = (model: number, totals: Totals) => parts.set(model, [...(parts.get(model) ?? []), totals]);
    for (const [model, totals] of core?.models ?? []) add(model, totals);
    for (const read of reads) for (const { model, totals } of read()) add(model, totals);
    return [...parts]
      .map(([model, list]): ModelTotals => ({ model: snapshot.symbols.text(model), totals: addTotals(list) }))
      .sort((left, right) => right.totals.calls - left.totals.calls || byBytes(left.model, right.model));
  };
}

/** Sums of the hourly rollup if they are less to read than the rows of the scan, else null. */
export function planFromRollup(plan: AnalyticsPlan, scan: Scan): RollupSums | null {
  const { context, snapshot, prices, query, pricer } = plan;
  const section = totalsSection([MODEL], pricer);
  const least = context.hourlyRollupFromEvents ?? Number.POSITIVE_INFINITY;
  return plan.once(scan, 'hourly rollup', () => {
    if (readsTokens(query) || scan.unread(section) < least) return null;
    return readRollupSums(snapshot, scan.query, prices, context.checkStopped);
  });
}

interface SymbolTotals {
  /** Symbol. */
  readonly model: number;
  readonly totals: Totals;
}

/** When another section groups by model within something else, the model sums are folded from its groups. */
function planScanned(plan: AnalyticsPlan, scan: Scan): () => SymbolTotals[] {
  const wider = widerDimension(plan, scan);
  const dimensions = wider === null ? [MODEL] : [wider, MODEL];
  const read = scan.add(totalsSection(dimensions, plan.pricer));
  return () => {
    const state = read();
    const models = state.groups.valuesIn(dimensions.length - 1);
    return foldTotals(state, state.groups.membersOf(dimensions.length - 1), models.length).map((totals, index) => ({
      model: models[index]?.[0] ?? 0,
      totals,
    }));
  };
}

/** The outer dimension of other sections in this pass that group by model. */
function widerDimension({ query, snapshot, range, base }: AnalyticsPlan, scan: Scan): Dimension | null {
  const { include } = query;
  const inRange = include.account_stats || include.channel_share || include.failure_sources || include.credential_stats;
  if ((scan === range && inRange) || (scan === base && include.filter_options))
    return symbolDimension(IDENTITY_COLUMNS);
  return scan === range && include.api_key_stats ? keyDimension(snapshot.symbols) : null;
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
