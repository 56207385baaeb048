import type { SelectedRows } from '../rows.ts';
import type { Section } from '../section.ts';

/** How many of the selected facts still have their raw event. */
export interface RawCoverage {
  live: number;
  deleted: number;
  /** Of the deleted ones; ±Infinity if there are none. */
  minDeletedMs: number;
  maxDeletedMs: number;
}

/** @param rawDeletions of the snapshot: another deletion invalidates the count */
export function rawCoverageSection(rawDeletions: number): Section<RawCoverage> {
  return {
    key: `raw coverage:${rawDeletions}`,
    create: () => ({
      live: 0,
      deleted: 0,
      minDeletedMs: Number.POSITIVE_INFINITY,
      maxDeletedMs: Number.NEGATIVE_INFINITY,
    }),
    add(state, rows) {
      const live = rows.chunk.liveRows();
      if (live === null) state.live += rows.count;
      else addRows(state, live, rows);
    },
    clone: (state) => ({ ...state }),
    bytes: () => 64,
  };
}

function addRows(state: RawCoverage, live: Uint8Array, { selection, count, numbers }: SelectedRows): void {
  const times = numbers('timestamp_ms');
  for (let index = 0; index < count; index++) {
    const row = selection.rows === null ? index : (selection.rows[index] ?? 0);
    if (live[row] === 1) {
      state.live++;
      continue;
    }
    const time = times[index] ?? 0;
    state.deleted++;
    if (time < state.minDeletedMs) state.minDeletedMs = time;
    if (time > state.maxDeletedMs) state.maxDeletedMs = time;
  }
}
