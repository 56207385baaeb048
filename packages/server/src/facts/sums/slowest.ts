import { release } from '../decode/release.ts';
import { rankFromLargest, selectLargest } from '../kernels/select-largest.ts';
import type { SelectedRows } from '../rows.ts';

/**
 * The largest latencies and times to first token of every stretch of time: enough for the 95th percentile of the stretch, and
 * all above a limit for the whole segment, which is mostly enough for any set of stretches. In each row one value; the first
 * row of a stretch also has how many others were left out, and the largest of them.
 */
export interface SlowestRows {
  readonly times: Float64Array;
  /** 0 = latency, 1 = time to first token. */
  readonly metric: Float64Array;
  /** Ascending within a stretch, ms. */
  readonly value: Float64Array;
  readonly dropped: Float64Array;
  readonly floor: Float64Array;
}

/** Of the rows, numbered in order of appearance, and the start of each. */
interface Stretches {
  readonly codes: Uint32Array;
  readonly startsMs: readonly number[];
}

/** The values of one metric. */
interface StretchValues {
  /** Stretch after stretch, ascending in each. */
  readonly values: Float64Array;
  /** Position after the last value of each stretch. */
  readonly ends: Uint32Array;
  /** Number of values of each stretch that are left out. */
  readonly dropped: Uint32Array;
  readonly kept: number;
}

export const SLOWEST_METRICS = ['latency_ms', 'ttft_ms'] as const;

/** Share of all values above the limit. A percentile of a set of stretches is known unless it is below. */
const KEPT_SHARE = 0.15;

/** Null when there would be more than `most` rows. */
export function slowestRows(rows: SelectedRows, stretches: Stretches, most: number): SlowestRows | null {
  const metrics = SLOWEST_METRICS.map((column) => valuesOf(rows, column, stretches));
  const count = metrics.reduce((sum, { kept }) => sum + kept, 0);
  if (count > most) return null;
  const made = {
    times: new Float64Array(count),
    metric: new Float64Array(count),
    value: new Float64Array(count),
    dropped: new Float64Array(count),
    floor: new Float64Array(count),
  };
  let at = 0;
  for (const [metric, { values, ends, dropped }] of metrics.entries()) {
    let start = 0;
    for (let code = 0; code < ends.length; code++) {
      const end = ends[code] ?? 0;
      const first = start + (dropped[code] ?? 0);
      for (let place = first; place < end; place++) {
        made.times[at] = stretches.startsMs[code] ?? 0;
        made.metric[at] = metric;
        made.value[at] = values[place] ?? 0;
        made.dropped[at] = place === first ? first - start : 0;
        made.floor[at] = place === first && first > start ? (values[first - 1] ?? 0) : 0;
        at++;
      }
      start = end;
    }
  }
  return made;
}

function valuesOf(rows: SelectedRows, column: (typeof SLOWEST_METRICS)[number], stretches: Stretches): StretchValues {
  const { values, ends } = byStretch(rows, column, stretches);
  const limit = limitOf(values);
  const dropped = new Uint32Array(ends.length);
  let kept = 0;
  let start = 0;
  for (let code = 0; code < ends.length; code++) {
    const end = ends[code] ?? 0;
    if (end === start) continue;
    values.subarray(start, end).sort();
    let above = 0;
    while (above < end - start && (values[end - 1 - above] ?? 0) > limit) above++;
    const most = Math.max(above, rankFromLargest(end - start));
    dropped[code] = end - start - most;
    kept += most;
    start = end;
  }
  return { values, ends, dropped, kept };
}

/** Values are stored plus 1; unknown and 0 do not count. */
function byStretch(
  { count, numbers, workspace }: SelectedRows,
  column: (typeof SLOWEST_METRICS)[number],
  { codes, startsMs }: Stretches,
): { readonly values: Float64Array; readonly ends: Uint32Array } {
  const stored = numbers(column);
  // First the number of values of each stretch, then its start, which moves to its end.
  const ends = new Uint32Array(startsMs.length);
  for (let index = 0; index < count; index++) {
    const code = codes[index] ?? 0;
    if ((stored[index] ?? 0) > 1) ends[code] = (ends[code] ?? 0) + 1;
  }
  let total = 0;
  for (let code = 0; code < ends.length; code++) {
    const own = ends[code] ?? 0;
    ends[code] = total;
    total += own;
  }
  const values = workspace.doubles(`slowest:${column}`, count);
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

function limitOf(values: Float64Array): number {
  const kept = Math.ceil(values.length * KEPT_SHARE);
  if (kept === 0) return 0;
  const moved = values.slice();
  selectLargest(moved, moved.length, kept);
  const limit = moved[kept - 1] ?? 0;
  release(moved);
  return limit;
}
