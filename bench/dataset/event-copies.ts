import type { Database } from 'bun:sqlite';
import { dirname } from 'node:path';
import type { UsageEvent } from '@manager/core/usage/event';
import { identityText } from '@manager/core/usage/identity';
import { createDetailEncoder, decodeDetail } from '../../packages/server/src/events/detail/detail-codec.ts';
import { createWordReader, createWordTable } from '../../packages/server/src/events/detail/words.ts';
import { readCounter, setCounter } from '../../packages/server/src/events/ingest/counters.ts';
import { HeaderSnapshots } from '../../packages/server/src/events/ingest/header-snapshots.ts';
import { catchUpHourlyRollup } from '../../packages/server/src/events/ingest/hourly-catch-up.ts';
import { encodeSums, segmentWithoutSums, storeSums } from '../../packages/server/src/facts/sums/write.ts';
import { sha256Hex } from '../../packages/server/src/platform/sha256.ts';
import { openMigrated } from '../../packages/server/src/schema/open-migrated.ts';
import { openDatabase } from '../../packages/server/src/sqlite/open.ts';
import { type BlockCopy, createFactCopies, type FactCopies } from './fact-copies.ts';

/**
 * Makes a database of more events than the writer can write within minutes, by copying the events of a database that the
 * writer made, over the same time. It is a valid database of the product (`checkInvariants` finds nothing):
 *
 * - Copies of a segment follow each other. The nth of k copies takes the nth part of the segment's time, so that ids and
 *   times still grow together and the traffic has the same nights, only denser.
 * - A copy is an event of its own: another time means another identity, hash and task.
 * - All other columns of a segment are copied in packed form; raw details differ in the bytes of their time.
 * - Hourly rollup, newest headers and counters are made by the product's code.
 */
export function copyEvents(from: string, to: string, events: number, progress: (events: number) => void): void {
  const base = openDatabase(from, { readonly: true });
  const db = openMigrated(to, { now: Date.now, tempDirectory: dirname(to) });
  db.run('PRAGMA synchronous = OFF');
  db.run(`PRAGMA cache_size = -${CACHE_KIB}`);
  requireKnownTables(base);
  for (const table of ['symbols', 'detail_words']) copyTexts(base, db, table);
  const writer = createCopyWriter(base, db, createFactCopies(base, db));
  for (const block of planned(base, events)) {
    const rows = readRaw(base, block);
    for (let copy = 0; copy < block.copies; copy++) db.transaction(() => writer.write(block, rows, copy)).immediate();
    progress(writer.written());
  }
  db.transaction(() => writer.finish()).immediate();
  while (catchUpHourlyRollup({ db, now: Date.now }, null).behind) {
    // One step at a time, until it has caught up.
  }
  storeAllSums(db);
  db.run('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  base.close();
}

/** As the server does in the background. */
function storeAllSums(db: Database): void {
  for (let id = segmentWithoutSums(db); id !== null; id = segmentWithoutSums(db)) {
    const made = encodeSums(db, id);
    if (made !== null) db.transaction(() => storeSums(db, made)).immediate();
  }
}

const CACHE_KIB = 128 * 1024;

/** A segment of the base, or its tail, and how many times its rows are written. */
interface Block {
  /** null for the tail. */
  readonly segmentId: number | null;
  readonly firstEventId: number;
  readonly lastEventId: number;
  readonly rowCount: number;
  readonly copies: number;
  /** Rows of all copies together: the last copy of the tail is cut. */
  readonly totalRows: number;
}

/** As many whole segments as fit; the rest is the tail. */
function planned(base: Database, events: number): Block[] {
  const segments = base
    .query<Omit<Block, 'copies' | 'totalRows'>, []>(
      `SELECT id AS segmentId, first_event_id AS firstEventId, last_event_id AS lastEventId, row_count AS rowCount
       FROM fact_segments
       ORDER BY first_event_id`,
    )
    .all();
  const tail = base
    .query<Omit<Block, 'copies' | 'totalRows'>, [number]>(
      `SELECT NULL AS segmentId, min(event_id) AS firstEventId, max(event_id) AS lastEventId, count(*) AS rowCount
       FROM facts_tail
       WHERE event_id > ?`,
    )
    .get(segments.at(-1)?.lastEventId ?? 0);
  const segmentRows = segments[0]?.rowCount ?? 0;
  if (tail === null || tail.rowCount === 0 || segmentRows === 0) throw new Error('the base has no segment or no tail');
  if (segments.some(({ rowCount }) => rowCount !== segmentRows)) throw new Error('segments of the base differ in size');
  const whole = Math.floor((events - 1) / segmentRows);
  const until = (index: number) => Math.floor((index * whole) / segments.length);
  const blocks = segments.map((segment, index) => {
    const copies = until(index + 1) - until(index);
    return { ...segment, copies, totalRows: copies * segment.rowCount };
  });
  const rest = events - whole * segmentRows;
  return [...blocks, { ...tail, copies: Math.ceil(rest / tail.rowCount), totalRows: rest }];
}

interface RawRow {
  readonly time: number;
  readonly detail: Uint8Array;
}

function readRaw(base: Database, block: Block): readonly RawRow[] {
  const rows = base
    .query<RawRow, [number, number]>(
      'SELECT timestamp_ms AS time, detail FROM usage_events WHERE id BETWEEN ? AND ? ORDER BY id',
    )
    .all(block.firstEventId, block.lastEventId);
  if (rows.length !== block.rowCount) throw new Error('raw events of the base were deleted');
  return rows;
}

function createCopyWriter(base: Database, db: Database, facts: FactCopies) {
  const words = createWordReader(base);
  const encoder = createDetailEncoder(createWordTable(db));
  const insertRaw = db.query('INSERT INTO usage_events (id, timestamp_ms, detail) VALUES (?, ?, ?)');
  // Ledger keys are scattered, so they are sorted first.
  db.run('CREATE TEMP TABLE claims (event_hash BLOB, event_id INTEGER, timestamp_ms INTEGER)');
  const insertClaim = db.query('INSERT INTO claims VALUES (?, ?, ?)');
  const headers = new HeaderSnapshots();
  let written = 0;

  /** The detail at another time. */
  function at(detail: Uint8Array, timeMs: number): { readonly detail: Uint8Array; readonly event: UsageEvent } {
    const quick = withTime(detail, timeMs);
    if (quick !== null) return { detail: quick, event: decodeDetail(quick, words, { raw: false }) };
    const event = { ...decodeDetail(detail, words), timestamp_ms: timeMs, timestamp: new Date(timeMs).toISOString() };
    const moved = { ...event, event_hash: sha256Hex(identityText(event)) };
    return { detail: encoder.encode(moved), event: moved };
  }

  return {
    written: () => written,
    /** Runs inside a transaction. */
    write(block: Block, rows: readonly RawRow[], copy: number): void {
      const count = Math.min(block.rowCount, block.totalRows - copy * block.rowCount);
      const timeOf = denserTimes(
        rows.map(({ time }) => time),
        block.totalRows / block.rowCount,
      );
      const result: BlockCopy = facts.begin(count, written + 1);
      for (const [row, { detail }] of rows.slice(0, count).entries()) {
        const id = written + 1 + row;
        const next = at(detail, timeOf(row, copy));
        const hash = Buffer.from(next.event.event_hash, 'hex');
        if (hash.length !== 32) throw new Error('events with a hash of their own cannot be copied');
        insertRaw.run(id, next.event.timestamp_ms, next.detail);
        insertClaim.run(hash, id, next.event.timestamp_ms);
        headers.add(next.event, id, next.event.created_at_ms);
        result.put(row, next.event, hash);
      }
      if (block.segmentId === null) facts.writeTail(block, result);
      else facts.writeSegment(block.segmentId, result);
      written += count;
    },
    finish(): void {
      db.run(
        `INSERT INTO usage_event_identity_ledger (event_hash, event_id, timestamp_ms)
         SELECT event_hash, event_id, timestamp_ms FROM claims ORDER BY event_hash`,
      );
      db.run('DROP TABLE claims');
      headers.writeTo(db);
      setCounter(db, 'events', written);
    },
  };
}

/**
 * Times of `factor` times as many rows within the same period: row `n` of all copies is at position `n / factor` among the base's
 * sorted times, between its neighbors.
 */
function denserTimes(times: readonly number[], factor: number): (row: number, copy: number) => number {
  const order = Uint32Array.from(times.keys()).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
  const place = new Uint32Array(times.length);
  for (const [index, row] of order.entries()) place[row] = index;
  const sorted = Float64Array.from(times).sort();
  const [first = 0, second = first] = sorted;
  return (row, copy) => {
    const at = (copy * times.length + (place[row] ?? 0) + 1) / Math.max(factor, 1);
    const index = Math.ceil(at) - 1;
    const after = sorted[index] ?? first;
    const before = sorted[index - 1] ?? first - (second - first);
    return Math.floor(before + (after - before) * (at - index));
  };
}

/** First byte of a detail that is not deflated. */
const PLAIN = 1;

/**
 * A detail with another time: its other times are stored relative to this one. Null where it must be encoded again (deflated, or
 * a time in an unusual spelling).
 */
function withTime(detail: Uint8Array, timeMs: number): Uint8Array | null {
  if (detail[0] !== PLAIN) return null;
  let at = 1;
  let head = 0;
  // The number in the head is (nanoseconds below the millisecond + 1) × 2, plus 1 before 1970.
  for (let factor = 1; ; factor *= 128) {
    const byte = detail[at++] ?? 0;
    head += (byte & 127) * factor;
    if (byte < 128) break;
  }
  if (head < 2 || head % 2 === 1) return null;
  const moved = detail.slice();
  let rest = timeMs;
  while (rest > 127) {
    if ((moved[at] ?? 0) < 128) return null;
    moved[at++] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
  }
  if ((moved[at] ?? 128) >= 128) return null;
  moved[at] = rest;
  return moved;
}

function copyTexts(base: Database, db: Database, table: string): void {
  const insert = db.query(`INSERT OR IGNORE INTO ${table} (id, text) VALUES (?, ?)`);
  const rows = base.query<never, []>(`SELECT id, text FROM ${table}`).values();
  db.transaction(() => {
    for (const [id, text] of rows as unknown as readonly (readonly [number, string])[]) insert.run(id, text);
  }).immediate();
}

/** Tables whose rows are copied, rebuilt, or the same in every new database. */
const KNOWN_TABLES = new Set([
  ...['usage_events', 'usage_event_identity_ledger', 'symbols', 'detail_words', 'latest_header_snapshots'],
  ...['facts_tail', 'fact_segments', 'fact_segment_columns', 'fact_segment_sums', 'hourly_core', 'counters'],
  ...['schema_migrations', 'usage_data_migrations', 'sqlite_sequence'],
  // Unread work of account automation. Copies are history: their accounts are not at the gateway.
  'collected_batches',
]);

/** A new table with data derived from events must be added here too. */
function requireKnownTables(base: Database): void {
  const tables = base.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  for (const { name } of tables) {
    if (KNOWN_TABLES.has(name) || base.query(`SELECT 1 FROM "${name}" LIMIT 1`).get() === null) continue;
    throw new Error(`copies of events do not know the table ${name}`);
  }
  if (readCounter(base, 'implausible_timestamps') > 0) throw new Error('events at implausible times cannot be copied');
}
