import type { Database } from 'bun:sqlite';
import { stopPoint } from '../platform/stop-point.ts';
import type { WriterContext } from '../sqlite/contexts.ts';
import { type FactColumn, type FactColumnKind, SEGMENT_ROWS } from './columns.ts';
import { type Growable, growableNumbers } from './growable.ts';
import { readSealedUntil, SEALED_UNTIL } from './sealed-until.ts';
import {
  EVENT_ID_COLUMN,
  encodeSegment,
  FACT_COLUMN_ENTRIES,
  type FactRows,
  SEGMENT_FORMAT,
} from './segment/encode.ts';
import type { HashValue } from './segment/hashes.ts';
import { createWidener, type NumberColumn, type OffsetArray, rangeOf } from './segment/integers.ts';
import { type EncodedSegment, type EncodedSums, makeSumsOf } from './sums/make.ts';
import { insertSums } from './sums/write.ts';

/** Rows read at once, with all numbers or with one text: bounds the memory of rows that are still JavaScript arrays. */
const READ_ROWS = 4_096;
const READ_TEXTS = 16_384;

const NUMBER_COLUMNS = columnsOf('symbol', 'count', 'optional', 'time', 'hash32');

/** A segment that is ready to replace the oldest rows of the tail. */
export interface SealedTail extends EncodedSegment {
  readonly sums: readonly EncodedSums[];
}

/*
 * Sealing must not delay ingest. Reading and encoding 65,536 rows takes most of a second, so it happens on a separate
 * connection: rows of the tail never change, and new ones are only added at the end. The writer then adds the segment
 * in one transaction; from then on its rows no longer count as tail (`SEALED_UNTIL`). They are deleted in slices:
 * deleting all of them at once writes 12 MB to the WAL and stops the writer for 0.14 s.
 */

/** Rows deleted in one transaction; about 15 ms. */
const TRIM_ROWS = 8_192;

/**
 * Encodes the oldest `rowCount` rows of the tail; null when it is shorter. For a connection other than the writer's.
 *
 * @param onGarbage called whenever some megabytes of read data are no longer needed
 */
export function encodeTail(
  db: Database,
  rowCount: number = SEGMENT_ROWS,
  onGarbage: () => void = () => {},
): SealedTail | null {
  const encode = db.transaction(() => {
    const rows = readTail(db, rowCount, onGarbage);
    return rows === null ? null : encodedRows(rows);
  });
  const segment = encode.deferred();
  if (segment === null) return null;
  // The rows are no longer needed.
  onGarbage();
  return { ...segment, sums: makeSumsOf(segment, onGarbage) };
}

/**
 * Adds the segment in place of its rows, in one transaction: a reader sees each fact once, before and after. Returns
 * false without a change when those are not the oldest rows of the tail any more.
 */
export function replaceTail({ db }: WriterContext, sealed: SealedTail): boolean {
  const isWhole = db.query<{ rows: number; first: number | null; last: number | null }, [number]>(
    `SELECT count(*) AS rows, min(event_id) AS first, max(event_id) AS last
     FROM facts_tail
     WHERE event_id > ${SEALED_UNTIL} AND event_id <= ?`,
  );
  return db
    .transaction(() => {
      const found = isWhole.get(sealed.lastEventId);
      const same =
        found?.rows === sealed.rowCount && found.first === sealed.firstEventId && found.last === sealed.lastEventId;
      if (same) insertSegment(db, sealed);
      return same;
    })
    .immediate();
}

/** Deletes the next slice of rows that a segment holds. False when none is left. */
export function trimTail({ db }: WriterContext): boolean {
  const remove = db.query(
    `DELETE FROM facts_tail
     WHERE event_id <= min(${SEALED_UNTIL}, (SELECT min(event_id) FROM facts_tail) + ?)`,
  );
  const trimmed = db.transaction(() => remove.run(TRIM_ROWS - 1).changes > 0).immediate();
  stopPoint('tail_slice_trimmed');
  return trimmed;
}

/** Number of sealed rows in the tail that are not deleted yet. */
export function countSealedRows(db: Database): number {
  const sql = `SELECT count(*) AS rows FROM facts_tail WHERE event_id <= ${SEALED_UNTIL}`;
  return db.query<{ rows: number }, []>(sql).get()?.rows ?? 0;
}

/** All steps of sealing on the writer's connection. False when the tail is too short. */
export function sealTail(context: WriterContext, rowCount: number = SEGMENT_ROWS): boolean {
  const sealed = encodeTail(context.db, rowCount);
  if (sealed === null || !replaceTail(context, sealed)) return false;
  while (trimTail(context)) {
    // The next slice.
  }
  return true;
}

function encodedRows(rows: FactRows): EncodedSegment {
  const { eventIds } = rows;
  const times = rangeOf(createWidener()(rows.numbers.get('timestamp_ms') ?? new Float64Array(0)));
  return {
    rowCount: eventIds.length,
    firstEventId: eventIds[0] ?? 0,
    lastEventId: eventIds[eventIds.length - 1] ?? 0,
    minTimestampMs: times.min,
    maxTimestampMs: times.max,
    columns: encodeSegment(rows),
  };
}

function insertSegment(db: Database, sealed: SealedTail): void {
  const segment = db
    .query<{ id: number }, [number, number, number, number, number, number]>(
      `INSERT INTO fact_segments
         (format, row_count, first_event_id, last_event_id, min_timestamp_ms, max_timestamp_ms)
       VALUES (?, ?, ?, ?, ?, ?)
       RETURNING id`,
    )
    .get(
      SEGMENT_FORMAT,
      sealed.rowCount,
      sealed.firstEventId,
      sealed.lastEventId,
      sealed.minTimestampMs,
      sealed.maxTimestampMs,
    );
  if (segment === null) throw new Error('segment row not written');
  const insert = db.query(
    `INSERT INTO fact_segment_columns (segment_id, name, encoding, min_value, max_value, checksum, data)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const column of sealed.columns) {
    insert.run(segment.id, column.name, column.encoding, column.min, column.max, column.checksum, column.data);
  }
  insertSums(db, segment.id, sealed.sums);
}

/**
 * The oldest rows of the tail, column by column; null when it is shorter. Texts and hashes need more memory than all
 * numbers: they are read one column at a time, on demand.
 */
function readTail(db: Database, rowCount: number, onGarbage: () => void): FactRows | null {
  const sealedUntil = readSealedUntil(db);
  const last = db
    .query<{ event_id: number }, [number, number]>(
      'SELECT event_id FROM facts_tail WHERE event_id > ? ORDER BY event_id LIMIT 1 OFFSET ?',
    )
    .get(sealedUntil, rowCount - 1);
  if (last === null) return null;
  const range = { after: sealedUntil, through: last.event_id, onGarbage };
  const eventIds = growableNumbers(rowCount);
  const numbers = new Map(NUMBER_COLUMNS.map((name) => [name, growableNumbers(rowCount)]));
  const targets = [eventIds, ...numbers.values()];
  // All numbers at once, in one loop.
  for (const batch of batchesOf(db, NUMBER_COLUMNS, range, READ_ROWS)) {
    for (const [place, target] of targets.entries()) target.append(batch, place);
  }
  if (eventIds.rows() !== rowCount) throw new Error('tail ended early');
  return {
    eventIds: valuesOf(eventIds),
    numbers: new Map(Array.from(numbers, ([name, column]) => [name, valuesOf(column)])),
    texts: { get: (name) => slicesOf<string>(db, name, range) },
    hashes: { get: (name) => slicesOf<HashValue>(db, name, range) },
  };
}

interface TailRange {
  readonly after: number;
  readonly through: number;
  readonly onGarbage: () => void;
}

/** Rows of event id and columns, in the order of the ids. */
function* batchesOf(
  db: Database,
  columns: readonly FactColumn[],
  { after, through, onGarbage }: TailRange,
  rows: number,
): Generator<readonly (readonly unknown[])[]> {
  // Reads by the primary key.
  const read = db.query<never, [number, number, number]>(
    `SELECT ${[EVENT_ID_COLUMN, ...columns].join(', ')}
     FROM facts_tail
     WHERE event_id > ? AND event_id <= ?
     ORDER BY event_id
     LIMIT ?`,
  );
  for (let last = after; last < through; ) {
    const batch: readonly (readonly unknown[])[] = read.values(last, through, rows);
    yield batch;
    last = Number(batch.at(-1)?.[0] ?? through);
    onGarbage();
  }
}

function* slicesOf<Value>(db: Database, name: FactColumn, range: TailRange): Generator<readonly Value[]> {
  for (const batch of batchesOf(db, [name], range, READ_TEXTS)) yield batch.map((row) => row[1] as Value);
}

function valuesOf(column: Growable<NumberColumn>): OffsetArray {
  return column.column().values ?? new Uint8Array(0);
}

function columnsOf(...kinds: readonly FactColumnKind[]): FactColumn[] {
  return FACT_COLUMN_ENTRIES.filter(([, kind]) => kinds.includes(kind)).map(([name]) => name);
}
