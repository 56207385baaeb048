import type { FactChunk } from '../chunk.ts';
import type { FactColumn } from '../columns.ts';

/** Rows of one chunk that passed so far, ascending; `rows` is null when all did. */
export interface Selection {
  readonly count: number;
  readonly rows: Uint32Array | null;
}

export const NOTHING: Selection = { count: 0, rows: new Uint32Array(0) };

/** A test of rows, compiled once per query. */
export interface Predicate {
  readonly columns: readonly FactColumn[];
  /** What the symbols of a chunk say without its rows: no row passes, every row does, or the rows must be looked at. */
  judge(chunk: FactChunk): Verdict;
  apply(chunk: FactChunk, selection: Selection): Selection;
}

export type Verdict = 'none' | 'all' | 'some';

/** What a query asks for: a half open time range and tests that must all pass. */
export interface CompiledQuery {
  readonly fromMs: number;
  readonly toMs: number;
  readonly predicates: readonly Predicate[];
}

export function selectRows(chunk: FactChunk, query: CompiledQuery): Selection {
  if (chunk.maxTimestampMs < query.fromMs || chunk.minTimestampMs >= query.toMs) return NOTHING;
  // All at once, before the first of them is looked at.
  chunk.prepare(new Set(query.predicates.flatMap(({ columns }) => columns)));
  const open: Predicate[] = [];
  for (const predicate of query.predicates) {
    const verdict = predicate.judge(chunk);
    if (verdict === 'none') return NOTHING;
    if (verdict === 'some') open.push(predicate);
  }
  let selection = selectTimes(chunk, query);
  for (const predicate of open) {
    if (selection.count === 0) return NOTHING;
    selection = predicate.apply(chunk, selection);
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

function selectTimes(chunk: FactChunk, query: CompiledQuery): Selection {
  const { rowCount } = chunk;
  if (chunk.minTimestampMs >= query.fromMs && chunk.maxTimestampMs < query.toMs) return { count: rowCount, rows: null };
  const { base, values } = chunk.numbers('timestamp_ms');
  if (values === null) return base >= query.fromMs && base < query.toMs ? { count: rowCount, rows: null } : NOTHING;
  const from = query.fromMs - base;
  const to = query.toMs - base;
  const rows = new Uint32Array(rowCount);
  let count = 0;
  for (let row = 0; row < rowCount; row++) {
    const offset = values[row] ?? 0;
    if (offset >= from && offset < to) rows[count++] = row;
  }
  return { count, rows: rows.subarray(0, count) };
}

/** Keeps the rows whose entry in `keep` is 1, where `keep` has one entry a row. */
export function refineByMask(selection: Selection, keep: Uint8Array): Selection {
  return refineByCode(selection, null, keep);
}

/** Keeps the rows whose code has a 1 in `keep`; without codes the row itself is the code. Uses up the selection. */
export function refineByCode(
  selection: Selection,
  codes: Uint8Array | Uint16Array | Uint32Array | null,
  keep: Uint8Array,
): Selection {
  // In place where there is a list already: a row never moves to a later position.
  const rows = selection.rows ?? new Uint32Array(selection.count);
  let count = 0;
  for (let index = 0; index < selection.count; index++) {
    const row = selection.rows === null ? index : (selection.rows[index] ?? 0);
    const code = codes === null ? row : (codes[row] ?? 0);
    rows[count] = row;
    count += keep[code] ?? 0;
  }
  return count === selection.count ? selection : { count, rows: rows.subarray(0, count) };
}

/** Only rows whose raw event still exists. Leaves the given selection as it is. */
export function withoutDeleted(chunk: FactChunk, selection: Selection): Selection {
  const live = chunk.liveRows();
  if (live === null) return selection;
  const { count, rows } = selection;
  return refineByMask({ count, rows: rows === null ? null : rows.slice() }, live);
}
