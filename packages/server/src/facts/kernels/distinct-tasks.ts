import type { FactChunk } from '../chunk.ts';
import { FactFlag } from '../columns.ts';
import type { SelectedRows } from '../rows.ts';
import type { EarlierRows, Section } from '../sections.ts';
import type { Workspace } from '../workspace.ts';

/**
 * Number of distinct task keys. A key contains the text of the event's time, so events that share one happened at the same
 * instant: only the keys of one chunk are held at a time, and those of earlier chunks are looked up where their times meet.
 * What is kept of any number of events are two counts.
 */
export interface TaskCounts {
  tasks: number;
  /** With at least one failed event. */
  failedTasks: number;
}

/** The keys of one chunk: an open-addressed table of entries in the order they were met. */
interface Keys {
  /** Entry + 1; 0 = free. A power of two long, or longer. */
  readonly slots: Uint32Array;
  readonly mask: number;
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly marks: Uint32Array;
  count: number;
}

const Mark = { failedNow: 1, knownBefore: 2, failedBefore: 4 } as const;
const SMALLEST_TABLE = 64;

export function distinctTasksSection(): Section<TaskCounts> {
  return {
    key: 'distinct tasks',
    columns: ['timestamp_ms', 'flags', 'task_key_high', 'task_key_low'],
    create: () => ({ tasks: 0, failedTasks: 0 }),
    add(state, rows, earlier) {
      const keys = collectKeys(rows);
      lookUpEarlier(keys, rows, earlier);
      count(state, keys);
    },
    clone: (state) => ({ ...state }),
    bytes: () => 64,
  };
}

function count(state: TaskCounts, { marks, count: entries }: Keys): void {
  for (let entry = 0; entry < entries; entry++) {
    const mark = marks[entry] ?? 0;
    if ((mark & Mark.knownBefore) === 0) state.tasks++;
    if ((mark & (Mark.failedNow | Mark.failedBefore)) === Mark.failedNow) state.failedTasks++;
  }
}

function collectKeys(rows: SelectedRows): Keys {
  const keys = emptyKeys(rows.workspace, rows.count);
  addKeys(keys, rows.numbers('task_key_high'), rows.numbers('task_key_low'), rows.numbers('flags'), rows.count);
  return keys;
}

function emptyKeys(workspace: Workspace, rowCount: number): Keys {
  let size = SMALLEST_TABLE;
  while (size < rowCount * 2) size *= 2;
  const slots = workspace.words('task slots', size);
  slots.fill(0, 0, size);
  return {
    slots,
    mask: size - 1,
    high: workspace.words('task keys high', rowCount),
    low: workspace.words('task keys low', rowCount),
    marks: workspace.words('task marks', rowCount),
    count: 0,
  };
}

function addKeys(keys: Keys, highs: Float64Array, lows: Float64Array, flags: Float64Array, rowCount: number): void {
  const { slots, mask, high, low, marks } = keys;
  let entries = 0;
  for (let index = 0; index < rowCount; index++) {
    const keyHigh = highs[index] ?? 0;
    const keyLow = lows[index] ?? 0;
    const failed = (flags[index] ?? 0) & FactFlag.failed;
    let slot = keyLow & mask;
    let entry = slots[slot] ?? 0;
    while (entry !== 0 && (low[entry - 1] !== keyLow || high[entry - 1] !== keyHigh)) {
      slot = (slot + 1) & mask;
      entry = slots[slot] ?? 0;
    }
    if (entry === 0) {
      high[entries] = keyHigh;
      low[entries] = keyLow;
      marks[entries] = failed === 0 ? 0 : Mark.failedNow;
      entries++;
      slots[slot] = entries;
    } else if (failed !== 0) {
      marks[entry - 1] = (marks[entry - 1] ?? 0) | Mark.failedNow;
    }
  }
  keys.count = entries;
}

function lookUpEarlier(keys: Keys, rows: SelectedRows, earlier: EarlierRows): void {
  if (earlier.chunks.length === 0) return;
  const times = rows.numbers('timestamp_ms');
  const { fromMs, toMs } = rangeOf(rows, times);
  for (const chunk of earlier.chunks) {
    if (chunk.maxTimestampMs < fromMs || chunk.minTimestampMs > toMs) continue;
    // One event of another age makes the range wide; it need not have met any other.
    if (!anyWithin(times, rows.count, chunk)) continue;
    const others = earlier.rowsOf(chunk);
    markKnown(
      keys,
      others.numbers('timestamp_ms'),
      fromMs,
      toMs,
      others.numbers('task_key_high'),
      others.numbers('task_key_low'),
      others.numbers('flags'),
      others.count,
    );
  }
}

function rangeOf({ chunk, selection, count }: SelectedRows, times: Float64Array) {
  if (selection.rows === null) return { fromMs: chunk.minTimestampMs, toMs: chunk.maxTimestampMs };
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < count; index++) {
    const time = times[index] ?? 0;
    if (time < fromMs) fromMs = time;
    if (time > toMs) toMs = time;
  }
  return { fromMs, toMs };
}

function anyWithin(times: Float64Array, count: number, { minTimestampMs, maxTimestampMs }: FactChunk): boolean {
  for (let index = 0; index < count; index++) {
    const time = times[index] ?? 0;
    if (time >= minTimestampMs && time <= maxTimestampMs) return true;
  }
  return false;
}

function markKnown(
  keys: Keys,
  times: Float64Array,
  fromMs: number,
  toMs: number,
  highs: Float64Array,
  lows: Float64Array,
  flags: Float64Array,
  rowCount: number,
): void {
  const { slots, mask, high, low, marks } = keys;
  for (let index = 0; index < rowCount; index++) {
    const time = times[index] ?? 0;
    if (time < fromMs || time > toMs) continue;
    const keyHigh = highs[index] ?? 0;
    const keyLow = lows[index] ?? 0;
    let slot = keyLow & mask;
    let entry = slots[slot] ?? 0;
    while (entry !== 0 && (low[entry - 1] !== keyLow || high[entry - 1] !== keyHigh)) {
      slot = (slot + 1) & mask;
      entry = slots[slot] ?? 0;
    }
    if (entry === 0) continue;
    const failed = ((flags[index] ?? 0) & FactFlag.failed) !== 0;
    marks[entry - 1] = (marks[entry - 1] ?? 0) | Mark.knownBefore | (failed ? Mark.failedBefore : 0);
  }
}
