import { FactFlag } from '../../../facts/columns.ts';
import type { Pricer } from '../../../facts/kernels/cost.ts';
import type { Dimension } from '../../../facts/kernels/dimensions.ts';
import { addCost, carryDollars, DOLLAR } from '../../../facts/kernels/exact-cost.ts';
import { exchangeGroups } from '../../../facts/kernels/exchanged-groups.ts';
import { createGroupIndex, type GroupIndex } from '../../../facts/kernels/group-index.ts';
import { type RowList, unpricedOf } from '../../../facts/kernels/measures.ts';
import type { Section } from '../../../facts/section.ts';

/** The shown sums of one account's events. */
export interface UsageSums {
  readonly calls: number;
  readonly failures: number;
  readonly totalTokens: number;
  /** Whole dollars, and the rest in 10⁻¹⁵ USD. */
  readonly costDollars: number;
  readonly costRest: number;
  readonly oldestMs: number;
  readonly newestMs: number;
  /** Unpriced events. */
  readonly unpricedCalls: number;
}

export interface UsageState {
  readonly groups: GroupIndex;
  sums: Float64Array;
}

/** Positions of the sums of one group. */
const SLOT = {
  calls: 0,
  failures: 1,
  totalTokens: 2,
  costDollars: 3,
  costRest: 4,
  oldestMs: 5,
  newestMs: 6,
  unpricedCalls: 7,
} as const;
const SLOTS = 8;
const FIRST_GROUPS = 64;

export const NO_USAGE: UsageSums = sumsAt(withGroups(new Float64Array(0), 1), 0);

/** Sums of every group. Fewer than in totals, because this runs over more events than anything else. */
export function usageSection(dimensions: readonly Dimension[], pricer: Pricer): Section<UsageState> {
  return {
    key: `usage:${pricer.revision}:${dimensions.map(({ key }) => key).join('|')}`,
    columns: [
      ...(['timestamp_ms', 'flags', 'total_tokens'] as const),
      ...pricer.columns,
      ...dimensions.flatMap(({ columns }) => columns),
    ],
    create: () => ({
      groups: createGroupIndex(dimensions.length),
      sums: withGroups(new Float64Array(0), FIRST_GROUPS),
    }),
    add(state, rows) {
      const groupOf = state.groups.groupsOf(rows, dimensions);
      grow(state);
      addRows(
        state.sums,
        groupOf,
        rows.numbers('flags'),
        rows.numbers('total_tokens'),
        pricer.costs(rows),
        rows.numbers('timestamp_ms'),
        rows.count,
      );
      addUnpriced(state.sums, groupOf, unpricedOf(rows, pricer));
    },
    exchange: exchangeGroups({ slots: SLOTS, grow, addGroup }),
    clone: ({ groups, sums }) => ({ groups: groups.clone(), sums: sums.slice() }),
    bytes: ({ groups, sums }) => groups.bytes() + sums.byteLength,
  };
}

function grow(state: UsageState): void {
  const needed = state.groups.count();
  if (needed * SLOTS > state.sums.length) state.sums = withGroups(state.sums, needed * 2);
}

function addGroup(into: Float64Array, to: number, sums: Float64Array, from: number): void {
  for (const slot of [
    SLOT.calls,
    SLOT.failures,
    SLOT.totalTokens,
    SLOT.costDollars,
    SLOT.costRest,
    SLOT.unpricedCalls,
  ]) {
    into[to + slot] = (into[to + slot] ?? 0) + (sums[from + slot] ?? 0);
  }
  carryDollars(into, to + SLOT.costDollars);
  const [oldest, newest] = [sums[from + SLOT.oldestMs] ?? 0, sums[from + SLOT.newestMs] ?? 0];
  into[to + SLOT.oldestMs] = Math.min(into[to + SLOT.oldestMs] ?? 0, oldest);
  into[to + SLOT.newestMs] = Math.max(into[to + SLOT.newestMs] ?? 0, newest);
}

/** The groups of a finished state, in order of appearance. */
export function usageOfGroups({ groups, sums }: UsageState) {
  return Array.from({ length: groups.count() }, (_, group) => ({
    values: groups.valuesOf(group),
    usage: sumsAt(sums, group * SLOTS),
  }));
}

export function addUsage(left: UsageSums, right: UsageSums): UsageSums {
  const rest = left.costRest + right.costRest;
  const carried = Math.floor(rest / DOLLAR);
  return {
    calls: left.calls + right.calls,
    failures: left.failures + right.failures,
    totalTokens: left.totalTokens + right.totalTokens,
    costDollars: left.costDollars + right.costDollars + carried,
    costRest: rest - carried * DOLLAR,
    oldestMs: Math.min(left.oldestMs, right.oldestMs),
    newestMs: Math.max(left.newestMs, right.newestMs),
    unpricedCalls: left.unpricedCalls + right.unpricedCalls,
  };
}

function addRows(
  sums: Float64Array,
  groupOf: Uint32Array,
  flags: Float64Array,
  tokens: Float64Array,
  costs: Float64Array,
  times: Float64Array,
  count: number,
): void {
  for (let index = 0; index < count; index++) {
    const at = (groupOf[index] ?? 0) * SLOTS;
    const time = times[index] ?? 0;
    sums[at + SLOT.calls] = (sums[at + SLOT.calls] ?? 0) + 1;
    sums[at + SLOT.failures] = (sums[at + SLOT.failures] ?? 0) + ((flags[index] ?? 0) & FactFlag.failed);
    sums[at + SLOT.totalTokens] = (sums[at + SLOT.totalTokens] ?? 0) + (tokens[index] ?? 0);
    addCost(sums, at + SLOT.costDollars, costs[index] ?? 0);
    if (time < (sums[at + SLOT.oldestMs] ?? 0)) sums[at + SLOT.oldestMs] = time;
    if (time > (sums[at + SLOT.newestMs] ?? 0)) sums[at + SLOT.newestMs] = time;
  }
}

function addUnpriced(sums: Float64Array, groupOf: Uint32Array, { at, count }: RowList): void {
  for (let index = 0; index < count; index++) {
    const place = (groupOf[at[index] ?? 0] ?? 0) * SLOTS + SLOT.unpricedCalls;
    sums[place] = (sums[place] ?? 0) + 1;
  }
}

function sumsAt(sums: Float64Array, at: number): UsageSums {
  const value = (slot: number) => sums[at + slot] ?? 0;
  return {
    calls: value(SLOT.calls),
    failures: value(SLOT.failures),
    totalTokens: value(SLOT.totalTokens),
    costDollars: value(SLOT.costDollars),
    costRest: value(SLOT.costRest),
    oldestMs: value(SLOT.oldestMs),
    newestMs: value(SLOT.newestMs),
    unpricedCalls: value(SLOT.unpricedCalls),
  };
}

/** Resizes for this many groups; new ones have no event. */
function withGroups(sums: Float64Array, count: number): Float64Array {
  const wide = new Float64Array(count * SLOTS);
  for (let at = 0; at < wide.length; at += SLOTS) {
    wide[at + SLOT.oldestMs] = Number.POSITIVE_INFINITY;
    wide[at + SLOT.newestMs] = Number.NEGATIVE_INFINITY;
  }
  wide.set(sums);
  return wide;
}
