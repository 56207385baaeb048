import type { Database } from 'bun:sqlite';
import type { WriterContext } from '../db/contexts.ts';
import { type FactColumn, type FactColumnKind, SEGMENT_ROWS } from './columns.ts';
import {
  EVENT_ID_COLUMN,
  encodeSegment,
  FACT_COLUMN_ENTRIES,
  type FactRows,
  SEGMENT_FORMAT,
} from './segment/encode.ts';
import type { HashValue } from './segment/hashes.ts';
import { rangeOf } from './segment/integers.ts';

/** Rows read at once: bounds the memory of rows that are still JavaScript arrays. */
const READ_ROWS = 8_192;

const TEXT_COLUMNS = columnsOf('text');
const HASH_COLUMNS = columnsOf('bytes');
const NUMBER_COLUMNS = columnsOf('symbol', 'count', 'optional', 'time', 'hash32');

/**
 * Turns the oldest 65,536 rows of the tail into one segment, in one transaction. False when the tail is shorter.
 * Blocks the writer, so it must stay fast (about 0.2 s).
 */
export function sealTail(context: WriterContext, rowCount: number = SEGMENT_ROWS): boolean {
  const { db } = context;
  return db.transaction(() => seal(db, rowCount)).immediate();
}

function seal(db: Database, rowCount: number): boolean {
  const last = db
    .query<{ event_id: number }, [number]>('SELECT event_id FROM facts_tail ORDER BY event_id LIMIT 1 OFFSET ?')
    .get(rowCount - 1);
  if (last === null) return false;
  writeSegment(db, readTail(db, rowCount));
  db.query('DELETE FROM facts_tail WHERE event_id <= ?').run(last.event_id);
  return true;
}

/** Writes rows, at least one, as a segment; inside the transaction of the caller. */
export function writeSegment(db: Database, rows: FactRows): void {
  const times = rangeOf(rows.numbers.get('timestamp_ms') ?? new Float64Array(0));
  const count = rows.eventIds.length;
  const segment = db
    .query<{ id: number }, [number, number, number, number, number, number]>(
      `INSERT INTO fact_segments
         (format, row_count, first_event_id, last_event_id, min_timestamp_ms, max_timestamp_ms)
       VALUES (?, ?, ?, ?, ?, ?)
       RETURNING id`,
    )
    .get(SEGMENT_FORMAT, count, rows.eventIds[0] ?? 0, rows.eventIds[count - 1] ?? 0, times.min, times.max);
  if (segment === null) throw new Error('segment row not written');
  const insert = db.query(
    `INSERT INTO fact_segment_columns (segment_id, name, encoding, min_value, max_value, checksum, data)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const column of encodeSegment(rows)) {
    insert.run(segment.id, column.name, column.encoding, column.min, column.max, column.checksum, column.data);
  }
}

/** The oldest rows of the tail, column by column. */
function readTail(db: Database, rowCount: number): FactRows {
  const eventIds = new Float64Array(rowCount);
  const numbers = new Map(NUMBER_COLUMNS.map((name) => [name, new Float64Array(rowCount)]));
  const texts = new Map(TEXT_COLUMNS.map((name) => [name, new Array<string>(rowCount)]));
  const hashes = new Map(HASH_COLUMNS.map((name) => [name, new Array<HashValue>(rowCount)]));
  // Reads by the primary key. Numbers first, so that one loop takes them all.
  const read = db.query<never, [number, number]>(
    `SELECT ${[EVENT_ID_COLUMN, ...NUMBER_COLUMNS, ...TEXT_COLUMNS, ...HASH_COLUMNS].join(', ')}
     FROM facts_tail
     WHERE event_id > ?
     ORDER BY event_id
     LIMIT ?`,
  );
  const numberTargets = [eventIds, ...numbers.values()];
  const otherTargets = [...texts.values(), ...hashes.values()];
  let from = 0;
  let after = Number.MIN_SAFE_INTEGER;
  while (from < rowCount) {
    const batch = read.values(
      after,
      Math.min(READ_ROWS, rowCount - from),
    ) as unknown as readonly (readonly unknown[])[];
    if (batch.length === 0) throw new Error('tail ended early');
    for (const [column, target] of numberTargets.entries()) copyNumbers(batch, column, target, from);
    for (const [index, target] of otherTargets.entries()) copyOthers(batch, numberTargets.length + index, target, from);
    from += batch.length;
    after = eventIds[from - 1] ?? after;
  }
  return { eventIds, numbers, texts, hashes };
}

function copyNumbers(batch: readonly (readonly unknown[])[], column: number, target: Float64Array, from: number): void {
  for (let row = 0; row < batch.length; row++) target[from + row] = batch[row]?.[column] as number;
}

function copyOthers(batch: readonly (readonly unknown[])[], column: number, target: unknown[], from: number): void {
  for (let row = 0; row < batch.length; row++) target[from + row] = batch[row]?.[column];
}

function columnsOf(...kinds: readonly FactColumnKind[]): FactColumn[] {
  return FACT_COLUMN_ENTRIES.filter(([, kind]) => kinds.includes(kind)).map(([name]) => name);
}
