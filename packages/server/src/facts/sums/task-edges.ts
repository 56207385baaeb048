import type { FactChunk, SumChunk } from '../chunk.ts';
import { FactFlag } from '../columns.ts';
import type { SelectedRows } from '../rows.ts';
import type { NumberColumn } from '../segment/integers.ts';

/**
 * Segments overlap in time by a few events, and a task with events in two of them counts once. So besides its counts a segment
 * has the task keys of its first and last events in time.
 */
const EDGE_ROWS = 512;

export interface TaskEdges {
  /** Of the kept events. */
  readonly rows: Uint32Array;
  readonly headUntilMs: number;
  readonly tailFromMs: number;
}

export function taskEdges(rows: SelectedRows): TaskEdges {
  const times = rows.numbers('timestamp_ms');
  const sorted = Uint32Array.from({ length: rows.count }, (_, row) => row).sort(
    (left, right) => (times[left] ?? 0) - (times[right] ?? 0) || left - right,
  );
  if (sorted.length <= EDGE_ROWS * 2) {
    return { rows: sorted, headUntilMs: Number.MAX_SAFE_INTEGER, tailFromMs: Number.MIN_SAFE_INTEGER };
  }
  const kept = new Uint32Array(EDGE_ROWS * 2);
  kept.set(sorted.subarray(0, EDGE_ROWS));
  kept.set(sorted.subarray(-EDGE_ROWS), EDGE_ROWS);
  return {
    rows: kept,
    headUntilMs: times[sorted[EDGE_ROWS] ?? 0] ?? 0,
    tailFromMs: times[sorted.at(-EDGE_ROWS - 1) ?? 0] ?? 0,
  };
}

/** The tasks of a stretch of time, and whether one failed, by key. Null when the edges do not reach that far. */
export type TasksBetween = ReadonlyMap<string, boolean>;

export function tasksBetween({ chunk, totals }: SumChunk, fromMs: number, toMs: number): TasksBetween | null {
  const { headUntilMs = Number.MIN_SAFE_INTEGER, tailFromMs = Number.MAX_SAFE_INTEGER } = totals;
  if (toMs >= headUntilMs && fromMs <= tailFromMs) return null;
  const [times, high, low, flags] = (['timestamp_ms', 'task_key_high', 'task_key_low', 'flags'] as const).map((name) =>
    chunk.numbers(name),
  );
  const tasks = new Map<string, boolean>();
  for (let row = 0; row < chunk.rowCount; row++) {
    const time = valueAt(times, row);
    if (time < fromMs || time > toMs) continue;
    const key = `${valueAt(high, row)} ${valueAt(low, row)}`;
    const isFailed = (valueAt(flags, row) & FactFlag.failed) !== 0;
    tasks.set(key, isFailed || tasks.get(key) === true);
  }
  return tasks;
}

/** The stretch of time in which both chunks have events; null when they do not overlap. */
export function overlapOf(
  left: FactChunk,
  right: FactChunk,
): { readonly fromMs: number; readonly toMs: number } | null {
  const fromMs = Math.max(left.minTimestampMs, right.minTimestampMs);
  const toMs = Math.min(left.maxTimestampMs, right.maxTimestampMs);
  return fromMs > toMs ? null : { fromMs, toMs };
}

function valueAt(column: NumberColumn | undefined, row: number): number {
  return column === undefined ? 0 : column.base + (column.values?.[row] ?? 0);
}
