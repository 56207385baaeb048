import type { FactColumn } from '../columns.ts';
import type { SelectedRows } from '../rows.ts';
import type { Section } from '../section.ts';
import type { Pricer } from './cost.ts';
import type { Dimension } from './dimensions.ts';
import { DOLLAR } from './exact-cost.ts';
import { exchangeGroups, growSums } from './exchanged-groups.ts';
import { fromSums } from './from-sums.ts';
import { createGroupIndex, type GroupIndex } from './group-index.ts';
import { addGroup, addRows, addSums, SLOT, SLOTS } from './total-sums.ts';

const SUMMED_COLUMNS = [
  'timestamp_ms',
  'flags',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'reasoning_tokens',
  'total_tokens',
  'latency_ms',
] as const satisfies readonly FactColumn[];

export interface TotalsState {
  readonly groups: GroupIndex;
  sums: Float64Array;
}

/** Sums of one group of events. */
export interface Totals {
  readonly calls: number;
  readonly failures: number;
  /** Normalized total input. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheCreationTokens: number;
  readonly reasoningTokens: number;
  readonly totalTokens: number;
  /** Over events with a known latency above 0, ms. */
  readonly latencySumMs: number;
  readonly latencySamples: number;
  /** Exact: whole dollars, and the rest in 10⁻¹⁵ USD. */
  readonly costDollars: number;
  readonly costRest: number;
  /** Time and id of the newest event; 0 without events. */
  readonly newestMs: number;
  readonly newestId: number;
  /** Successes without tokens. */
  readonly zeroTokenCalls: number;
  /** Unpriced events. */
  readonly unpricedCalls: number;
}

export interface GroupTotals {
  /** The value of the group in each dimension: symbol ids, or one number. */
  readonly values: readonly (readonly number[])[];
  readonly totals: Totals;
}

export const NO_TOTALS: Totals = totalsAt(new Float64Array(SLOTS), 0);

/**
 * Sums of every group of up to three dimensions. Without dimensions there is one group, and none if no row is selected.
 *
 * @example scan.add(totalsSection([symbolDimension(['analytics_model'])], pricer))
 */
export function totalsSection(dimensions: readonly Dimension[], pricer: Pricer): Section<TotalsState> {
  function groupsOf(state: TotalsState, rows: SelectedRows): Uint32Array {
    const groupOf = state.groups.groupsOf(rows, dimensions);
    // Replaces the sums: they are read afterwards.
    growSums(state, SLOTS);
    return groupOf;
  }

  return {
    key: `totals:${pricer.revision}:${dimensions.map(({ key }) => key).join('|')}`,
    columns: [...SUMMED_COLUMNS, ...pricer.columns, ...dimensions.flatMap(({ columns }) => columns)],
    create: () => ({ groups: createGroupIndex(dimensions.length), sums: new Float64Array(SLOTS * 16) }),
    add(state, rows) {
      const groupOf = groupsOf(state, rows);
      addRows(state.sums, groupOf, rows, pricer);
    },
    sums: fromSums(dimensions, pricer, (state, rows, costs) => {
      const groupOf = groupsOf(state, rows);
      addSums(state.sums, groupOf, rows, pricer, costs);
    }),
    exchange: exchangeGroups({ slots: SLOTS, addGroup }),
    clone: ({ groups, sums }) => ({ groups: groups.clone(), sums: sums.slice() }),
    bytes: ({ groups, sums }) => groups.bytes() + sums.byteLength,
  };
}

/** The groups of a finished state, in order of appearance. */
export function groupTotals({ groups, sums }: TotalsState): GroupTotals[] {
  return Array.from({ length: groups.count() }, (_, group) => ({
    values: groups.valuesOf(group),
    totals: totalsAt(sums, group),
  }));
}

/** Sums of the rows of a list in columns; the sums of one row are extracted when it is written. */
export interface TotalsTable {
  readonly count: number;
  at(row: number): Totals;
  calls(row: number): number;
  newestMs(row: number): number;
  /** USD. */
  cost(row: number): number;
}

/**
 * Merges the groups into fewer: group i becomes a part of row `rowOf[i]`. Sums are exact, so the result equals a
 * grouping by rows.
 */
export function foldTable({ groups, sums }: TotalsState, rowOf: Uint32Array, rowCount: number): TotalsTable {
  const folded = isItself(rowOf, rowCount) ? sums : foldSums(sums, groups.count(), rowOf, rowCount);
  const dollars = (row: number) => folded[row * SLOTS + SLOT.costDollars] ?? 0;
  return {
    count: rowCount,
    at: (row) => totalsAt(folded, row),
    calls: (row) => folded[row * SLOTS + SLOT.calls] ?? 0,
    newestMs: (row) => folded[row * SLOTS + SLOT.newestMs] ?? 0,
    cost: (row) => dollars(row) + (folded[row * SLOTS + SLOT.costRest] ?? 0) / DOLLAR,
  };
}

/** The rows of `foldTable`, one by one. */
export function foldTotals(state: TotalsState, rowOf: Uint32Array, rowCount: number): Totals[] {
  const table = foldTable(state, rowOf, rowCount);
  return Array.from({ length: rowCount }, (_, row) => table.at(row));
}

/** Whether every group is one row, in the same order. */
function isItself(rowOf: Uint32Array, rowCount: number): boolean {
  if (rowOf.length !== rowCount) return false;
  for (let group = 0; group < rowCount; group++) if (rowOf[group] !== group) return false;
  return true;
}

function foldSums(sums: Float64Array, groupCount: number, rowOf: Uint32Array, rowCount: number): Float64Array {
  const folded = new Float64Array(rowCount * SLOTS);
  for (let group = 0; group < groupCount; group++) addGroup(folded, (rowOf[group] ?? 0) * SLOTS, sums, group * SLOTS);
  return folded;
}

/** Time and id of the newest event of each group. */
export function newestOfTotals({ groups, sums }: TotalsState) {
  const newestMs = new Float64Array(groups.count());
  const newestId = new Float64Array(groups.count());
  for (let group = 0; group < newestMs.length; group++) {
    newestMs[group] = sums[group * SLOTS + SLOT.newestMs] ?? 0;
    newestId[group] = sums[group * SLOTS + SLOT.newestId] ?? 0;
  }
  return { newestMs, newestId };
}

/** Sums over several groups. */
export function addTotals(parts: Iterable<Totals>): Totals {
  const sum = { ...NO_TOTALS } as { -readonly [Name in keyof Totals]: number };
  for (const part of parts) {
    for (const name of SUMMED) sum[name] += part[name];
    if (part.newestId !== 0 && (sum.newestId === 0 || isNewer(part, sum))) {
      sum.newestMs = part.newestMs;
      sum.newestId = part.newestId;
    }
    const dollars = Math.floor(sum.costRest / DOLLAR);
    sum.costDollars += dollars;
    sum.costRest -= dollars * DOLLAR;
  }
  return sum;
}

type Newest = Pick<Totals, 'newestMs' | 'newestId'>;

function isNewer(left: Newest, right: Newest): boolean {
  return left.newestMs > right.newestMs || (left.newestMs === right.newestMs && left.newestId > right.newestId);
}

/** @param cost in 10⁻¹⁵ USD */
export function totalsOfCost(cost: bigint): Pick<Totals, 'costDollars' | 'costRest'> {
  const dollar = BigInt(DOLLAR);
  return { costDollars: Number(cost / dollar), costRest: Number(cost % dollar) };
}

/** USD. */
export function costOfTotals({ costDollars, costRest }: Pick<Totals, 'costDollars' | 'costRest'>): number {
  return costDollars + costRest / DOLLAR;
}

const SUMMED = [
  'calls',
  'failures',
  'inputTokens',
  'outputTokens',
  'cachedTokens',
  'cacheReadTokens',
  'cacheCreationTokens',
  'reasoningTokens',
  'totalTokens',
  'latencySumMs',
  'latencySamples',
  'costDollars',
  'costRest',
  'zeroTokenCalls',
  'unpricedCalls',
] as const satisfies readonly (keyof Totals)[];

function totalsAt(sums: Float64Array, group: number): Totals {
  const at = (slot: number) => sums[group * SLOTS + slot] ?? 0;
  const calls = at(SLOT.calls);
  const [inputTokens, outputTokens] = [at(SLOT.input), at(SLOT.output)];
  return {
    calls,
    failures: at(SLOT.failures),
    inputTokens,
    outputTokens,
    cachedTokens: at(SLOT.cached),
    cacheReadTokens: at(SLOT.cacheRead),
    cacheCreationTokens: at(SLOT.cacheCreation),
    reasoningTokens: at(SLOT.reasoning),
    totalTokens: inputTokens + outputTokens + at(SLOT.unexplained),
    latencySumMs: at(SLOT.latencySum),
    latencySamples: calls - at(SLOT.withoutLatency),
    costDollars: at(SLOT.costDollars),
    costRest: at(SLOT.costRest),
    newestMs: at(SLOT.newestMs),
    newestId: at(SLOT.newestId),
    zeroTokenCalls: at(SLOT.zeroTokenCalls),
    unpricedCalls: at(SLOT.unpricedCalls),
  };
}
