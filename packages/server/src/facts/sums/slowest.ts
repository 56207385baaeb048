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

export const SLOWEST_METRICS = ['latency_ms', 'ttft_ms'] as const;

/** Share of all values above the limit. A percentile of a set of stretches is known unless it is below. */
const KEPT_SHARE = 0.15;

/** @param stretches of the rows, numbered in order of appearance, and the start of each */
export function slowestRows(
  rows: SelectedRows,
  stretches: { readonly codes: Uint32Array; readonly startsMs: readonly number[] },
): SlowestRows {
  const made: SlowestRows = { times: [], metric: [], value: [], dropped: [], floor: [] };
  for (const [metric, column] of SLOWEST_METRICS.entries()) {
    const byStretch = stretches.startsMs.map((): number[] => []);
    const stored = rows.numbers(column);
    // Values are stored plus 1; unknown and 0 do not count.
    for (let index = 0; index < rows.count; index++) {
      const value = (stored[index] ?? 0) - 1;
      if (value > 0) byStretch[stretches.codes[index] ?? 0]?.push(value);
    }
    const limit = limitOf(byStretch);
    for (const [code, values] of byStretch.entries()) {
      values.sort((left, right) => left - right);
      addStretch(made, stretches.startsMs[code] ?? 0, metric, values, limit);
    }
  }
  return made;
}

/** @param values ascending */
function addStretch(
  made: SlowestRows,
  startMs: number,
  metric: number,
  values: readonly number[],
  limit: number,
): void {
  if (values.length === 0) return;
  const above = values.length - values.findLastIndex((value) => value <= limit) - 1;
  const dropped = values.length - Math.max(above, rankFromLargest(values.length));
  for (const [index, value] of values.slice(dropped).entries()) {
    made.times.push(startMs);
    made.metric.push(metric);
    made.value.push(value);
    made.dropped.push(index === 0 ? dropped : 0);
    made.floor.push(index === 0 ? (values[dropped - 1] ?? 0) : 0);
  }
}

function limitOf(byStretch: readonly (readonly number[])[]): number {
  const all = Float64Array.from(byStretch.flat());
  const kept = Math.ceil(all.length * KEPT_SHARE);
  if (kept === 0) return 0;
  selectLargest(all, all.length, kept);
  return all[kept - 1] ?? 0;
}
