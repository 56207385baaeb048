import { release } from '../decode/release.ts';
import { rankFromLargest, selectLargest } from '../kernels/select-largest.ts';
import type { SelectedRows } from '../rows.ts';

/**
 * The largest latencies and times to first token of every stretch of time: enough for the 95th percentile of the stretch, and
 * all above a limit for the whole segment, which is mostly enough for any set of stretches. In each row one value; the first
 * row of a stretch also has how many others were left out, and the largest of them.
 */
export interface SlowestRows {
  readonly times: number[];
  /** 0 = latency, 1 = time to first token. */
  readonly metric: number[];
  /** Ascending within a stretch, ms. */
  readonly value: number[];
  readonly dropped: number[];
  readonly floor: number[];
}

/** Of the rows, numbered in order of appearance, and the start of each. */
interface Stretches {
  readonly codes: Uint32Array;
  readonly startsMs: readonly number[];
}

export const SLOWEST_METRICS = ['latency_ms', 'ttft_ms'] as const;

/** Share of all values above the limit. A percentile of a set of stretches is known unless it is below. */
const KEPT_SHARE = 0.15;

export function slowestRows(rows: SelectedRows, stretches: Stretches): SlowestRows {
  const made: SlowestRows = { times: [], metric: [], value: [], dropped: [], floor: [] };
  for (const [metric, column] of SLOWEST_METRICS.entries()) {
    const { values, ends } = byStretch(rows, rows.numbers(column), stretches);
    const limit = limitOf(values);
    let start = 0;
    for (const [code, end] of ends.entries()) {
      addStretch(made, stretches.startsMs[code] ?? 0, metric, values.subarray(start, end).sort(), limit);
      start = end;
    }
  }
  return made;
}

/** The values of one stretch after those of the other, and where each ends. */
function byStretch(
  { count, workspace }: SelectedRows,
  stored: Float64Array,
  { codes, startsMs }: Stretches,
): { readonly values: Float64Array; readonly ends: Uint32Array } {
  const counts = new Uint32Array(startsMs.length);
  // Values are stored plus 1; unknown and 0 do not count.
  for (let index = 0; index < count; index++) {
    const code = codes[index] ?? 0;
    if ((stored[index] ?? 0) > 1) counts[code] = (counts[code] ?? 0) + 1;
  }
  // First the start of each stretch, which moves to its end.
  const ends = new Uint32Array(counts.length);
  let total = 0;
  for (let code = 0; code < counts.length; code++) {
    ends[code] = total;
    total += counts[code] ?? 0;
  }
  const values = workspace.doubles('slowest', count);
  for (let index = 0; index < count; index++) {
    const value = (stored[index] ?? 0) - 1;
    if (value <= 0) continue;
    const code = codes[index] ?? 0;
    const at = ends[code] ?? 0;
    values[at] = value;
    ends[code] = at + 1;
  }
  return { values: values.subarray(0, total), ends };
}

/** @param values ascending */
function addStretch(made: SlowestRows, startMs: number, metric: number, values: Float64Array, limit: number): void {
  if (values.length === 0) return;
  const above = values.length - values.findLastIndex((value) => value <= limit) - 1;
  const dropped = values.length - Math.max(above, rankFromLargest(values.length));
  for (let index = dropped; index < values.length; index++) {
    const isFirst = index === dropped;
    made.times.push(startMs);
    made.metric.push(metric);
    made.value.push(values[index] ?? 0);
    made.dropped.push(isFirst ? dropped : 0);
    made.floor.push(isFirst ? (values[dropped - 1] ?? 0) : 0);
  }
}

function limitOf(values: Float64Array): number {
  const kept = Math.ceil(values.length * KEPT_SHARE);
  if (kept === 0) return 0;
  const moved = values.slice();
  selectLargest(moved, moved.length, kept);
  const limit = moved[kept - 1] ?? 0;
  release(moved);
  return limit;
}
