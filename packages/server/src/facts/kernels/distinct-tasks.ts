import type { FactChunk } from '../chunk.ts';
import { type FactColumn, FactFlag } from '../columns.ts';
import { gatherCodes } from '../decode/codes.ts';
import type { SelectedRows } from '../rows.ts';
import type { EarlierRows, Section } from '../section.ts';
import type { NumberColumn } from '../segment/integers.ts';
import type { SumRows } from '../sums/rows.ts';
import { overlapOf, tasksBetween } from '../sums/task-edges.ts';
import { type TaskCodes, taskCodesOf } from './task-codes.ts';

/**
 * Number of distinct task keys. A key includes the event's time, so equal keys have the same instant: keys of earlier
 * chunks are looked up only where their times overlap. Only two counts are kept for any number of events.
 */
export interface TaskCounts {
  tasks: number;
  /** With at least one failed event. */
  failedTasks: number;
}

const COMPARED = ['task_key_high', 'task_key_low', 'flags'] as const satisfies readonly FactColumn[];
const SMALLEST_TABLE = 64;

const Mark = { met: 1, failed: 2, metBefore: 4, failedBefore: 8 } as const;

export function distinctTasksSection(): Section<TaskCounts> {
  return {
    key: 'distinct tasks',
    columns: ['timestamp_ms', 'flags', 'task_key_high', 'task_key_low'],
    create: () => ({ tasks: 0, failedTasks: 0 }),
    add(state, rows, earlier) {
      const codes = taskCodesOf(rows.chunk);
      const marks = rows.workspace.words('task marks', codes.count);
      marks.fill(0, 0, codes.count);
      const codeOf = codesOfRows(codes, rows);
      markRows(marks, codeOf, rows.numbers('flags'), rows.count);
      lookUpEarlier(marks, codeOf, rows, earlier);
      count(state, marks, codes.count);
    },
    sums: { grouping: 'tasks', add: addTasks },
    clone: (state) => ({ ...state }),
    bytes: () => 64,
  };
}

function addTasks(
  state: TaskCounts,
  { own, totals }: SumRows,
  segment: FactChunk,
  earlier: readonly FactChunk[],
): boolean {
  /** Tasks with an event in an earlier segment, and whether one failed there. */
  const failedBefore = new Map<string, boolean>();
  const failed = new Map<string, boolean>();
  for (const chunk of earlier) {
    const overlap = overlapOf(segment, chunk);
    if (overlap === null) continue;
    const stored = chunk.sums('tasks');
    const mine = tasksBetween(own, overlap.fromMs, overlap.toMs);
    const theirs = stored === null ? null : tasksBetween(stored, overlap.fromMs, overlap.toMs);
    if (mine === null || theirs === null) return false;
    for (const [key, isFailed] of mine) {
      const other = theirs.get(key);
      if (other === undefined) continue;
      failed.set(key, isFailed);
      failedBefore.set(key, other || failedBefore.get(key) === true);
    }
  }
  state.tasks += (totals.tasks ?? 0) - failedBefore.size;
  state.failedTasks += totals.failedTasks ?? 0;
  for (const [key, wasFailed] of failedBefore) if (wasFailed && failed.get(key) === true) state.failedTasks--;
  return true;
}

function codesOfRows({ codes }: TaskCodes, { chunk, selection, count, workspace }: SelectedRows): Uint32Array {
  if (codes === null && selection.rows !== null) return selection.rows;
  const codeOf = workspace.words('task codes', chunk.rowCount);
  if (codes === null) numberRows(codeOf, count);
  else gatherCodes(codes, selection.rows, count, codeOf);
  return codeOf;
}

function numberRows(into: Uint32Array, count: number): void {
  for (let index = 0; index < count; index++) into[index] = index;
}

function markRows(marks: Uint32Array, codeOf: Uint32Array, flags: Float64Array, count: number): void {
  for (let index = 0; index < count; index++) {
    const code = codeOf[index] ?? 0;
    const failed = (flags[index] ?? 0) & FactFlag.failed;
    marks[code] = (marks[code] ?? 0) | Mark.met | (failed * Mark.failed);
  }
}

function count(state: TaskCounts, marks: Uint32Array, codeCount: number): void {
  let tasks = 0;
  let failedTasks = 0;
  for (let code = 0; code < codeCount; code++) {
    const mark = marks[code] ?? 0;
    // The bits of the marks as 0 or 1: a branch would be unpredictable.
    tasks += mark & Mark.met & ~(mark >>> 2);
    failedTasks += (mark >>> 1) & 1 & ~(mark >>> 3);
  }
  state.tasks += tasks;
  state.failedTasks += failedTasks;
}

function lookUpEarlier(marks: Uint32Array, codeOf: Uint32Array, rows: SelectedRows, earlier: EarlierRows): void {
  if (earlier.chunks.length === 0) return;
  const times = rows.numbers('timestamp_ms');
  const { fromMs, toMs } = rangeOf(rows, times);
  for (const chunk of earlier.chunks) {
    if (chunk.maxTimestampMs < fromMs || chunk.minTimestampMs > toMs) continue;
    // One event with a time far from the others makes a range wide, and most rows need no look-up.
    const near = nearRows(times, rows.count, chunk);
    if (near.length === 0) continue;
    lookUp(marks, codeOf, rows, near, earlier.rowsOf(chunk), fromMs, toMs);
  }
}

function rangeOf({ chunk, selection, count }: SelectedRows, times: Float64Array) {
  if (selection.rows === null) return { fromMs: chunk.minTimestampMs, toMs: chunk.maxTimestampMs };
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < count; index++) {
    fromMs = Math.min(fromMs, times[index] ?? 0);
    toMs = Math.max(toMs, times[index] ?? 0);
  }
  return { fromMs, toMs };
}

/** Positions of the selected rows within the times of a chunk. */
function nearRows(times: Float64Array, count: number, { minTimestampMs, maxTimestampMs }: FactChunk): number[] {
  const near: number[] = [];
  for (let index = 0; index < count; index++) {
    const time = times[index] ?? 0;
    if (time >= minTimestampMs && time <= maxTimestampMs) near.push(index);
  }
  return near;
}

/** Marks the tasks of `near` that an earlier chunk has as well. */
function lookUp(
  marks: Uint32Array,
  codeOf: Uint32Array,
  rows: SelectedRows,
  near: readonly number[],
  others: SelectedRows,
  fromMs: number,
  toMs: number,
): void {
  const keys = collectKeys(rows, near);
  const [high, low, flags] = COMPARED.map((column) => others.chunk.numbers(column));
  const times = others.numbers('timestamp_ms');
  for (let index = 0; index < others.count; index++) {
    const time = times[index] ?? 0;
    if (time < fromMs || time > toMs) continue;
    const row = rowAt(others, index);
    const slot = slotOf(keys, valueAt(high, row), valueAt(low, row));
    const entry = keys.slots[slot] ?? 0;
    if (entry === 0) continue;
    const code = codeOf[near[entry - 1] ?? 0] ?? 0;
    const failed = valueAt(flags, row) & FactFlag.failed;
    marks[code] = (marks[code] ?? 0) | Mark.metBefore | (failed * Mark.failedBefore);
  }
}

/** An open-addressed table of keys. */
interface Keys {
  /** Entry + 1; 0 = free. Its length is a power of two. */
  readonly slots: Uint32Array;
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

function collectKeys(rows: SelectedRows, near: readonly number[]): Keys {
  const [high, low] = COMPARED.map((column) => rows.chunk.numbers(column));
  let size = SMALLEST_TABLE;
  while (size < near.length * 2) size *= 2;
  const keys: Keys = {
    slots: new Uint32Array(size),
    high: new Uint32Array(near.length),
    low: new Uint32Array(near.length),
  };
  for (const [entry, index] of near.entries()) {
    const row = rowAt(rows, index);
    const [keyHigh, keyLow] = [valueAt(high, row), valueAt(low, row)];
    const slot = slotOf(keys, keyHigh, keyLow);
    // Rows of one key have one code: the first one is enough.
    if (keys.slots[slot] !== 0) continue;
    keys.slots[slot] = entry + 1;
    keys.high[entry] = keyHigh;
    keys.low[entry] = keyLow;
  }
  return keys;
}

/** Slot of the key, or a free one. */
function slotOf({ slots, high, low }: Keys, keyHigh: number, keyLow: number): number {
  const mask = slots.length - 1;
  let slot = keyLow & mask;
  let entry = slots[slot] ?? 0;
  while (entry !== 0 && (low[entry - 1] !== keyLow || high[entry - 1] !== keyHigh)) {
    slot = (slot + 1) & mask;
    entry = slots[slot] ?? 0;
  }
  return slot;
}

function rowAt({ selection }: SelectedRows, index: number): number {
  return selection.rows === null ? index : (selection.rows[index] ?? 0);
}

function valueAt(column: NumberColumn | undefined, row: number): number {
  return column === undefined ? 0 : column.base + (column.values?.[row] ?? 0);
}
