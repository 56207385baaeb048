/**
 * Sums of costs as two numbers that lie side by side: whole dollars, and the rest of a dollar in 10⁻¹⁵ USD. Both are whole
 * numbers that a double holds exactly, so the sum is the same in any order.
 */

/** Units of 10⁻¹⁵ USD in a dollar. */
export const DOLLAR = 1e15;
/** Up to here a cost and a rest add up exactly. */
const LARGEST_EXACT = 8e15;

/**
 * Adds the cost of each row to the sums of its group.
 *
 * @param width places of one group in `sums`
 * @param place of the dollars of a group; the rest follows
 * @param costs in 10⁻¹⁵ USD
 */
export function addCosts(
  sums: Float64Array,
  width: number,
  place: number,
  groupOf: Uint32Array,
  costs: Float64Array,
  count: number,
): void {
  for (let index = 0; index < count; index++) {
    const at = (groupOf[index] ?? 0) * width + place;
    let cost = costs[index] ?? 0;
    if (cost > LARGEST_EXACT) {
      const dollars = Math.floor(cost / DOLLAR);
      sums[at] = (sums[at] ?? 0) + dollars;
      cost -= dollars * DOLLAR;
    }
    let rest = (sums[at + 1] ?? 0) + cost;
    if (rest >= DOLLAR) {
      const dollars = Math.floor(rest / DOLLAR);
      sums[at] = (sums[at] ?? 0) + dollars;
      rest -= dollars * DOLLAR;
    }
    sums[at + 1] = rest;
  }
}

/** Moves the whole dollars of the rest to the dollars at `at`, after sums were added to each other. */
export function carryDollars(sums: Float64Array, at: number): void {
  const rest = sums[at + 1] ?? 0;
  if (rest < DOLLAR) return;
  const dollars = Math.floor(rest / DOLLAR);
  sums[at] = (sums[at] ?? 0) + dollars;
  sums[at + 1] = rest - dollars * DOLLAR;
}
