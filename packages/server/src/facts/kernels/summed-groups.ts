import type { SumRows } from '../sums/rows.ts';
import type { Pricer } from './cost.ts';
import { addSumCost, type SumCosts } from './exact-cost.ts';

/** What groupings add from stored sums: each row is a group of events. One loop for each number, over arrays of one type. */

/**
 * @param width numbers per group in `sums`
 * @param place position of the number in a group
 */
export function addTo(
  sums: Float64Array,
  width: number,
  place: number,
  groupOf: Uint32Array,
  values: Float64Array,
  count: number,
): void {
  for (let index = 0; index < count; index++) {
    const at = (groupOf[index] ?? 0) * width + place;
    sums[at] = (sums[at] ?? 0) + (values[index] ?? 0);
  }
}

/** @param place position of the dollars in a group; the rest follows */
export function addCosts(
  sums: Float64Array,
  width: number,
  place: number,
  groupOf: Uint32Array,
  { coarse, fine }: SumCosts,
  count: number,
): void {
  for (let index = 0; index < count; index++) {
    addSumCost(sums, (groupOf[index] ?? 0) * width + place, coarse[index] ?? 0, fine[index] ?? 0);
  }
}

/** Calls with tokens and without a price. */
export function unpricedSums(rows: SumRows, pricer: Pricer): Float64Array {
  return rows.once(`unpriced sums:${pricer.revision}`, () => {
    const { codes, priced } = pricer.priced(rows);
    const calls = rows.sums('token_calls');
    const unpriced = rows.workspace.doubles('unpriced sums', rows.chunk.rowCount);
    for (let index = 0; index < rows.count; index++) {
      unpriced[index] = priced[codes[index] ?? 0] === 1 ? 0 : (calls[index] ?? 0);
    }
    return unpriced;
  });
}
