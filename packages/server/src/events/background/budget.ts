/** Most events of one step. */
export const BATCH_EVENTS = 1_000;

/** After this time a step takes no further event, so collected events do not wait longer. */
const STEP_MS = 50;

/**
 * The first rows: as many as fit into one step, at least one. `work` is called for each of them.
 *
 * @param now milliseconds
 */
export function withinBudget<Row>(rows: readonly Row[], now: () => number, work: (row: Row) => void): readonly Row[] {
  const until = now() + STEP_MS;
  for (const [index, row] of rows.entries()) {
    work(row);
    if (now() >= until) return rows.slice(0, index + 1);
  }
  return rows;
}
