import type { SelectedRows } from '../rows.ts';
import type { Section } from '../section.ts';
import { SLOWEST_COLUMNS } from '../sums/groupings.ts';
import type { SumRows } from '../sums/rows.ts';
import type { Dimension } from './dimensions.ts';
import { areWhole } from './from-sums.ts';
import { rankFromLargest, selectLargest } from './select-largest.ts';

/**
 * 95th percentiles by nearest rank: of n values above 0 the one at position ceil(0.95·n), counted from the smallest.
 * Only the largest twentieth matters, so a state keeps the largest tenth and the count of all values, whatever follows.
 */

/** Largest values of one group. */
interface Largest {
  /** Only the first `held` count; may be shared with clones, which reorder it but never write after it. */
  values: Float64Array;
  held: number;
  /** Count of all values, including dropped ones. */
  count: number;
  /** No dropped value is above it. */
  floor: number;
  /** Number of the last chunk that added a value. */
  lastChunk: number;
  /** The percentile until a value is added; undefined = not computed yet. */
  percentile: number | null | undefined;
}

type Metric = 'latency_ms' | 'ttft_ms';
const METRICS: readonly Metric[] = ['latency_ms', 'ttft_ms'];

export interface PercentilesState {
  readonly groupOf: Map<number, number>;
  /** The value of each group. */
  readonly groups: number[];
  readonly metrics: Readonly<Record<Metric, Largest[]>>;
  /** False in a second attempt: the first one dropped too much. */
  readonly drops: boolean;
  chunks: number;
  /** Number of values in all groups at which the next cleanup is due. */
  sweepAt: number;
}

export interface Percentiles {
  /** ms; null without values above 0. */
  readonly latencyMs: number | null;
  readonly ttftMs: number | null;
}

/** Kept beyond the group's own need, so that smaller values may follow. */
const SPARE = 512;
const FIRST_CAPACITY = 64;
const SWEEP_VALUES = 1 << 19;
/** A growing group drops values only from this size on. */
const GROWING_VALUES = 1 << 18;
const GROUP_BYTES = 200;

export function percentilesSection(dimension: Dimension): Section<PercentilesState> {
  return {
    key: `percentiles:${dimension.key}`,
    columns: [...METRICS, ...dimension.columns],
    create: (keepAll = false) => emptyState(!keepAll),
    add: (state, rows) => addRows(state, rows, dimension),
    sums: {
      grouping: 'slowest',
      add(state, rows) {
        if (rows.count === 0) return true;
        if (!areWhole([dimension], rows)) return false;
        addSlowest(state, rows, dimension);
        return true;
      },
    },
    exchange: { pack, merge },
    clone: ({ groupOf, groups, metrics, chunks, sweepAt, drops }) => ({
      groupOf: new Map(groupOf),
      groups: [...groups],
      metrics: { latency_ms: metrics.latency_ms.map(share), ttft_ms: metrics.ttft_ms.map(share) },
      chunks,
      sweepAt,
      drops,
    }),
    bytes: ({ groups, metrics }) =>
      METRICS.reduce((sum, metric) => sum + heldBy(metrics[metric]) * 8, groups.length * GROUP_BYTES),
    compact: ({ metrics }) => {
      for (const metric of METRICS) {
        for (const largest of metrics[metric]) {
          drop(largest);
          // Most groups of a cached part get no more values, so later queries find theirs computed.
          percentileOf(largest);
        }
      }
    },
    complete: ({ metrics }) => METRICS.every((metric) => metrics[metric].every(isKnown)),
  };
}

/** Percentiles of each group of a finished state. */
export function percentilesByGroup(state: PercentilesState): ReadonlyMap<number, Percentiles> {
  const { groups, metrics } = state;
  return new Map(
    groups.map((value, group) => [
      value,
      { latencyMs: percentileOf(metrics.latency_ms[group]), ttftMs: percentileOf(metrics.ttft_ms[group]) },
    ]),
  );
}

function emptyState(drops: boolean): PercentilesState {
  return {
    groupOf: new Map(),
    groups: [],
    metrics: { latency_ms: [], ttft_ms: [] },
    drops,
    chunks: 0,
    sweepAt: SWEEP_VALUES,
  };
}

function addRows(state: PercentilesState, rows: SelectedRows, dimension: Dimension): void {
  state.chunks++;
  const part = dimension.codes(rows);
  const { count, codes } = part;
  const groups = Array.from({ length: count }, (_, code) => groupAt(state, part.valueOf(code)[0] ?? 0));
  for (const metric of METRICS) {
    const { sorted, starts } = byCode(rows.numbers(metric), codes, count, rows);
    for (let code = 0; code < count; code++) {
      append(state, state.metrics[metric][groups[code] ?? 0], sorted, starts[code] ?? 0, starts[code + 1] ?? 0);
    }
  }
  if (state.drops) sweep(state);
}

/** Rows of one group and metric are mostly adjacent. */
function addSlowest(state: PercentilesState, rows: SumRows, dimension: Dimension): void {
  state.chunks++;
  const part = dimension.codes(rows);
  const { codes } = part;
  const groups = Array.from({ length: part.count }, (_, code) => groupAt(state, part.valueOf(code)[0] ?? 0));
  const [metrics, values, dropped, floors] = SLOWEST_COLUMNS.map((name) => rows.sums(name));
  for (let from = 0; from < rows.count; ) {
    const code = codes[from] ?? 0;
    const metric = metrics?.[from] ?? 0;
    const largest = state.metrics[METRICS[metric] ?? 'latency_ms'][groups[code] ?? 0];
    let to = from;
    for (; to < rows.count && codes[to] === code && metrics?.[to] === metric; to++) {
      if (largest === undefined || dropped?.[to] === 0) continue;
      largest.count += dropped?.[to] ?? 0;
      largest.floor = Math.max(largest.floor, floors?.[to] ?? 0);
    }
    append(state, largest, values ?? new Float64Array(0), from, to);
    from = to;
  }
  if (state.drops) sweep(state);
}

interface PackedPercentiles {
  readonly groups: readonly number[];
  readonly metrics: Readonly<Record<Metric, readonly Pick<Largest, 'values' | 'count' | 'floor'>[]>>;
}

function pack({ groups, metrics }: PercentilesState): PackedPercentiles {
  const packed = ({ values, held, count, floor }: Largest) => ({ values: values.slice(0, held), count, floor });
  return {
    groups,
    metrics: { latency_ms: metrics.latency_ms.map(packed), ttft_ms: metrics.ttft_ms.map(packed) },
  };
}

function merge(state: PercentilesState, packed: PackedPercentiles): void {
  state.chunks++;
  for (const [place, value] of packed.groups.entries()) {
    const group = groupAt(state, value);
    for (const metric of METRICS) {
      const [largest, other] = [state.metrics[metric][group], packed.metrics[metric][place]];
      if (largest === undefined || other === undefined) continue;
      append(state, largest, other.values, 0, other.values.length);
      largest.count += other.count - other.values.length;
      largest.floor = Math.max(largest.floor, other.floor);
    }
  }
  if (state.drops) sweep(state);
}

function groupAt(state: PercentilesState, value: number): number {
  const known = state.groupOf.get(value);
  if (known !== undefined) return known;
  const group = state.groups.length;
  state.groupOf.set(value, group);
  state.groups.push(value);
  for (const metric of METRICS) {
    state.metrics[metric].push({
      values: new Float64Array(0),
      held: 0,
      count: 0,
      floor: 0,
      lastChunk: 0,
      percentile: undefined,
    });
  }
  return group;
}

/**
 * The values of each code, adjacent: those of code c start at `starts[c]`. Values are stored plus 1; unknown and 0 do
 * not count.
 */
function byCode(stored: Float64Array, codes: Uint32Array, codeCount: number, rows: SelectedRows) {
  const sorted = rows.workspace.doubles('percentile values', rows.chunk.rowCount);
  const starts = new Uint32Array(codeCount + 1);
  const next = new Uint32Array(codeCount);
  for (let index = 0; index < rows.count; index++) {
    if ((stored[index] ?? 0) > 1) {
      const code = codes[index] ?? 0;
      next[code] = (next[code] ?? 0) + 1;
    }
  }
  let start = 0;
  for (let code = 0; code < codeCount; code++) {
    starts[code] = start;
    const count = next[code] ?? 0;
    next[code] = start;
    start += count;
  }
  starts[codeCount] = start;
  for (let index = 0; index < rows.count; index++) {
    const value = (stored[index] ?? 0) - 1;
    if (value > 0) {
      const code = codes[index] ?? 0;
      const at = next[code] ?? 0;
      sorted[at] = value;
      next[code] = at + 1;
    }
  }
  return { sorted, starts };
}

function append(
  state: PercentilesState,
  largest: Largest | undefined,
  source: Float64Array,
  from: number,
  to: number,
): void {
  if (largest === undefined || from === to) return;
  largest.count += to - from;
  largest.lastChunk = state.chunks;
  largest.percentile = undefined;
  const held = largest.held + to - from;
  if (held > largest.values.length) {
    const wide = new Float64Array(Math.max(held, largest.values.length * 2, FIRST_CAPACITY));
    wide.set(largest.values.subarray(0, largest.held));
    largest.values = wide;
  }
  largest.values.set(source.subarray(from, to), largest.held);
  largest.held = held;
}

/**
 * Bounds the memory of a long scan. Groups are mostly stretches of time, so one that got no value lately is probably complete.
 */
function sweep(state: PercentilesState): void {
  const held = () => METRICS.reduce((sum, metric) => sum + heldBy(state.metrics[metric]), 0);
  if (held() < state.sweepAt) return;
  for (const metric of METRICS) {
    for (const largest of state.metrics[metric]) {
      if (largest.lastChunk < state.chunks || largest.held > GROWING_VALUES) drop(largest);
    }
  }
  state.sweepAt = Math.max(SWEEP_VALUES, held() * 2);
}

/** Drops all but the largest tenth. */
function drop(largest: Largest): void {
  const keep = rankFromLargest(largest.count) + Math.max(SPARE, Math.ceil(largest.count / 20));
  let { held } = largest;
  if (held > keep) {
    selectLargest(largest.values, held, keep);
    largest.floor = Math.max(largest.floor, largest.values[keep - 1] ?? 0);
    held = keep;
  }
  if (held === largest.values.length) return;
  largest.values = largest.values.slice(0, held);
  largest.held = held;
}

/** Whether the percentile is among the kept values. */
function isKnown(largest: Largest): boolean {
  const { count, held, floor } = largest;
  return held === count || (rankFromLargest(count) <= held && (percentileOf(largest) ?? 0) >= floor);
}

function percentileOf(largest: Largest | undefined): number | null {
  if (largest === undefined) return null;
  if (largest.percentile === undefined) largest.percentile = findPercentile(largest);
  return largest.percentile;
}

/** If too much was dropped it is the smallest kept value: the caller checks. */
function findPercentile({ values, held, count }: Largest): number | null {
  if (held === 0) return null;
  const rank = Math.min(rankFromLargest(count), held);
  selectLargest(values, held, rank);
  return values[rank - 1] ?? null;
}

function heldBy(all: readonly Largest[]): number {
  let held = 0;
  for (const largest of all) held += largest.held;
  return held;
}

/** The copy has no free space, so it is copied before it grows. */
function share(largest: Largest): Largest {
  return { ...largest, values: largest.values.subarray(0, largest.held) };
}
