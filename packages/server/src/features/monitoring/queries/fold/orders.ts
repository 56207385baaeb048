import { byBytes } from '../../../../facts/answers/sort.ts';
import type { TotalsTable } from '../../../../facts/kernels/totals.ts';

/** Compares two rows of a table. */
type Order = (left: number, right: number) => number;

export function mostExpensiveFirst(totals: TotalsTable, nameOf: (row: number) => string): Order {
  const costs = costsOf(totals);
  return (left, right) =>
    (costs[right] ?? 0) - (costs[left] ?? 0) ||
    totals.calls(right) - totals.calls(left) ||
    totals.newestMs(right) - totals.newestMs(left) ||
    byBytes(nameOf(left), nameOf(right));
}

export function lastSeenFirst(totals: TotalsTable, nameOf: (row: number) => string): Order {
  return (left, right) =>
    totals.newestMs(right) - totals.newestMs(left) ||
    totals.calls(right) - totals.calls(left) ||
    totals.cost(right) - totals.cost(left) ||
    byBytes(nameOf(left), nameOf(right));
}

/** Computed once: sorting a long list compares each row often. */
function costsOf(totals: TotalsTable): Float64Array {
  const costs = new Float64Array(totals.count);
  for (let row = 0; row < costs.length; row++) costs[row] = totals.cost(row);
  return costs;
}
