import type { Exchange } from '../section.ts';
import type { GroupIndex, PackedGroups } from './group-index.ts';

/** Groups and their sums, `slots` numbers each. */
interface GroupedSums {
  readonly groups: GroupIndex;
  sums: Float64Array;
}

interface PackedSums {
  readonly groups: PackedGroups;
  readonly sums: Float64Array;
}

/** Makes room for `slots` numbers of every group; new ones are 0. */
export function growSums(state: GroupedSums, slots: number): void {
  const needed = state.groups.count() * slots;
  if (needed <= state.sums.length) return;
  const wide = new Float64Array(Math.max(needed, state.sums.length * 2));
  wide.set(state.sums);
  state.sums = wide;
}

export interface GroupSlots<State> {
  /** Numbers of a group. */
  readonly slots: number;
  /** Makes room for the sums of all groups. Default: `growSums`. */
  readonly grow?: (state: State) => void;
  /** Adds the sums at `from` of one array to those at `to` of another. */
  readonly addGroup: (into: Float64Array, to: number, sums: Float64Array, from: number) => void;
}

/** Sums of groups from two threads: equal groups are added up. */
export function exchangeGroups<State extends GroupedSums>({
  slots,
  grow = (state) => growSums(state, slots),
  addGroup,
}: GroupSlots<State>): Exchange<State> {
  return {
    // A copy: messages take whole buffers, and this one may be much longer.
    pack: ({ groups, sums }): PackedSums => ({ groups: groups.pack(), sums: sums.slice(0, groups.count() * slots) }),
    merge(state, packed: PackedSums) {
      const groupOf = state.groups.merge(packed.groups);
      grow(state);
      for (let group = 0; group < groupOf.length; group++) {
        addGroup(state.sums, (groupOf[group] ?? 0) * slots, packed.sums, group * slots);
      }
    },
  };
}
