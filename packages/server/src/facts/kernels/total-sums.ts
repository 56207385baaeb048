import { isZero } from '../decode/numbers.ts';
import type { SelectedRows } from '../rows.ts';
import type { SumRows } from '../sums/rows.ts';
import type { Pricer } from './cost.ts';
import { addCost, carryDollars, type SumCosts } from './exact-cost.ts';
import { type ListedValues, measuresOf, type RowList } from './measures.ts';
import { addNewest, keepNewest } from './newest.ts';
import { addCosts, addTo, unpricedSums } from './summed-groups.ts';

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

/** Adds stored sums to those of their groups. */
export function addSums(
  sums: Float64Array,
  groupOf: Uint32Array,
  rows: SumRows,
  pricer: Pricer,
  costs: SumCosts,
): void {
  addEverySum(
    sums,
    groupOf,
    rows.sums('calls'),
    rows.numbers('input_tokens'),
    rows.numbers('output_tokens'),
    rows.numbers('cache_read_tokens'),
    rows.numbers('cache_creation_tokens'),
    rows.numbers('reasoning_tokens'),
    rows.numbers('total_tokens'),
    rows.sums('latency_sum_ms'),
    rows.count,
  );
  for (const [slot, column] of RARE) {
    if (!rows.isZero(column)) addTo(sums, SLOTS, slot, groupOf, rows.sums(column), rows.count);
  }
  if (!isZero(rows.chunk.stored('cached_tokens'))) {
    addTo(sums, SLOTS, SLOT.cached, groupOf, rows.numbers('cached_tokens'), rows.count);
  }
  addTo(sums, SLOTS, SLOT.unpricedCalls, groupOf, unpricedSums(rows, pricer), rows.count);
  addCosts(sums, SLOTS, SLOT.costDollars, groupOf, costs, rows.count);
  const ids = rows.sums('newest_event_id');
  addNewest(sums, SLOTS, SLOT.newestMs, groupOf, rows.sums('newest_ms'), ids, rows.count);
}

const RARE = [
  [SLOT.failures, 'failures'],
  [SLOT.withoutLatency, 'calls_without_latency'],
  [SLOT.zeroTokenCalls, 'zero_token_calls'],
] as const;

function addEverySum(
  sums: Float64Array,
  groupOf: Uint32Array,
  calls: Float64Array,
  input: Float64Array,
  output: Float64Array,
  cacheRead: Float64Array,
  cacheCreation: Float64Array,
  reasoning: Float64Array,
  total: Float64Array,
  latency: Float64Array,
  count: number,
): void {
  for (let index = 0; index < count; index++) {
    const at = (groupOf[index] ?? 0) * SLOTS;
    const own = input[index] ?? 0;
    const reply = output[index] ?? 0;
    sums[at + SLOT.calls] = (sums[at + SLOT.calls] ?? 0) + (calls[index] ?? 0);
    sums[at + SLOT.input] = (sums[at + SLOT.input] ?? 0) + own;
    sums[at + SLOT.output] = (sums[at + SLOT.output] ?? 0) + reply;
    sums[at + SLOT.cacheRead] = (sums[at + SLOT.cacheRead] ?? 0) + (cacheRead[index] ?? 0);
    sums[at + SLOT.reasoning] = (sums[at + SLOT.reasoning] ?? 0) + (reasoning[index] ?? 0);
    sums[at + SLOT.latencySum] = (sums[at + SLOT.latencySum] ?? 0) + (latency[index] ?? 0);
    sums[at + SLOT.cacheCreation] = (sums[at + SLOT.cacheCreation] ?? 0) + (cacheCreation[index] ?? 0);
    sums[at + SLOT.unexplained] = (sums[at + SLOT.unexplained] ?? 0) + (total[index] ?? 0) - own - reply;
  }
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
