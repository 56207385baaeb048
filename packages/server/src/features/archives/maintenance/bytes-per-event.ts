import type { Database } from 'bun:sqlite';
import type { BytesPerEvent } from '@manager/core/contract/archives/maintenance';
import { readCounter } from '../../../events/ingest/counters.ts';

/** Up to this size every page is counted, which reads the whole file once: 256 MiB take about 0.3 s. */
const COUNTED_BYTES = 256 * 1024 * 1024;
/**
 * Beyond it, tables that grow with the events are estimated from their rows. Keys of the ledger are hashes, so its pages are
 * always about two thirds full, and all entries of the time index have one width; both were measured with 100,000 and 3,200,000
 * events.
 */
const LEDGER_ROW_BYTES = 53.8;
const TIME_INDEX_ROW_BYTES = 17.2;
/** References of archived events, whether their raw row exists or was deleted. */
const REFERENCE_ROW_BYTES = 75;
const DELETED_REFERENCE_ROW_BYTES = 30;

const LEDGER = 'usage_event_identity_ledger';
const RAW = ['usage_events', 'usage_events_time', 'detail_words', 'sqlite_autoindex_detail_words_1'];
const FACTS = [
  ...['facts_tail', 'fact_segments', 'fact_segment_columns', 'sqlite_autoindex_fact_segment_columns_1'],
  ...['fact_segment_sums', 'sqlite_autoindex_fact_segment_sums_1'],
];
const RECKONED = new Set([
  ...['usage_events', 'usage_events_time', LEDGER, 'fact_segment_columns', 'fact_segment_sums'],
  ...['usage_archive_event_refs', 'usage_archive_event_refs_undeleted'],
]);

/** Null while there is no event. */
export function readBytesPerEvent(db: Database, countedBytes = COUNTED_BYTES): BytesPerEvent | null {
  const stored = storedEvents(db);
  if (stored === 0) return null;
  const used = usedBytes(db);
  const estimated = used > countedBytes;
  const sizes = estimated ? reckoned(db, used, stored) : counted(db);
  const raw = sumOf(sizes, RAW);
  const facts = sumOf(sizes, FACTS);
  const ledger = sumOf(sizes, [LEDGER]);
  const live = readCounter(db, 'events');
  return {
    raw: live === 0 ? 0 : perEvent(raw, live),
    facts: perEvent(facts, stored),
    ledger: perEvent(ledger, stored),
    other: perEvent(Math.max(used - raw - facts - ledger, 0), stored),
    estimated,
  };
}

type Sizes = ReadonlyMap<string, number>;

function counted(db: Database): Sizes {
  const rows = db
    .query<{ name: string; bytes: number }, []>('SELECT name, pgsize AS bytes FROM dbstat WHERE aggregate = TRUE')
    .all();
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** Small tables are counted; the rest is the raw events. */
function reckoned(db: Database, used: number, stored: number): Sizes {
  const sizes = new Map<string, number>();
  const one = db.query<{ bytes: number }, [string]>(
    'SELECT pgsize AS bytes FROM dbstat WHERE aggregate = TRUE AND name = ?',
  );
  // The schema does not list itself.
  sizes.set('sqlite_schema', one.get('sqlite_schema')?.bytes ?? 0);
  const names = db.query<{ name: string }, []>('SELECT name FROM sqlite_schema WHERE rootpage > 0').all();
  for (const { name } of names) if (!RECKONED.has(name)) sizes.set(name, one.get(name)?.bytes ?? 0);
  const live = readCounter(db, 'events');
  sizes.set(LEDGER, stored * LEDGER_ROW_BYTES);
  sizes.set('usage_events_time', live * TIME_INDEX_ROW_BYTES);
  sizes.set('fact_segment_columns', numberOf(db, 'SELECT sum(length(data)) AS value FROM fact_segment_columns'));
  // Some are so small that they do not fill their last page.
  const sums = 'SELECT sum((length(data) + 4091) / 4092 * 4096) AS value FROM fact_segment_sums';
  sizes.set('fact_segment_sums', numberOf(db, sums));
  sizes.set('usage_archive_event_refs', referenceBytes(db));
  let known = 0;
  for (const bytes of sizes.values()) known += bytes;
  sizes.set('usage_events', Math.max(used - known, 0));
  return sizes;
}

function referenceBytes(db: Database): number {
  const deleted = numberOf(db, 'SELECT sum(deleted_event_count) AS value FROM usage_archive_runs');
  const archived = numberOf(
    db,
    "SELECT sum(archived_event_count) AS value FROM usage_archive_runs WHERE status <> 'cancelled'",
  );
  return (archived - deleted) * REFERENCE_ROW_BYTES + deleted * DELETED_REFERENCE_ROW_BYTES;
}

/** Number of events ever accepted; ids are consecutive unless a database of another origin was merged. */
function storedEvents(db: Database): number {
  return numberOf(
    db,
    `SELECT
       (SELECT coalesce(sum(row_count), 0) FROM fact_segments)
       + (SELECT count(*) FROM facts_tail WHERE event_id > (SELECT coalesce(max(last_event_id), 0) FROM fact_segments))
       AS value`,
  );
}

function usedBytes(db: Database): number {
  return numberOf(
    db,
    `SELECT page_size * (page_count - freelist_count) AS value
     FROM pragma_page_size, pragma_page_count, pragma_freelist_count`,
  );
}

function sumOf(sizes: Sizes, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
}

/** To one decimal. */
function perEvent(bytes: number, events: number): number {
  return Math.round((bytes / events) * 10) / 10;
}

function numberOf(db: Database, sql: string): number {
  return db.query<{ value: number | null }, []>(sql).get()?.value ?? 0;
}
