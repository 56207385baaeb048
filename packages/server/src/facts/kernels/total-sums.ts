import type { SelectedRows } from '../rows.ts';
import type { Pricer } from './cost.ts';
import { addCost, carryDollars } from './exact-cost.ts';
import { type ListedValues, measuresOf, type RowList } from './measures.ts';
import { keepNewest } from './newest.ts';

/** Positions of the sums of one group. Those that every row adds to come first. */
export const SLOT = {
  calls: 0,
  input: 1,
  output: 2,
  cacheRead: 3,
  reasoning: 4,
  latencySum: 5,
  costDollars: 6,
  /** The rest of a dollar, in 10⁻¹⁵ USD. */
  costRest: 7,
  newestMs: 8,
  newestId: 9,
  failures: 10,
  withoutLatency: 11,
  zeroTokenCalls: 12,
  unpricedCalls: 13,
  cached: 14,
  cacheCreation: 15,
  /** Total tokens beyond input and output. */
  unexplained: 16,
} as const;
export const SLOTS = 17;

/** Adds each selected row to the sums of its group. */
export function addRows(sums: Float64Array, groupOf: Uint32Array, rows: SelectedRows, pricer: Pricer): void {
  const measures = measuresOf(rows, pricer);
  addEvery(
    sums,
    groupOf,
    rows.numbers('input_tokens'),
    rows.numbers('output_tokens'),
    rows.numbers('cache_read_tokens'),
    rows.numbers('reasoning_tokens'),
    measures.latencies,
    measures.costs,
    rows.numbers('timestamp_ms'),
    rows.eventIds(),
    rows.count,
  );
  countListed(sums, groupOf, measures.failed, SLOT.failures);
  countListed(sums, groupOf, measures.withoutLatency, SLOT.withoutLatency);
  countListed(sums, groupOf, measures.zeroTokens, SLOT.zeroTokenCalls);
  countListed(sums, groupOf, measures.unpriced, SLOT.unpricedCalls);
  addListed(sums, groupOf, measures.cached, SLOT.cached);
  addListed(sums, groupOf, measures.cacheCreation, SLOT.cacheCreation);
  addListed(sums, groupOf, measures.unexplained, SLOT.unexplained);
}

/** Adds the sums at `from` of one array to those at `at` of another. */
export function addGroup(into: Float64Array, at: number, sums: Float64Array, from: number): void {
  const time = sums[from + SLOT.newestMs] ?? 0;
  const id = sums[from + SLOT.newestId] ?? 0;
  const newestMs = into[at + SLOT.newestMs] ?? 0;
  const newestId = into[at + SLOT.newestId] ?? 0;
  for (let slot = 0; slot < SLOTS; slot++) into[at + slot] = (into[at + slot] ?? 0) + (sums[from + slot] ?? 0);
  const isNewer = newestId === 0 || time > newestMs || (time === newestMs && id > newestId);
  into[at + SLOT.newestMs] = isNewer ? time : newestMs;
  into[at + SLOT.newestId] = isNewer ? id : newestId;
  carryDollars(into, at + SLOT.costDollars);
}

/** From the last row to the first, see `addNewest`. */
function addEvery(
  sums: Float64Array,
  groupOf: Uint32Array,
  input: Float64Array,
  output: Float64Array,
  cacheRead: Float64Array,
  reasoning: Float64Array,
  latencies: Float64Array,
  costs: Float64Array,
  times: Float64Array,
  ids: Float64Array,
  count: number,
): void {
  for (let index = count - 1; index >= 0; index--) {
    const at = (groupOf[index] ?? 0) * SLOTS;
    sums[at + SLOT.calls] = (sums[at + SLOT.calls] ?? 0) + 1;
    sums[at + SLOT.input] = (sums[at + SLOT.input] ?? 0) + (input[index] ?? 0);
    sums[at + SLOT.output] = (sums[at + SLOT.output] ?? 0) + (output[index] ?? 0);
    sums[at + SLOT.cacheRead] = (sums[at + SLOT.cacheRead] ?? 0) + (cacheRead[index] ?? 0);
    sums[at + SLOT.reasoning] = (sums[at + SLOT.reasoning] ?? 0) + (reasoning[index] ?? 0);
    sums[at + SLOT.latencySum] = (sums[at + SLOT.latencySum] ?? 0) + (latencies[index] ?? 0);

    addCost(sums, at + SLOT.costDollars, costs[index] ?? 0);
    keepNewest(sums, at + SLOT.newestMs, times[index] ?? 0, ids, index);
  }
}

function countListed(sums: Float64Array, groupOf: Uint32Array, { at, count }: RowList, slot: number): void {
  for (let index = 0; index < count; index++) {
    const place = (groupOf[at[index] ?? 0] ?? 0) * SLOTS + slot;
    sums[place] = (sums[place] ?? 0) + 1;
  }
}

function addListed(sums: Float64Array, groupOf: Uint32Array, { at, count, values }: ListedValues, slot: number): void {
  for (let index = 0; index < count; index++) {
    const row = at[index] ?? 0;
    const place = (groupOf[row] ?? 0) * SLOTS + slot;
    sums[place] = (sums[place] ?? 0) + (values[row] ?? 0);
  }
}
