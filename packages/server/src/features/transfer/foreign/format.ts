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

/** Columns for a SELECT: missing ones read as null. */
export function selectable(present: ReadonlySet<string>, names: readonly string[]): string {
  return names.map((name) => (present.has(name) ? `"${name}"` : `NULL AS "${name}"`)).join(', ');
}
