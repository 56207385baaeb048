import type { Database } from 'bun:sqlite';
import { type SourceShape, selectable } from './format.ts';
import { type IdRow, rowIdsOf } from './row-ids.ts';
import { SourceDamaged } from './source.ts';
import type { ForeignRow } from './values.ts';

/** Most rows of one transaction, and bytes of their longest columns. */
const PAGE_ROWS = 1_000;
const PAGE_BYTES = 32 * 1024 * 1024;

export interface EventRows {
  /** The next rows after a row id, by row id; empty = the end. Each has `row_id`. @throws SourceDamaged */
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
export function eventRowsOf(shape: SourceShape): EventRows {
  return shape.format === 'A' ? rowsOfA(shape) : rowsOfB(shape);
}

function rowsOfA(shape: SourceShape): EventRows {
  const present = shape.columns('usage_events');
  const id = present.has('id') ? 'id' : 'rowid';
  const columns = selectable(present, [...TEXTS_A, ...NUMBERS_A]);
  const bytes = ['raw_json', 'fail_body', 'response_metadata_json']
    .filter((name) => present.has(name))
    .map((name) => `coalesce(octet_length("${name}"), 0)`)
    .join(' + ');
  // The lengths are read without the texts, so that a page of very long ones stays small.
  const ids = rowIdsOf({ table: 'usage_events', id, bytes, limit: PAGE_ROWS });
  const rows = `SELECT ${id} AS row_id, ${columns} FROM usage_events WHERE ${id} > ? AND ${id} <= ? ORDER BY ${id}`;
  return {
    page: (db, after) =>
      db.transaction(() => {
        const wanted = startOfPage(ids.after(db, after));
        const last = wanted.at(-1);
        if (last === undefined) return [];
        return sameRows(db.query<ForeignRow, [number, number]>(rows).all(after, last.row_id), wanted);
      })(),
    range: (db) => rangeOf(db, `SELECT min(${id}) AS first, max(${id}) AS last FROM usage_events`),
    oldest: (db) =>
      db.query<ForeignRow, []>(`SELECT ${id} AS row_id, ${columns} FROM usage_events ORDER BY ${id} LIMIT 1`).get(),
  };
}

/** The first rows, until their texts are too long for one page. At least one. */
function startOfPage(rows: readonly IdRow[]): readonly IdRow[] {
  let sum = 0;
  const end = rows.findIndex(({ bytes }, at) => {
    sum += bytes;
    return at > 0 && sum > PAGE_BYTES;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** The rows of these ids, which were read in the same transaction. */
function sameRows(rows: ForeignRow[], wanted: readonly IdRow[]): ForeignRow[] {
  if (rows.length === wanted.length && rows.every(({ row_id }, at) => row_id === wanted[at]?.row_id)) return rows;
  throw new SourceDamaged(`the rows of usage_events cannot be read one by one after row ${wanted[0]?.row_id}`);
}

function rowsOfB(shape: SourceShape): EventRows {
  const tables = ['usage_events', 'usage_events_archive'].filter((table) => shape.columns(table).has('timestamp'));
  const readers = tables.map((table) => {
    const columns = selectable(shape.columns(table), COLUMNS_B);
    const rows = `SELECT id AS row_id, ${columns} FROM ${table} WHERE id > ? AND id <= ? ORDER BY id`;
    const ids = rowIdsOf({ table, id: 'id', limit: PAGE_ROWS });
    return (db: Database, after: number): readonly ForeignRow[] => {
      const wanted = ids.after(db, after);
      const last = wanted.at(-1);
      if (last === undefined) return [];
      return sameRows(db.query<ForeignRow, [number, number]>(rows).all(after, last.row_id), wanted);
    };
  });
  const oldest = tables
    .map(
      (table) =>
        `SELECT * FROM (SELECT id AS row_id, ${selectable(shape.columns(table), COLUMNS_B)} FROM ${table} ORDER BY id LIMIT 1)`,
    )
    .join(' UNION ALL ');
  const ends = tables.map((table) => `SELECT min(id) AS first, max(id) AS last FROM ${table}`).join(' UNION ALL ');
  return {
    page: (db, after) =>
      db.transaction(() =>
        readers
          .flatMap((read) => read(db, after))
          .toSorted((left, right) => Number(left.row_id) - Number(right.row_id))
          .slice(0, PAGE_ROWS),
      )(),
    range: (db) => rangeOf(db, `SELECT min(first) AS first, max(last) AS last FROM (${ends})`),
    oldest: (db) => db.query<ForeignRow, []>(`${oldest} ORDER BY row_id LIMIT 1`).get(),
  };
}

function rangeOf(db: Database, sql: string): { readonly first: number; readonly last: number } | null {
  const found = db.query<{ first: number | null; last: number | null }, []>(sql).get();
  return found?.first == null || found.last === null ? null : { first: found.first, last: found.last };
}
