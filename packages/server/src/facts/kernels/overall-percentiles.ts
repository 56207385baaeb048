import type { SelectedRows } from '../rows.ts';
import type { Section } from '../sections.ts';
import { type Percentiles, rankFromLargest } from './percentiles.ts';

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
    clone: ({ latencies, ttfts }) => ({ latencies: copyOf(latencies), ttfts: copyOf(ttfts) }),
    bytes: ({ latencies, ttfts }) => bytesOf(latencies) + bytesOf(ttfts),
  };
}

export function overallPercentiles({ latencies, ttfts }: OverallPercentiles): Percentiles {
  return { latencyMs: percentileOf(latencies), ttftMs: percentileOf(ttfts) };
}

function noOccurrences(): Occurrences {
  return { counts: new Uint32Array(FIRST_LIST), long: new Map() };
}

function copyOf({ counts, long }: Occurrences): Occurrences {
  return { counts: counts.slice(), long: new Map(long) };
}

function bytesOf({ counts, long }: Occurrences): number {
  return counts.byteLength + long.size * ENTRY_BYTES;
}

function addRows(into: Occurrences, stored: Float64Array, { count }: SelectedRows): void {
  const largest = Math.min(largestOf(stored, count), LONGEST_LIST - 1);
  if (largest >= into.counts.length) {
    let length = into.counts.length;
    while (length <= largest) length *= 2;
    const longer = new Uint32Array(length);
    longer.set(into.counts);
    into.counts = longer;
  }
  countValues(into, stored, count);
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

function percentileOf({ counts, long }: Occurrences): number | null {
  let all = 0;
  for (let value = FIRST_VALUE; value < counts.length; value++) all += counts[value] ?? 0;
  for (const occurrences of long.values()) all += occurrences;
  if (all === 0) return null;
  let left = rankFromLargest(all);
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
