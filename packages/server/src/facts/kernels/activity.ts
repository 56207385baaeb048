import type { FactColumn } from '../columns.ts';
import type { SelectedRows } from '../rows.ts';
import type { Section } from '../section.ts';
import type { SumRows } from '../sums/rows.ts';
import type { Pricer } from './cost.ts';
import type { Dimension } from './dimensions.ts';
import { addCost, carryDollars, DOLLAR, type SumCosts } from './exact-cost.ts';
import { exchangeGroups, growSums } from './exchanged-groups.ts';
import { fromSums } from './from-sums.ts';
import { createGroupIndex, type GroupIndex } from './group-index.ts';
import { failedOf, type RowList, unpricedOf } from './measures.ts';
import { addCosts, addTo, unpricedSums } from './summed-groups.ts';

/** Positions of the sums of one group. */
export const ACTIVITY = { calls: 0, failures: 1, tokens: 2, costDollars: 3, costRest: 4, unpriced: 5 } as const;
export const ACTIVITY_SLOTS = 6;

const COLUMNS: readonly FactColumn[] = ['flags', 'total_tokens'];

export interface ActivityState {
  readonly groups: GroupIndex;
  sums: Float64Array;
}

/** Requests, failures, tokens, cost and unpriced requests of every group. */
export function activitySection(dimensions: readonly Dimension[], pricer: Pricer): Section<ActivityState> {
  function groupsOf(state: ActivityState, rows: SelectedRows): Uint32Array {
    const groupOf = state.groups.groupsOf(rows, dimensions);
    // Replaces the sums: they are read afterwards.
    growSums(state, ACTIVITY_SLOTS);
    return groupOf;
  }

  return {
    key: `activity:${pricer.revision}:${dimensions.map(({ key }) => key).join('|')}`,
    columns: [...COLUMNS, ...pricer.columns, ...dimensions.flatMap(({ columns }) => columns)],
    create: () => ({ groups: createGroupIndex(dimensions.length), sums: new Float64Array(ACTIVITY_SLOTS * 16) }),
    add(state, rows) {
      const groupOf = groupsOf(state, rows);
      addRows(state.sums, groupOf, rows, pricer);
    },
    sums: fromSums(dimensions, pricer, (state, rows, costs) => {
      const groupOf = groupsOf(state, rows);
      addSums(state.sums, groupOf, rows, pricer, costs);
    }),
    exchange: exchangeGroups({ slots: ACTIVITY_SLOTS, addGroup: addActivity }),
    clone: ({ groups, sums }) => ({ groups: groups.clone(), sums: sums.slice() }),
    bytes: ({ groups, sums }) => groups.bytes() + sums.byteLength,
  };
}

/** Adds the sums at `from` of one array to those at `to` of another. */
export function addActivity(into: Float64Array, to: number, sums: Float64Array, from: number): void {
  for (let slot = 0; slot < ACTIVITY_SLOTS; slot++) {
    into[to + slot] = (into[to + slot] ?? 0) + (sums[from + slot] ?? 0);
  }
  carryDollars(into, to + ACTIVITY.costDollars);
}

/** Sums of one group. */
export interface Activity {
  readonly calls: number;
  readonly failures: number;
  readonly tokens: number;
  /** USD. */
  readonly cost: number;
  /** Unpriced events. */
  readonly unpricedCalls: number;
}

/** @param at position of the first sum of a group */
export function activityAt(sums: Float64Array, at: number): Activity {
  return {
    calls: sums[at + ACTIVITY.calls] ?? 0,
    failures: sums[at + ACTIVITY.failures] ?? 0,
    tokens: sums[at + ACTIVITY.tokens] ?? 0,
    cost: activityCost(sums, at),
    unpricedCalls: sums[at + ACTIVITY.unpriced] ?? 0,
  };
}

/** USD. */
export function activityCost(sums: Float64Array, at: number): number {
  return (sums[at + ACTIVITY.costDollars] ?? 0) + (sums[at + ACTIVITY.costRest] ?? 0) / DOLLAR;
}

function addRows(sums: Float64Array, groupOf: Uint32Array, rows: SelectedRows, pricer: Pricer): void {
  addEvery(sums, groupOf, rows.numbers('total_tokens'), pricer.costs(rows), rows.count);
  countListed(sums, groupOf, failedOf(rows), ACTIVITY.failures);
  countListed(sums, groupOf, unpricedOf(rows, pricer), ACTIVITY.unpriced);
}

function addSums(sums: Float64Array, groupOf: Uint32Array, rows: SumRows, pricer: Pricer, costs: SumCosts): void {
  const counted = [
    [ACTIVITY.calls, rows.sums('calls')],
    [ACTIVITY.failures, rows.sums('failures')],
    [ACTIVITY.tokens, rows.numbers('total_tokens')],
    [ACTIVITY.unpriced, unpricedSums(rows, pricer)],
  ] as const;
  for (const [slot, values] of counted) addTo(sums, ACTIVITY_SLOTS, slot, groupOf, values, rows.count);
  addCosts(sums, ACTIVITY_SLOTS, ACTIVITY.costDollars, groupOf, costs, rows.count);
}

function addEvery(
  sums: Float64Array,
  groupOf: Uint32Array,
  tokens: Float64Array,
  costs: Float64Array,
  count: number,
): void {
  for (let index = 0; index < count; index++) {
    const at = (groupOf[index] ?? 0) * ACTIVITY_SLOTS;
    sums[at] = (sums[at] ?? 0) + 1;
    sums[at + ACTIVITY.tokens] = (sums[at + ACTIVITY.tokens] ?? 0) + (tokens[index] ?? 0);
    addCost(sums, at + ACTIVITY.costDollars, costs[index] ?? 0);
  }
}

function countListed(sums: Float64Array, groupOf: Uint32Array, { at, count }: RowList, slot: number): void {
  for (let index = 0; index < count; index++) {
    const place = (groupOf[at[index] ?? 0] ?? 0) * ACTIVITY_SLOTS + slot;
    sums[place] = (sums[place] ?? 0) + 1;
  }
}
