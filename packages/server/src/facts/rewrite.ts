import type { Database } from 'bun:sqlite';
import { createColumnCache } from './cache.ts';
import type { FactChunk } from './chunk.ts';
import { FACT_COLUMNS, type FactColumn } from './columns.ts';
import { layoutOf } from './segment/blob.ts';
import { SUMMANDS } from './segment/derived.ts';
import { encodeColumns, FACT_COLUMN_ENTRIES, type FactRows } from './segment/encode.ts';
import type { NumberColumn } from './segment/integers.ts';
import { leaderOf, type SymbolSets } from './segment/symbol-codes.ts';
import { type TextColumn, textAt } from './segment/texts.ts';
import { createFactSegments } from './segments.ts';

/** New values for one fact. */
export interface FactChange {
  readonly eventId: number;
  /** By column: counts, symbols and texts as in `facts_tail`. Time and hashes never change. */
  readonly values: Readonly<Partial<Record<FactColumn, number | string>>>;
  /** The bits of `flags` inside `mask` are replaced by those of `bits`. */
  readonly flags?: { readonly mask: number; readonly bits: number };
}

/** The old and the new segment, to be read inside the transaction. */
export interface RewrittenSegment {
  readonly before: FactChunk;
  /** The same with the new values. */
  readonly after: FactChunk;
  readonly rows: readonly number[];
  /** Columns with a changed value. */
  readonly changed: ReadonlySet<FactColumn>;
}

/*
 * A sealed segment never changes. It is replaced by a new one with an unused id, in one transaction: readers that cache
 * columns or results by segment id cannot mix old and new. Only the changed columns are encoded again; the others are
 * assigned to the new segment, which does not touch their pages.
 */

/** Texts that are strings at once: they need ten times the memory of their bytes. */
const SLICE_ROWS = 4_096;

const SYMBOL_COLUMNS = FACT_COLUMN_ENTRIES.filter(([, kind]) => kind === 'symbol').map(([name]) => name);

/** The segment with the fact of an event; null while the fact is in the tail. */
export function segmentOf(db: Database, eventId: number): { readonly id: number; readonly lastEventId: number } | null {
  // One row per 65,536 facts.
  return db
    .query<{ id: number; lastEventId: number }, [number]>(
      `SELECT id, last_event_id AS lastEventId
       FROM fact_segments
       WHERE ? BETWEEN first_event_id AND last_event_id`,
    )
    .get(eventId);
}

/**
 * Replaces a segment by one with other values in some rows, inside the caller's transaction. `look` is called before
 * anything is written. Nothing is written when no value changes.
 */
export function rewriteSegment(
  db: Database,
  segmentId: number,
  changes: readonly FactChange[],
  look: (rewritten: RewrittenSegment) => void,
): void {
  const before = openSegment(db, segmentId);
  const edits = editsOf(before, changes, leadersOf(db, segmentId));
  if (edits.columns.size === 0) return;
  look({ before, after: edited(before, edits.source), rows: edits.rows, changed: edits.changed });
  const encoded = encodeColumns(edits.source, edits.columns, setsOf(before));
  const newId = copyHeader(db, segmentId);
  const names = encoded.map(({ name }) => name);
  db.query(
    `UPDATE fact_segment_columns
     SET segment_id = ?
     WHERE segment_id = ? AND name NOT IN (SELECT value FROM json_each(?))`,
  ).run(newId, segmentId, JSON.stringify(names));
  const insert = db.query(
    `INSERT INTO fact_segment_columns (segment_id, name, encoding, min_value, max_value, checksum, data)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const column of encoded) {
    insert.run(newId, column.name, column.encoding, column.min, column.max, column.checksum, column.data);
  }
  db.query('DELETE FROM fact_segments WHERE id = ?').run(segmentId);
}

/** The chunk with its new numbers and symbols. */
function edited(chunk: FactChunk, { numbers }: FactRows): FactChunk {
  return {
    ...chunk,
    numbers: (name) => {
      const values = numbers.get(name);
      return values === undefined ? chunk.numbers(name) : { base: 0, values };
    },
    symbols: (name) => {
      const values = numbers.get(name);
      if (values === undefined) return chunk.symbols(name);
      return { set: Uint32Array.from(values), codes: Uint32Array.from(values.keys()) };
    },
  };
}

/** The new row is inserted before the old one is deleted, so an id is never reused. */
function copyHeader(db: Database, segmentId: number): number {
  const copy = db
    .query<{ id: number }, [number]>(
      `INSERT INTO fact_segments
         (format, row_count, first_event_id, last_event_id, min_timestamp_ms, max_timestamp_ms)
       SELECT format, row_count, first_event_id, last_event_id, min_timestamp_ms, max_timestamp_ms
       FROM fact_segments
       WHERE id = ?
       RETURNING id`,
    )
    .get(segmentId);
  if (copy === null) throw new Error(`fact segment ${segmentId} is missing`);
  return copy.id;
}

function openSegment(db: Database, segmentId: number): FactChunk {
  const segments = createFactSegments(db, createColumnCache(), () => null).list();
  const chunk = segments.find((segment) => segment.segmentId === segmentId);
  if (chunk === undefined) throw new Error(`fact segment ${segmentId} is missing`);
  return chunk;
}

interface Edits {
  readonly rows: readonly number[];
  readonly changed: ReadonlySet<FactColumn>;
  /** The columns to encode: changed ones and those that depend on them. */
  readonly columns: ReadonlySet<FactColumn>;
  /** Those columns with their new values, and the columns that their encoding depends on. */
  readonly source: FactRows;
}

function editsOf(chunk: FactChunk, changes: readonly FactChange[], leaders: Leaders): Edits {
  const numbers = new Map<FactColumn, Float64Array>();
  const texts = new Map<FactColumn, EditedTexts>();
  const changed = new Set<FactColumn>();

  function numbersOf(name: FactColumn): Float64Array {
    const known = numbers.get(name) ?? (FACT_COLUMNS[name] === 'symbol' ? symbolsOf(chunk, name) : allOf(chunk, name));
    numbers.set(name, known);
    return known;
  }

  function setText(name: FactColumn, row: number, text: string): void {
    const known = texts.get(name) ?? { column: chunk.texts(name), edits: new Map() };
    texts.set(name, known);
    if (editedText(known, row) === text) return;
    known.edits.set(row, text);
    changed.add(name);
  }

  function setNumber(name: FactColumn, row: number, value: number): void {
    const known = numbersOf(name);
    if (known[row] === value) return;
    known[row] = value;
    changed.add(name);
  }

  const ids = allOf(chunk, null);
  const rows = changes.map(({ eventId, values, flags }) => {
    const row = rowOf(ids, eventId);
    for (const [name, value] of Object.entries(values) as [FactColumn, number | string][]) {
      if (typeof value === 'string') setText(name, row, value);
      else setNumber(name, row, value);
    }
    if (flags !== undefined) setNumber('flags', row, ((numbersOf('flags')[row] ?? 0) & ~flags.mask) | flags.bits);
    return row;
  });

  const columns = withDependents(changed, leaders);
  for (const name of columns) {
    if (FACT_COLUMNS[name] !== 'text') numbersOf(name);
    for (const summand of SUMMANDS[name] ?? []) numbersOf(summand);
  }
  const slices = new Map(Array.from(texts, ([name, edited]) => [name, textSlices(edited, chunk.rowCount)] as const));
  return { rows, changed, columns, source: { eventIds: ids, numbers, texts: slices, hashes: new Map() } };
}

/** By symbol column: the column whose codes it shares. */
type Leaders = ReadonlyMap<string, string>;

function leadersOf(db: Database, segmentId: number): Leaders {
  // By the primary key.
  const rows = db
    .query<{ name: string; encoding: string }, [number]>(
      'SELECT name, encoding FROM fact_segment_columns WHERE segment_id = ?',
    )
    .all(segmentId);
  return new Map(
    rows.flatMap(({ name, encoding }) => {
      const leader = leaderOf(layoutOf(encoding));
      return leader === null ? [] : [[name, leader] as const];
    }),
  );
}

function setsOf(chunk: FactChunk): SymbolSets {
  return new Map(SYMBOL_COLUMNS.map((name) => [name, chunk.symbolSet(name)]));
}

/** Adds the columns whose stored form depends on a changed one. */
function withDependents(changed: ReadonlySet<FactColumn>, leaders: Leaders): ReadonlySet<FactColumn> {
  const columns = new Set(changed);
  for (const [name] of FACT_COLUMN_ENTRIES) {
    const leader = leaders.get(name);
    const follows = leader !== undefined && changed.has(leader as FactColumn);
    if (follows || SUMMANDS[name]?.some((summand) => changed.has(summand)) === true) columns.add(name);
  }
  return columns;
}

/** All values of a number column; null = the event ids. */
function allOf(chunk: FactChunk, name: FactColumn | null): Float64Array {
  const { base, values }: NumberColumn = name === null ? chunk.eventIds() : chunk.numbers(name);
  const all = new Float64Array(chunk.rowCount);
  for (let row = 0; row < all.length; row += 1) all[row] = base + (values?.[row] ?? 0);
  return all;
}

function symbolsOf(chunk: FactChunk, name: FactColumn): Float64Array {
  const { set, codes } = chunk.symbols(name);
  const all = new Float64Array(chunk.rowCount);
  for (let row = 0; row < all.length; row += 1) all[row] = set[codes?.[row] ?? 0] ?? 0;
  return all;
}

/** A column with new texts in some rows. */
interface EditedTexts {
  readonly column: TextColumn;
  readonly edits: Map<number, string>;
}

function editedText({ column, edits }: EditedTexts, row: number): string {
  return edits.get(row) ?? textAt(column, row);
}

function* textSlices(texts: EditedTexts, rowCount: number): Generator<readonly string[]> {
  for (let from = 0; from < rowCount; from += SLICE_ROWS) {
    const length = Math.min(SLICE_ROWS, rowCount - from);
    yield Array.from({ length }, (_, index) => editedText(texts, from + index));
  }
}

/** Ids ascend. */
function rowOf(ids: Float64Array, eventId: number): number {
  let low = 0;
  let high = ids.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const id = ids[middle] ?? 0;
    if (id === eventId) return middle;
    if (id < eventId) low = middle + 1;
    else high = middle - 1;
  }
  throw new Error(`event ${eventId} has no fact`);
}
