import type { Database } from 'bun:sqlite';
import { eventDecoder } from '../../../events/detail/event-decoder.ts';
import { numberAt } from '../../../events/ingest/chunk-sums.ts';
import { createFactReader } from '../../../facts/reader.ts';

/** The content of a database in figures. Compacting must not change any of them. */
export interface LogicalSummary {
  /** Over the raw rows; tokens as the gateway reported them. */
  readonly raw: {
    readonly usage_event_count: number;
    readonly usage_event_max_id: number;
    readonly identity_ledger_count: number;
    readonly archive_segment_count: number;
    readonly archive_event_ref_count: number;
    readonly raw_deleted_event_count: number;
    readonly archive_run_count: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly total_tokens: number;
  };
  /** Over the facts, which outlive the raw rows. */
  readonly facts: {
    readonly event_count: number;
    readonly max_event_id: number;
    /** Including the cached part, independent of how the provider counts. */
    readonly total_input_tokens: number;
    readonly output_tokens: number;
    readonly total_tokens: number;
  };
  /** The last used event id: it must not be used again. */
  readonly lastEventId: number;
}

/** Rows decoded per statement. */
const PAGE_ROWS = 2_000;
/** The token columns of one segment at a time. */
const CACHE_BYTES = 4 * 1024 * 1024;

/** Reads every raw row and every fact. */
export function readSummary(db: Database): LogicalSummary {
  const number = (sql: string) => db.query<{ value: number | null }, []>(sql).get()?.value ?? 0;
  const rows = (table: string) => number(`SELECT count(*) AS value FROM ${table}`);
  return {
    raw: {
      usage_event_count: rows('usage_events'),
      usage_event_max_id: number('SELECT max(id) AS value FROM usage_events'),
      identity_ledger_count: rows('usage_event_identity_ledger'),
      archive_segment_count: rows('usage_archive_segments'),
      archive_event_ref_count: rows('usage_archive_event_refs'),
      raw_deleted_event_count: rows('usage_archive_event_refs WHERE raw_deleted_at_ms IS NOT NULL'),
      archive_run_count: rows('usage_archive_runs'),
      ...rawTokens(db),
    },
    facts: factSums(db),
    lastEventId: number("SELECT seq AS value FROM sqlite_sequence WHERE name = 'usage_events'"),
  };
}

function rawTokens(db: Database) {
  const decode = eventDecoder(db);
  const page = db.query<{ id: number; detail: Uint8Array }, [number]>(
    `SELECT id, detail FROM usage_events WHERE id > ? ORDER BY id LIMIT ${PAGE_ROWS}`,
  );
  const sums = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
  let after = 0;
  for (let rows = page.all(after); rows.length > 0; rows = page.all(after)) {
    for (const { id, detail } of rows) {
      const event = decode(detail, { raw: false });
      sums.input_tokens += event.input_tokens;
      sums.output_tokens += event.output_tokens;
      sums.total_tokens += event.total_tokens;
      after = id;
    }
  }
  return sums;
}

function factSums(db: Database): LogicalSummary['facts'] {
  return createFactReader(db, { cacheBytes: CACHE_BYTES }).read(({ chunks }) => {
    const sums = { event_count: 0, max_event_id: 0, total_input_tokens: 0, output_tokens: 0, total_tokens: 0 };
    for (const chunk of chunks) {
      const input = chunk.numbers('input_tokens');
      const output = chunk.numbers('output_tokens');
      const total = chunk.numbers('total_tokens');
      sums.event_count += chunk.rowCount;
      sums.max_event_id = Math.max(sums.max_event_id, chunk.lastEventId);
      for (let row = 0; row < chunk.rowCount; row += 1) {
        sums.total_input_tokens += numberAt(input, row);
        sums.output_tokens += numberAt(output, row);
        sums.total_tokens += numberAt(total, row);
      }
    }
    return sums;
  });
}
