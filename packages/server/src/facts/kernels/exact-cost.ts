/**
 * Sums of costs as two adjacent numbers: whole dollars, and the rest of a dollar in 10⁻¹⁵ USD. Both are integers that a
 * double holds exactly, so the sum is the same in any order.
 */

/** Units of 10⁻¹⁵ USD in a dollar. */
export const DOLLAR = 1e15;
/** Up to here a cost and a rest of a dollar can be added exactly. */
export const LARGEST_EXACT = 8e15;

/**
 * Adds a cost.
 *
 * @param at position of the dollars; the rest follows
 * @param cost in 10⁻¹⁵ USD
 */
export function addCost(sums: Float64Array, at: number, cost: number): void {
  let small = cost;
  if (cost > LARGEST_EXACT) {
    const dollars = Math.floor(cost / DOLLAR);
    sums[at] = (sums[at] ?? 0) + dollars;
    small -= dollars * DOLLAR;
  }
  let rest = (sums[at + 1] ?? 0) + small;
  if (rest >= DOLLAR) {
    const dollars = Math.floor(rest / DOLLAR);
    sums[at] = (sums[at] ?? 0) + dollars;
    rest -= dollars * DOLLAR;
  }
  sums[at + 1] = rest;
}

/** Costs of groups: `coarse[i]` · 10⁻⁹ USD + `fine[i]` · 10⁻¹⁵ USD, which both are exact. */
export interface SumCosts {
  readonly coarse: Float64Array;
  readonly fine: Float64Array;
}

/** Coarse units in a dollar. */
const COARSE_DOLLAR = 1e9;

/**
 * Adds the cost of a group.
 *
 * @param at position of the dollars; the rest follows
 */
export function addSumCost(sums: Float64Array, at: number, coarse: number, fine: number): void {
  const dollars = Math.floor(coarse / COARSE_DOLLAR);
  const rest = (coarse - dollars * COARSE_DOLLAR) * (DOLLAR / COARSE_DOLLAR) + fine;
  const more = Math.floor(rest / DOLLAR);
  sums[at] = (sums[at] ?? 0) + dollars + more;
  addCost(sums, at, rest - more * DOLLAR);
}

/** Moves the whole dollars of the rest to the dollars at `at`, after sums were added. */
export function carryDollars(sums: Float64Array, at: number): void {
  const rest = sums[at + 1] ?? 0;
  if (rest < DOLLAR) return;
  const dollars = Math.floor(rest / DOLLAR);
  sums[at] = (sums[at] ?? 0) + dollars;
  sums[at + 1] = rest - dollars * DOLLAR;
}
