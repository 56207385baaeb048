import { FactFlag } from '../../../facts/columns.ts';
import type { Dimension } from '../../../facts/kernels/dimensions.ts';
import { createGroupIndex, type GroupIndex } from '../../../facts/kernels/group-index.ts';
import type { EventPosition } from '../../../facts/kernels/top.ts';
import type { Section } from '../../../facts/section.ts';

/** The newest events of every group of one dimension. */
export interface RecentEvents {
  readonly groups: GroupIndex;
  /** `size` entries per group, newest first; id 0 = free. */
  times: Float64Array;
  ids: Float64Array;
}

const FIRST_GROUPS = 64;

/**
 * The newest `size` events of every group that still have their raw event. Implausible times are skipped: they would stay the
 * newest forever.
 *
 * @param rawDeletions of the snapshot: every deletion invalidates the cached result
 */
export function recentEventsSection(dimension: Dimension, size: number, rawDeletions: number): Section<RecentEvents> {
  return {
    key: `recent events:${dimension.key}:${size}:${rawDeletions}`,
    columns: ['timestamp_ms', 'flags', ...dimension.columns],
    create: () => ({
      groups: createGroupIndex(1),
      times: new Float64Array(FIRST_GROUPS * size),
      ids: new Float64Array(FIRST_GROUPS * size),
    }),
    add(state, rows) {
      const groupOf = state.groups.groupsOf(rows, [dimension]);
      const needed = state.groups.count() * size;
      if (needed > state.ids.length) {
        state.times = enlarged(state.times, needed);
        state.ids = enlarged(state.ids, needed);
      }
      const { chunk } = rows;
      const full = fullGroups(state, size, chunk.maxTimestampMs);
      const candidates = rows.workspace.words('candidates', chunk.rowCount);
      const found = rowsOfOthers(groupOf, rows.count, full, candidates);
      if (found === 0) return;
      const live = chunk.liveRows();
      const times = rows.numbers('timestamp_ms');
      const flags = rows.numbers('flags');
      const ids = rows.eventIds();
      // Newest ids first: most of the others are then rejected at once.
      for (let at = found - 1; at >= 0; at--) {
        const index = candidates[at] ?? 0;
        if (((flags[index] ?? 0) & FactFlag.implausibleTime) !== 0) continue;
        const row = rows.selection.rows === null ? index : (rows.selection.rows[index] ?? 0);
        if (live !== null && live[row] === 0) continue;
        insert(state, (groupOf[index] ?? 0) * size, size, times[index] ?? 0, ids[index] ?? 0);
      }
    },
    clone: ({ groups, times, ids }) => ({ groups: groups.clone(), times: times.slice(), ids: ids.slice() }),
    bytes: ({ groups, times, ids }) => groups.bytes() + times.byteLength + ids.byteLength,
  };
}

/** Events of a group, newest first. */
export function eventsOfGroup({ times, ids }: RecentEvents, group: number, size: number): EventPosition[] {
  const events: EventPosition[] = [];
  for (let at = group * size; at < (group + 1) * size; at++) {
    const eventId = ids[at] ?? 0;
    if (eventId > 0) events.push({ timestampMs: times[at] ?? 0, eventId });
  }
  return events;
}

/** 1 for every group with `size` events after a time: no event up to it can be one of the newest. */
function fullGroups({ groups, times, ids }: RecentEvents, size: number, time: number): Uint8Array {
  const full = new Uint8Array(groups.count());
  for (let group = 0; group < full.length; group++) {
    const last = (group + 1) * size - 1;
    full[group] = (ids[last] ?? 0) > 0 && (times[last] ?? 0) > time ? 1 : 0;
  }
  return full;
}

/** Lists the rows whose group is not full. */
function rowsOfOthers(groupOf: Uint32Array, count: number, full: Uint8Array, into: Uint32Array): number {
  let found = 0;
  for (let index = 0; index < count; index++) {
    into[found] = index;
    found += 1 - (full[groupOf[index] ?? 0] ?? 0);
  }
  return found;
}

function insert({ times, ids }: RecentEvents, from: number, size: number, time: number, id: number): void {
  let at = from + size;
  while (at > from && isOlder(times[at - 1] ?? 0, ids[at - 1] ?? 0, time, id)) {
    at--;
    if (at + 1 < from + size) {
      times[at + 1] = times[at] ?? 0;
      ids[at + 1] = ids[at] ?? 0;
    }
  }
  if (at === from + size) return;
  times[at] = time;
  ids[at] = id;
}

function isOlder(placeTime: number, placeId: number, time: number, id: number): boolean {
  return placeId === 0 || placeTime < time || (placeTime === time && placeId < id);
}

function enlarged(values: Float64Array, needed: number): Float64Array {
  const wide = new Float64Array(Math.max(needed, values.length * 2));
  wide.set(values);
  return wide;
}
