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

/**
 * The rows in their order.
 *
 * @param ids of each row
 * @param wanted ids of the rows that are asked for, empty = all
 */
export function rowsInOrder(
  ids: readonly string[],
  wanted: readonly string[],
  order: (a: number, b: number) => number,
): Uint32Array {
  const rows = Uint32Array.from(ids, (_, row) => row);
  const kept = wanted.length === 0 ? rows : rows.filter((row) => wanted.includes(ids[row] ?? ''));
  return kept.sort(order);
}
