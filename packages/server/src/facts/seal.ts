import type { Database } from 'bun:sqlite';
import type { WriterContext } from '../db/contexts.ts';
import { SEGMENT_ROWS } from './columns.ts';
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
  const rows = readTail(db, rowCount);
  const columns = encodeSegment(rows);
  const times = rangeOf(rows.numbers.get('timestamp_ms') ?? new Float64Array(0));
  const segment = db
    .query<{ id: number }, [number, number, number, number, number, number]>(
      `INSERT INTO fact_segments
         (format, row_count, first_event_id, last_event_id, min_timestamp_ms, max_timestamp_ms)
       VALUES (?, ?, ?, ?, ?, ?)
       RETURNING id`,
    )
    .get(SEGMENT_FORMAT, rowCount, rows.eventIds[0] ?? 0, last.event_id, times.min, times.max);
  if (segment === null) throw new Error('segment row not written');
  const insert = db.query(
    `INSERT INTO fact_segment_columns (segment_id, name, encoding, min_value, max_value, checksum, data)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const column of columns) {
    insert.run(segment.id, column.name, column.encoding, column.min, column.max, column.checksum, column.data);
  }
  db.query('DELETE FROM facts_tail WHERE event_id <= ?').run(last.event_id);
  return true;
}

/** The oldest rows of the tail, column by column. */
function readTail(db: Database, rowCount: number): FactRows {
  const eventIds = new Float64Array(rowCount);
  const numbers = new Map<(typeof FACT_COLUMN_ENTRIES)[number][0], Float64Array>();
  const texts = new Map<(typeof FACT_COLUMN_ENTRIES)[number][0], string[]>();
  const hashes = new Map<(typeof FACT_COLUMN_ENTRIES)[number][0], HashValue[]>();
  const targets = FACT_COLUMN_ENTRIES.map(([name, kind]): unknown[] | Float64Array => {
    if (kind === 'text' || kind === 'bytes') {
      const values = new Array(rowCount);
      (kind === 'text' ? texts : hashes).set(name, values);
      return values;
    }
    const values = new Float64Array(rowCount);
    numbers.set(name, values);
    return values;
  });
  const read = db.query<never, [number, number]>(
    `SELECT ${[EVENT_ID_COLUMN, ...FACT_COLUMN_ENTRIES.map(([name]) => name)].join(', ')}
     FROM facts_tail
     WHERE event_id > ?
     ORDER BY event_id
     LIMIT ?`,
  );
  let row = 0;
  let after = Number.MIN_SAFE_INTEGER;
  while (row < rowCount) {
    const batch: readonly (readonly unknown[])[] = read.values(after, Math.min(READ_ROWS, rowCount - row));
    if (batch.length === 0) throw new Error('tail ended early');
    eventIds.set(
      batch.map((values) => Number(values[0])),
      row,
    );
    for (const [index, target] of targets.entries()) copyColumn(batch, index + 1, target, row);
    row += batch.length;
    after = eventIds[row - 1] ?? after;
  }
  return { eventIds, numbers, texts, hashes };
}

function copyColumn(
  batch: readonly (readonly unknown[])[],
  index: number,
  target: unknown[] | Float64Array,
  from: number,
): void {
  for (let row = 0; row < batch.length; row++) {
    const value = batch[row]?.[index];
    target[from + row] = value as number;
  }
}
