import type { Database } from 'bun:sqlite';
import { SourceRefused } from './source.ts';

/** Relevant columns of the tables of a source, in lower case. A missing table has none. */
export interface SourceShape {
  readonly format: ForeignFormat;
  columns(table: string): ReadonlySet<string>;
}

/**
 * - `A`: one row per event, with its identity and its original item
 * - `B`: one row per event without either; old rows are in a second table
 */
export type ForeignFormat = 'A' | 'B';

const MARKS: Readonly<Record<ForeignFormat, readonly string[]>> = {
  A: ['event_hash', 'timestamp_ms', 'timestamp', 'model', 'raw_json'],
  B: ['event_key', 'api_group_key', 'timestamp', 'model'],
};

/** Recognizes a format by tables and columns, not by file names. */
export function readShape(db: Database): SourceShape {
  const tables = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const known = new Map(tables.map(({ name }) => [name.toLowerCase(), columnsOf(db, name)]));
  const columns = (table: string) => known.get(table) ?? NONE;
  const events = columns('usage_events');
  const has = (names: readonly string[]) => names.every((name) => events.has(name));
  if (has(MARKS.A)) return { format: 'A', columns };
  if (has(MARKS.B)) return { format: 'B', columns };
  if (has(['timestamp_ms', 'detail'])) {
    throw new SourceRefused('the source is a database of this manager; move the file, or export and import it');
  }
  throw new SourceRefused('the source is not a database of a known manager');
}

const NONE: ReadonlySet<string> = new Set();

function columnsOf(db: Database, table: string): ReadonlySet<string> {
  const rows = db.query<{ name: string }, [string]>('SELECT name FROM pragma_table_info(?)').all(table);
  return new Set(rows.map(({ name }) => name.toLowerCase()));
}

/** Of names and numbers. Nothing real comes near it, and a cell of a database may have a gigabyte. */
const CELL_BYTES = 64 * 1024;
/** Of the columns that hold an original or a text of an answer, as for an event in a file. */
const LONG_CELL_BYTES = 10 * 1024 * 1024;
const LONG_COLUMNS: ReadonlySet<string> = new Set(['raw_json', 'fail_body', 'response_metadata_json', 'payload']);

const limitOf = (name: string) => (LONG_COLUMNS.has(name) ? LONG_CELL_BYTES : CELL_BYTES);

/** Columns for a SELECT: missing ones read as null, and so do those with a cell that is too long; it is never read. */
export function selectable(present: ReadonlySet<string>, names: readonly string[]): string {
  return names
    .map((name) => {
      if (!present.has(name)) return `NULL AS "${name}"`;
      return `CASE WHEN octet_length("${name}") > ${limitOf(name)} THEN NULL ELSE "${name}" END AS "${name}"`;
    })
    .join(', ');
}

/** Expression: how many of these columns are too long to be read. */
export function tooLong(present: ReadonlySet<string>, names: readonly string[]): string {
  return sumOf(present, names, (name) => `coalesce(octet_length("${name}") > ${limitOf(name)}, 0)`);
}

/** Expression: bytes that `selectable` reads of these columns, or a little more. */
export function bytesOf(present: ReadonlySet<string>, names: readonly string[]): string {
  return sumOf(present, names, (name) => `min(coalesce(octet_length("${name}"), 0), ${limitOf(name)})`);
}

function sumOf(present: ReadonlySet<string>, names: readonly string[], term: (name: string) => string): string {
  const terms = names.filter((name) => present.has(name)).map(term);
  return terms.length === 0 ? '0' : terms.join(' + ');
}
