import type { Dimension } from '../../../../facts/kernels/dimensions.ts';
import { createGroupIndex, type GroupIndex } from '../../../../facts/kernels/group-index.ts';
import type { Section } from '../../../../facts/sections.ts';

export interface FirstSeen {
  readonly groups: GroupIndex;
  /** Oldest time of each group, ms. */
  oldestMs: Float64Array;
}

const FIRST_GROUPS = 64;

/** Time of the oldest event of every group of one dimension. */
export function firstSeenSection(dimension: Dimension): Section<FirstSeen> {
  return {
    key: `first seen:${dimension.key}`,
    columns: ['timestamp_ms', ...dimension.columns],
    create: () => ({
      groups: createGroupIndex(1),
      oldestMs: new Float64Array(FIRST_GROUPS).fill(Number.POSITIVE_INFINITY),
    }),
    add(state, rows) {
      const groupOf = state.groups.groupsOf(rows, [dimension]);
      const needed = state.groups.count();
      if (needed > state.oldestMs.length) state.oldestMs = enlarged(state.oldestMs, needed);
      const { oldestMs } = state;
      const times = rows.numbers('timestamp_ms');
      for (let index = 0; index < rows.count; index++) {
        const group = groupOf[index] ?? 0;
        const time = times[index] ?? 0;
        if (time < (oldestMs[group] ?? 0)) oldestMs[group] = time;
      }
    },
    clone: ({ groups, oldestMs }) => ({ groups: groups.clone(), oldestMs: oldestMs.slice() }),
    bytes: ({ groups, oldestMs }) => groups.bytes() + oldestMs.byteLength,
  };
}

function enlarged(oldestMs: Float64Array, needed: number): Float64Array {
  const wide = new Float64Array(Math.max(needed, oldestMs.length * 2)).fill(Number.POSITIVE_INFINITY);
  wide.set(oldestMs);
  return wide;
}
