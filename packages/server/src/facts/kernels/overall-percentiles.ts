import type { SelectedRows } from '../rows.ts';
import type { Section } from '../section.ts';
import { SLOWEST_COLUMNS } from '../sums/groupings.ts';
import type { SumRows } from '../sums/rows.ts';
import type { Percentiles } from './percentiles.ts';
import { rankFromLargest } from './select-largest.ts';

/**
 * 95th percentiles over everything, see `percentiles.ts`: counts per value. There are fewer distinct values than
 * events, and nothing needs to be sorted.
 */
export interface OverallPercentiles {
  readonly latencies: Occurrences;
  readonly ttfts: Occurrences;
}

interface Occurrences {
  /** By stored value, which is the measured one plus 1; the first two entries, unknown and 0, do not count. */
  counts: Uint32Array;
  /** Values beyond the end of `counts`; few. */
  readonly long: Map<number, number>;
  /** Values that stored sums left out; none is above `floor`. */
  dropped: number;
  floor: number;
}

/** Stored values up to a little more than four minutes. */
const LONGEST_LIST = 1 << 18;
const FIRST_LIST = 1 << 10;
const FIRST_VALUE = 2;
const ENTRY_BYTES = 32;

export function overallPercentilesSection(): Section<OverallPercentiles> {
  return {
    key: 'overall percentiles',
    columns: ['latency_ms', 'ttft_ms'],
    create: () => ({ latencies: noOccurrences(), ttfts: noOccurrences() }),
    add({ latencies, ttfts }, rows) {
      addRows(latencies, rows.numbers('latency_ms'), rows);
      addRows(ttfts, rows.numbers('ttft_ms'), rows);
    },
    sums: {
      grouping: 'slowest',
      add({ latencies, ttfts }, rows) {
        if (rows.count > 0) addSlowest([latencies, ttfts], rows);
        return true;
      },
    },
    exchange: {
      pack: (state) => state,
      merge(state, packed: OverallPercentiles) {
        mergeInto(state.latencies, packed.latencies);
        mergeInto(state.ttfts, packed.ttfts);
      },
    },
    complete: ({ latencies, ttfts }) => isKnown(latencies) && isKnown(ttfts),
    clone: ({ latencies, ttfts }) => ({ latencies: copyOf(latencies), ttfts: copyOf(ttfts) }),
    bytes: ({ latencies, ttfts }) => bytesOf(latencies) + bytesOf(ttfts),
  };
}

export function overallPercentiles({ latencies, ttfts }: OverallPercentiles): Percentiles {
  return { latencyMs: percentileOf(latencies), ttftMs: percentileOf(ttfts) };
}

function noOccurrences(): Occurrences {
  return { counts: new Uint32Array(FIRST_LIST), long: new Map(), dropped: 0, floor: 0 };
}

function copyOf(all: Occurrences): Occurrences {
  return { ...all, counts: all.counts.slice(), long: new Map(all.long) };
}

function mergeInto(into: Occurrences, other: Occurrences): void {
  makeRoom(into, other.counts.length - 1);
  for (let value = 0; value < other.counts.length; value++) {
    into.counts[value] = (into.counts[value] ?? 0) + (other.counts[value] ?? 0);
  }
  for (const [value, occurrences] of other.long) into.long.set(value, (into.long.get(value) ?? 0) + occurrences);
  into.dropped += other.dropped;
  into.floor = Math.max(into.floor, other.floor);
}

function bytesOf({ counts, long }: Occurrences): number {
  return counts.byteLength + long.size * ENTRY_BYTES;
}

function addRows(into: Occurrences, stored: Float64Array, { count }: SelectedRows): void {
  makeRoom(into, largestOf(stored, count));
  countValues(into, stored, count);
}

function makeRoom(into: Occurrences, value: number): void {
  const largest = Math.min(value, LONGEST_LIST - 1);
  if (largest < into.counts.length) return;
  let length = into.counts.length;
  while (length <= largest) length *= 2;
  const longer = new Uint32Array(length);
  longer.set(into.counts);
  into.counts = longer;
}

/** @param both by the number of the metric */
function addSlowest(both: readonly Occurrences[], rows: SumRows): void {
  const [metrics, values, dropped, floors] = SLOWEST_COLUMNS.map((name) => rows.sums(name));
  const largest = largestOf(values ?? new Float64Array(0), rows.count);
  for (const into of both) makeRoom(into, largest + 1);
  for (let index = 0; index < rows.count; index++) {
    const into = both[metrics?.[index] ?? 0];
    if (into === undefined) continue;
    const stored = (values?.[index] ?? 0) + 1;
    if (stored < LONGEST_LIST) into.counts[stored] = (into.counts[stored] ?? 0) + 1;
    else into.long.set(stored, (into.long.get(stored) ?? 0) + 1);
    into.dropped += dropped?.[index] ?? 0;
    into.floor = Math.max(into.floor, floors?.[index] ?? 0);
  }
}

function largestOf(values: Float64Array, count: number): number {
  let largest = 0;
  for (let index = 0; index < count; index++) largest = Math.max(largest, values[index] ?? 0);
  return largest;
}

function countValues({ counts, long }: Occurrences, stored: Float64Array, count: number): void {
  for (let index = 0; index < count; index++) {
    const value = stored[index] ?? 0;
    if (value < LONGEST_LIST) counts[value] = (counts[value] ?? 0) + 1;
    else long.set(value, (long.get(value) ?? 0) + 1);
  }
}

function percentileOf(all: Occurrences): number | null {
  const kept = countKept(all);
  return kept === 0 ? null : largestAt(all, rankFromLargest(kept + all.dropped));
}

/** Whether the percentile is among the values that were not left out. */
function isKnown(all: Occurrences): boolean {
  if (all.dropped === 0) return true;
  const kept = countKept(all);
  const rank = rankFromLargest(kept + all.dropped);
  return rank <= kept && largestAt(all, rank) >= all.floor;
}

function countKept({ counts, long }: Occurrences): number {
  let kept = 0;
  for (let value = FIRST_VALUE; value < counts.length; value++) kept += counts[value] ?? 0;
  for (const occurrences of long.values()) kept += occurrences;
  return kept;
}

/** @param rank counted from the largest, from 1 to the number of values */
function largestAt({ counts, long }: Occurrences, rank: number): number {
  let left = rank;
  for (const [value, occurrences] of [...long].sort(([a], [b]) => b - a)) {
    left -= occurrences;
    if (left <= 0) return value - 1;
  }
  let value = counts.length;
  while (left > 0) {
    value--;
    left -= counts[value] ?? 0;
  }
  return value - 1;
}
