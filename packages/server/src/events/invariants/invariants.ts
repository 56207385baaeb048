import type { Database } from 'bun:sqlite';
import type { FactChunk } from '../../facts/chunk.ts';
import { FactFlag } from '../../facts/columns.ts';
import { createFactReader } from '../../facts/reader.ts';
import { eventDecoder } from '../detail/event-decoder.ts';
import { addChunk, numberAt } from '../ingest/chunk-sums.ts';
import { type CounterName, readCounter } from '../ingest/counters.ts';
import { hashOfKey } from '../ingest/hash-key.ts';
import { HeaderSnapshots } from '../ingest/header-snapshots.ts';
import { HOURLY_COLUMNS, type HourlyRow, HourlySums, KEY_COLUMNS } from '../ingest/hourly-rollup.ts';
import { checkArchives } from './archives.ts';
import { createFactComparison } from './facts.ts';
import { checkHeaderSnapshots } from './headers.ts';
import { checkSums } from './sums.ts';

/** Rows decoded per statement. */
const PAGE_ROWS = 2_000;

/**
 * Everything that must always be true of a database: a list of violations, in words. Reads the whole file; for tests
 * and support.
 */
export function checkInvariants(db: Database): readonly string[] {
  return createFactReader(db).read(({ chunks, symbols }) => {
    const ledger = readLedger(db);
    return [
      ...checkFile(db),
      ...checkFacts(ledger, chunks),
      ...checkHourlyRollup(db, chunks),
      ...checkSums(db, chunks),
      ...checkRawRows(db, ledger, createFactComparison(chunks, symbols), implausibleEvents(chunks)),
      ...checkCounters(db, chunks),
      ...checkArchives(db),
    ];
  });
}

interface Claim {
  readonly hash: string;
  readonly timestampMs: number;
}

/** By event id. */
type Ledger = ReadonlyMap<number, Claim>;

function readLedger(db: Database): Ledger {
  const rows = db
    .query<{ event_id: number; event_hash: Uint8Array | string; timestamp_ms: number }, []>(
      // Id 0: an identity from another manager without its event.
      'SELECT event_id, event_hash, timestamp_ms FROM usage_event_identity_ledger WHERE event_id > 0',
    )
    .all();
  return new Map(rows.map((row) => [row.event_id, { hash: hashOfKey(row.event_hash), timestampMs: row.timestamp_ms }]));
}

function checkFile(db: Database): string[] {
  const rows = db.query<{ quick_check: string }, []>('PRAGMA quick_check').all();
  const broken = db.query<{ table: string }, []>('PRAGMA foreign_key_check').all();
  return [
    ...rows.filter((row) => row.quick_check !== 'ok').map((row) => `quick_check: ${row.quick_check}`),
    ...broken.map((row) => `foreign key of ${row.table} points to nothing`),
  ];
}

/** Facts and ledger hold the same events, each once, with the same hash and time. */
function checkFacts(ledger: Ledger, chunks: readonly FactChunk[]): string[] {
  const violations: string[] = [];
  let facts = 0;
  let previousId = 0;
  for (const chunk of chunks) {
    const ids = chunk.eventIds();
    const times = chunk.numbers('timestamp_ms');
    const hashes = chunk.hashes('event_hash');
    facts += chunk.rowCount;
    for (let row = 0; row < chunk.rowCount; row += 1) {
      const id = numberAt(ids, row);
      if (id <= previousId) violations.push(`fact ${id} follows fact ${previousId}`);
      previousId = id;
      const claimed = ledger.get(id);
      const hash = hashes.opaque.get(row) ?? hashOfKey(hashes.rows.subarray(row * 32, row * 32 + 32));
      if (claimed === undefined) violations.push(`fact ${id} is not in the ledger`);
      else if (claimed.hash !== hash) violations.push(`fact ${id} has another hash than the ledger`);
      else if (claimed.timestampMs !== numberAt(times, row))
        violations.push(`fact ${id} has another time than the ledger`);
    }
  }
  if (facts !== ledger.size) violations.push(`${facts} facts, ${ledger.size} ledger rows`);
  return violations;
}

/** The hourly rollup equals a recount of the facts it covers. */
function checkHourlyRollup(db: Database, chunks: readonly FactChunk[]): string[] {
  const covered = readCounter(db, 'hourly_core_event_id');
  const recount = new HourlySums();
  let beyond = 0;
  for (const chunk of chunks) {
    if (chunk.lastEventId > covered) beyond += 1;
    else addChunk(recount, chunk, 0);
  }
  // A rollup that is behind can be compared only when it ends with a chunk.
  if (beyond > 0) return [];
  const stored = db
    .query<HourlyRow, []>(`SELECT ${HOURLY_COLUMNS.join(', ')} FROM hourly_core ORDER BY ${KEY_COLUMNS.join(', ')}`)
    .all();
  const expected = recount.rows().toSorted(byKey);
  if (Bun.deepEquals(stored, expected)) return [];
  const missing = expected.length - stored.length;
  const different = stored.filter((row, index) => !Bun.deepEquals(row, expected[index])).length;
  return [`the hourly rollup differs from the facts: ${different} rows, ${missing} missing`];
}

/** Every raw row decodes to the event in ledger and fact. There may be fewer rows: archiving deletes them. */
function checkRawRows(
  db: Database,
  ledger: Ledger,
  compareFact: ReturnType<typeof createFactComparison>,
  implausible: ReadonlySet<number>,
): string[] {
  const violations: string[] = [];
  const decode = eventDecoder(db);
  const headers = new HeaderSnapshots();
  const pending = readCounter(db, 'header_snapshots_pending_id');
  const page = db.query<{ id: number; timestamp_ms: number; detail: Uint8Array }, [number]>(
    `SELECT id, timestamp_ms, detail
     FROM usage_events
     WHERE id > ?
     ORDER BY id
     LIMIT ${PAGE_ROWS}`,
  );
  let after = 0;
  for (let rows = page.all(after); rows.length > 0; rows = page.all(after)) {
    for (const row of rows) {
      const event = decode(row.detail);
      const claim = ledger.get(row.id);
      if (claim === undefined) violations.push(`raw event ${row.id} is not in the ledger`);
      else if (claim.hash !== event.event_hash) violations.push(`raw event ${row.id} has another hash`);
      if (event.timestamp_ms !== row.timestamp_ms) violations.push(`raw event ${row.id} has another time`);
      violations.push(...compareFact(row.id, event));
      if (row.id > pending && !implausible.has(row.id)) headers.add(event, row.id, event.created_at_ms);
      after = row.id;
    }
  }
  return [...violations, ...checkHeaderSnapshots(db, headers)];
}

/** Events whose time was implausible at their arrival. */
function implausibleEvents(chunks: readonly FactChunk[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const chunk of chunks) {
    const ids = chunk.eventIds();
    const flags = chunk.numbers('flags');
    for (let row = 0; row < chunk.rowCount; row += 1) {
      if ((numberAt(flags, row) & FactFlag.implausibleTime) !== 0) found.add(numberAt(ids, row));
    }
  }
  return found;
}

function checkCounters(db: Database, chunks: readonly FactChunk[]): string[] {
  const rows = (table: string) =>
    db.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${table}`).get()?.rows ?? 0;
  const counted: readonly (readonly [CounterName, number])[] = [
    ['events', rows('usage_events')],
    ['implausible_timestamps', implausibleEvents(chunks).size],
  ];
  return counted
    .filter(([name, count]) => readCounter(db, name) !== count)
    .map(([name, count]) => `counter ${name} is ${readCounter(db, name)}, counted ${count}`);
}

function byKey(left: HourlyRow, right: HourlyRow): number {
  for (const name of KEY_COLUMNS) {
    if (left[name] !== right[name]) return left[name] - right[name];
  }
  return 0;
}
