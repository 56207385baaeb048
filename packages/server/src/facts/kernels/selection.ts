import type { FactChunk } from '../chunk.ts';
import type { FactColumn } from '../columns.ts';
import { gatherCodes } from '../decode/codes.ts';
import { widen } from '../decode/packed.ts';
import type { Codes } from '../segment/symbol-codes.ts';
import { createWorkspace, type Workspace } from '../workspace.ts';

/** The rows of one chunk that passed so far, ascending; `rows` is null when all did. */
export interface Selection {
  readonly count: number;
  readonly rows: Uint32Array | null;
}

export const NOTHING: Selection = { count: 0, rows: new Uint32Array(0) };

/** A test of rows, compiled once per query. */
export interface Predicate {
  readonly columns: readonly FactColumn[];
  /**
   * The result from the symbols of a chunk, without its rows: no row passes, every row does, or the rows must be tested.
   */
  judge(chunk: FactChunk): Verdict;
  /** @param workspace holds the list of rows afterwards */
  apply(chunk: FactChunk, selection: Selection, workspace: Workspace): Selection;
}

export type Verdict = 'none' | 'all' | 'some';

/** A compiled query: a half open time range and tests that must all pass. */
export interface CompiledQuery {
  readonly fromMs: number;
  readonly toMs: number;
  readonly predicates: readonly Predicate[];
}

/** @param workspace holds the list of rows until the next chunk; a new one by default */
export function selectRows(
  chunk: FactChunk,
  query: CompiledQuery,
  workspace: Workspace = createWorkspace(),
): Selection {
  if (chunk.maxTimestampMs < query.fromMs || chunk.minTimestampMs >= query.toMs) return NOTHING;
  // All at once, before the first one is read.
  chunk.prepare(new Set(query.predicates.flatMap(({ columns }) => columns)));
  const open: Predicate[] = [];
  for (const predicate of query.predicates) {
    const verdict = predicate.judge(chunk);
    if (verdict === 'none') return NOTHING;
    if (verdict === 'some') open.push(predicate);
  }
  let selection = selectTimes(chunk, query, workspace);
  for (const predicate of open) {
    if (selection.count === 0) return NOTHING;
    selection = predicate.apply(chunk, selection, workspace);
  }
  return selection;
}

/**
 * Visits the selected rows of every chunk, newest chunk first. `checkStopped` runs before each chunk and throws when nobody
 * waits for the answer any more.
 */
export function scan(
  chunks: readonly FactChunk[],
  query: CompiledQuery,
  checkStopped: () => void,
  visit: (chunk: FactChunk, selection: Selection) => void,
): void {
  for (const chunk of chunks.toReversed()) {
    checkStopped();
    const selection = selectRows(chunk, query);
    if (selection.count > 0) visit(chunk, selection);
  }
}

function selectTimes(chunk: FactChunk, query: CompiledQuery, workspace: Workspace): Selection {
  const { rowCount } = chunk;
  if (chunk.minTimestampMs >= query.fromMs && chunk.maxTimestampMs < query.toMs) return { count: rowCount, rows: null };
  const times = workspace.doubles('tested numbers', rowCount);
  widen(chunk.stored('timestamp_ms').column, rowCount, times);
  const rows = rowsIn(workspace, rowCount);
  return listOf(rows, listBetween(times, query.fromMs, query.toMs, rowCount, rows));
}

/** Keeps the rows whose value is at least `least`; not for columns that are stored as a difference. */
export function refineByNumber(
  chunk: FactChunk,
  selection: Selection,
  column: FactColumn,
  least: number,
  workspace: Workspace,
): Selection {
  const values = workspace.doubles('tested numbers', chunk.rowCount);
  widen(chunk.stored(column).column, chunk.rowCount, values);
  const rows = selection.rows ?? rowsIn(workspace, chunk.rowCount);
  const count =
    selection.rows === null
      ? listBetween(values, least, Number.POSITIVE_INFINITY, selection.count, rows)
      : keepAtLeast(values, least, selection.count, rows);
  return count === selection.count ? selection : listOf(rows, count);
}

/** Keeps the rows whose entry in `keep` is 1; `keep` has one entry per row. Reuses the selection. */
export function refineByMask(
  selection: Selection,
  keep: Uint8Array,
  workspace: Workspace = createWorkspace(),
): Selection {
  const rows = selection.rows ?? rowsIn(workspace, selection.count);
  const count =
    selection.rows === null ? listMarked(keep, selection.count, rows) : keepMarked(keep, selection.count, rows);
  return count === selection.count ? selection : listOf(rows, count);
}

/** Keeps the rows whose code has a 1 in `keep`. Reuses the selection. */
export function refineByCode(
  chunk: FactChunk,
  selection: Selection,
  codes: Codes,
  keep: Uint8Array,
  workspace: Workspace,
): Selection {
  const wide = workspace.words('tested codes', chunk.rowCount);
  gatherCodes(codes, null, chunk.rowCount, wide);
  const rows = selection.rows ?? rowsIn(workspace, chunk.rowCount);
  const count =
    selection.rows === null
      ? listCodes(wide, keep, selection.count, rows)
      : keepCodes(wide, keep, selection.count, rows);
  return count === selection.count ? selection : listOf(rows, count);
}

function rowsIn(workspace: Workspace, length: number): Uint32Array {
  return workspace.words('selected rows', length);
}

function listOf(rows: Uint32Array, count: number): Selection {
  return { count, rows: rows.subarray(0, count) };
}

// Every position is written and kept by incrementing the count: a branch would be unpredictable and slower. In place if
// there is a list: a row never moves to a later position.

function listBetween(values: Float64Array, from: number, to: number, count: number, rows: Uint32Array): number {
  let kept = 0;
  for (let row = 0; row < count; row++) {
    const value = values[row] ?? 0;
    rows[kept] = row;
    kept += value >= from && value < to ? 1 : 0;
  }
  return kept;
}

function keepAtLeast(values: Float64Array, least: number, count: number, rows: Uint32Array): number {
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const row = rows[index] ?? 0;
    rows[kept] = row;
    kept += (values[row] ?? 0) >= least ? 1 : 0;
  }
  return kept;
}

function listMarked(keep: Uint8Array, count: number, rows: Uint32Array): number {
  let kept = 0;
  for (let row = 0; row < count; row++) {
    rows[kept] = row;
    kept += keep[row] ?? 0;
  }
  return kept;
}

function keepMarked(keep: Uint8Array, count: number, rows: Uint32Array): number {
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const row = rows[index] ?? 0;
    rows[kept] = row;
    kept += keep[row] ?? 0;
  }
  return kept;
}

function listCodes(codes: Uint32Array, keep: Uint8Array, count: number, rows: Uint32Array): number {
  let kept = 0;
  for (let row = 0; row < count; row++) {
    rows[kept] = row;
    kept += keep[codes[row] ?? 0] ?? 0;
  }
  return kept;
}

function keepCodes(codes: Uint32Array, keep: Uint8Array, count: number, rows: Uint32Array): number {
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const row = rows[index] ?? 0;
    rows[kept] = row;
    kept += keep[codes[row] ?? 0] ?? 0;
  }
  return kept;
}

/** Only rows whose raw event still exists. Does not change the given selection. */
export function withoutDeleted(chunk: FactChunk, selection: Selection): Selection {
  const live = chunk.liveRows();
  if (live === null) return selection;
  const { count, rows } = selection;
  return refineByMask({ count, rows: rows === null ? null : rows.slice() }, live);
}
