import type { ModelSubRow } from '@manager/core/contract/monitoring-sections';
import { trimText } from '@manager/core/usage/text';
import { foldTotals, type Totals, type TotalsState } from '../../../../facts/kernels/totals.ts';
import { cacheMembers, callMembers, costMember, tokenMembers } from '../../../../facts/ratios.ts';
import type { SymbolTable } from '../../../../facts/symbols.ts';
import { byBytes } from '../../sort.ts';
import { membersOfRows, numberPairs } from './numbering.ts';

interface ModelTotals {
  readonly model: string;
  readonly totals: Totals;
  readonly cost: number;
}

/**
 * The models of each row: most expensive first.
 *
 * @param modelDimension the dimension of `state` that is the analytics model
 * @param rowOf row of each group of `state`
 */
export function modelRows(
  state: TotalsState,
  modelDimension: number,
  symbols: SymbolTable,
  rowOf: Uint32Array,
  rowCount: number,
): ModelSubRow[][] {
  const models = state.groups.valuesIn(modelDimension).map(([id = 0]) => symbols.text(id));
  const pairs = numberPairs(rowOf, state.groups.membersOf(modelDimension));
  const totals = foldTotals(state, pairs.numbers, pairs.count).map((sums, pair) => ({
    model: models[pairs.right[pair] ?? 0] ?? '',
    totals: sums,
    ...costMember(sums),
  }));
  return membersOfRows(pairs.left, rowCount).map((members) =>
    members
      .flatMap((pair) => totals[pair] ?? [])
      .sort(mostExpensiveFirst)
      .map(modelRow),
  );
}

function mostExpensiveFirst(left: ModelTotals, right: ModelTotals): number {
  return (
    right.cost - left.cost ||
    right.totals.calls - left.totals.calls ||
    right.totals.newestMs - left.totals.newestMs ||
    byBytes(left.model, right.model)
  );
}

function modelRow({ model, totals, cost }: ModelTotals): ModelSubRow {
  return {
    model: trimText(model) === '' ? '-' : model,
    ...callMembers(totals),
    ...tokenMembers(totals),
    ...cacheMembers(totals),
    total_tokens: totals.totalTokens,
    cost,
    last_seen_ms: totals.newestMs,
  };
}
