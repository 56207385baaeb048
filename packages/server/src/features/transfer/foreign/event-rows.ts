import type { Database } from 'bun:sqlite';
import { bytesOf, type SourceShape, selectable, tooLong } from './format.ts';
import { type IdRow, rowIdsOf, startOfPage } from './row-ids.ts';
import { SourceDamaged } from './source.ts';
import type { ForeignRow } from './values.ts';

/** Most rows of one transaction, and bytes of their texts. */
const PAGE_ROWS = 1_000;
const PAGE_BYTES = 32 * 1024 * 1024;

export interface EventRows {
  /** The next rows after a row id, by row id; empty = the end. Each has `row_id` and `too_long`. @throws SourceDamaged */
  page(db: Database, after: number): ForeignRow[];
  /** Smallest and largest row id; null when there is no row. */
  range(db: Database): { readonly first: number; readonly last: number } | null;
  oldest(db: Database): ForeignRow | null;
}

const TEXTS_A = [
  'event_hash',
  'timestamp',
  'request_id',
  'provider',
  'executor_type',
  'model',
  'requested_model',
  'resolved_model',
  'endpoint',
  'method',
  'path',
  'client_ip',
  'x_forwarded_for',
  'user_agent',
  'auth_type',
  'auth_index',
  'source',
  'source_hash',
  'api_key_hash',
  'reasoning_effort',
  'service_tier',
  'request_service_tier',
  'response_service_tier',
  'cache_input_mode',
  'account_snapshot',
  'auth_label_snapshot',
  'auth_file_snapshot',
  'auth_provider_snapshot',
  'auth_project_id_snapshot',
  'fail_summary',
  'fail_body',
  'raw_json',
  'response_metadata_json',
  'header_quota_plan_type',
  'header_error_kind',
  'header_error_code',
  'header_trace_id',
] as const;

const NUMBERS_A = [
  'timestamp_ms',
  'auth_snapshot_at_ms',
  'input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cached_tokens',
  'cache_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'total_tokens',
  'normalized_uncached_input_tokens',
  'normalized_total_input_tokens',
  'normalized_cache_read_tokens',
  'normalized_cache_creation_tokens',
  'latency_ms',
  'ttft_ms',
  'failed',
  'fail_status_code',
  'header_quota_recover_at_ms',
  'header_quota_used_percent',
  'created_at_ms',
] as const;

/** Columns of format A that keep their names. */
export const COLUMNS_A = { texts: TEXTS_A, numbers: NUMBERS_A } as const;

const COLUMNS_B = [
  'event_key',
  'api_group_key',
  'request_id',
  'provider',
  'endpoint',
  'auth_type',
  'auth_index',
  'client_ip',
  'x_forwarded_for',
  'user_agent',
  'reasoning_effort',
  'service_tier',
  'response_service_tier',
  'executor_type',
  'source',
  'model',
  'model_alias',
  'timestamp',
  'input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cached_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'total_tokens',
  'latency_ms',
  'ttft_ms',
  'failed',
] as const;

/** The events of a source in row id order. */
export function eventRowsOf(shape: SourceShape, pageBytes: number = PAGE_BYTES): EventRows {
  return shape.format === 'A' ? rowsOfA(shape, pageBytes) : rowsOfB(shape, pageBytes);
}

function rowsOfA(shape: SourceShape, pageBytes: number): EventRows {
  const present = shape.columns('usage_events');
  const id = present.has('id') ? 'id' : 'rowid';
  const columns = columnsFor(present, [...TEXTS_A, ...NUMBERS_A]);
  // The lengths are read without the texts, so that a page of very long ones stays small.
  const bytes = bytesOf(present, TEXTS_A);
  const ids = rowIdsOf({ table: 'usage_events', id, bytes, limit: PAGE_ROWS });
  const rows = `SELECT ${id} AS row_id, ${columns} FROM usage_events WHERE ${id} > ? AND ${id} <= ? ORDER BY ${id}`;
  return {
    page: (db, after) =>
      db.transaction(() => {
        const wanted = startOfPage(ids.after(db, after), pageBytes);
        const last = wanted.at(-1);
        if (last === undefined) return [];
        return sameRows(db.query<ForeignRow, [number, number]>(rows).all(after, last.row_id), wanted);
      })(),
    range: (db) => rangeOf(db, `SELECT min(${id}) AS first, max(${id}) AS last FROM usage_events`),
    oldest: (db) =>
      db.query<ForeignRow, []>(`SELECT ${id} AS row_id, ${columns} FROM usage_events ORDER BY ${id} LIMIT 1`).get(),
  };
}

/** The rows of these ids, which were read in the same transaction. */
function sameRows(rows: ForeignRow[], wanted: readonly IdRow[]): ForeignRow[] {
  if (rows.length === wanted.length && rows.every(({ row_id }, at) => row_id === wanted[at]?.row_id)) return rows;
  throw new SourceDamaged(`the rows of usage_events cannot be read one by one after row ${wanted[0]?.row_id}`);
}

function rowsOfB(shape: SourceShape, pageBytes: number): EventRows {
  const tables = ['usage_events', 'usage_events_archive'].filter((table) => shape.columns(table).has('timestamp'));
  const readers = tables.map((table) => {
    const present = shape.columns(table);
    const rows = `SELECT id AS row_id, ${columnsFor(present, COLUMNS_B)} FROM ${table} WHERE id > ? AND id <= ? ORDER BY id`;
    const ids = rowIdsOf({ table, id: 'id', bytes: bytesOf(present, COLUMNS_B), limit: PAGE_ROWS });
    return (db: Database, after: number): TablePage => {
      const found = ids.after(db, after);
      const wanted = startOfPage(found, pageBytes);
      const last = wanted.at(-1);
      if (last === undefined) return { rows: [], until: Number.POSITIVE_INFINITY };
      return {
        rows: sameRows(db.query<ForeignRow, [number, number]>(rows).all(after, last.row_id), wanted),
        until: wanted.length < found.length ? last.row_id : Number.POSITIVE_INFINITY,
      };
    };
  });
  const oldest = tables
    .map(
      (table) =>
        `SELECT * FROM (SELECT id AS row_id, ${columnsFor(shape.columns(table), COLUMNS_B)} FROM ${table} ORDER BY id LIMIT 1)`,
    )
    .join(' UNION ALL ');
  const ends = tables.map((table) => `SELECT min(id) AS first, max(id) AS last FROM ${table}`).join(' UNION ALL ');
  return {
    page: (db, after) =>
      db.transaction(() => {
        const pages = readers.map((read) => read(db, after));
        // Beyond the end of a page that was cut, rows of its table would be missing between those of the other one.
        const until = Math.min(...pages.map((page) => page.until));
        return pages
          .flatMap(({ rows }) => rows)
          .filter(({ row_id }) => Number(row_id) <= until)
          .toSorted((left, right) => Number(left.row_id) - Number(right.row_id))
          .slice(0, PAGE_ROWS);
      })(),
    range: (db) => rangeOf(db, `SELECT min(first) AS first, max(last) AS last FROM (${ends})`),
    oldest: (db) => db.query<ForeignRow, []>(`${oldest} ORDER BY row_id LIMIT 1`).get(),
  };
}

const columnsFor = (present: ReadonlySet<string>, names: readonly string[]) =>
  `${selectable(present, names)}, ${tooLong(present, names)} AS too_long`;

interface TablePage {
  readonly rows: readonly ForeignRow[];
  /** Last row id up to which the page is complete. */
  readonly until: number;
}

function rangeOf(db: Database, sql: string): { readonly first: number; readonly last: number } | null {
  const found = db.query<{ first: number | null; last: number | null }, []>(sql).get();
  return found?.first == null || found.last === null ? null : { first: found.first, last: found.last };
}
