/** Events of one step at most. */
export const BATCH_EVENTS = 1_000;

/** A step that has worked for so long takes no further event. Events that are collected meanwhile wait no longer than that. */
const STEP_MS = 50;

/**
 * The first of the rows: as many as fit into one step, at least one. `work` is called for each of them.
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
