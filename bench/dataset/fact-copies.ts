import type { Database } from 'bun:sqlite';
import type { UsageEvent } from '@manager/core/usage/event';
import { FACT_COLUMNS, type FactColumn } from '../../packages/server/src/facts/columns.ts';
import { packColumn } from '../../packages/server/src/facts/segment/blob.ts';
import { type EncodedColumn, EVENT_ID_COLUMN, SEGMENT_FORMAT } from '../../packages/server/src/facts/segment/encode.ts';
import { encodeHashes } from '../../packages/server/src/facts/segment/hashes.ts';
import { encodeIntegers, rangeOf } from '../../packages/server/src/facts/segment/integers.ts';
import { taskKey, taskKeyHash } from '../../packages/server/src/facts/task-key.ts';

/** Facts of copied events: values derived from their time are new, the rest is copied. */
export interface FactCopies {
  begin(rows: number, firstEventId: number): BlockCopy;
  /** A segment whose other columns are copied in packed form from a segment of the base. */
  writeSegment(baseSegmentId: number, copy: BlockCopy): void;
  /** Rows of the tail whose other columns are copied from the base's tail. */
  writeTail(base: { readonly firstEventId: number }, copy: BlockCopy): void;
}

export interface BlockCopy {
  readonly ids: Float64Array;
  readonly times: Float64Array;
  readonly taskKeys: readonly [high: Float64Array, low: Float64Array];
  readonly hashes: Uint8Array[];
  put(row: number, event: UsageEvent, hash: Uint8Array): void;
}

const TAIL_COLUMNS = Object.keys(FACT_COLUMNS) as FactColumn[];

export function createFactCopies(base: Database, db: Database): FactCopies {
  const insertSegment = db.query<{ id: number }, number[]>(
    `INSERT INTO fact_segments (format, row_count, first_event_id, last_event_id, min_timestamp_ms, max_timestamp_ms)
     VALUES (?, ?, ?, ?, ?, ?)
     RETURNING id`,
  );
  const insertColumn = db.query(
    `INSERT INTO fact_segment_columns (segment_id, name, encoding, min_value, max_value, checksum, data)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const baseColumns = base.query<EncodedColumn, [number]>(
    `SELECT name, encoding, min_value AS min, max_value AS max, checksum, data
     FROM fact_segment_columns
     WHERE segment_id = ?`,
  );
  const tail = base.query<never, [number, number]>(
    `SELECT ${TAIL_COLUMNS.join(', ')}
     FROM facts_tail
     WHERE event_id >= ?
     ORDER BY event_id
     LIMIT ?`,
  );
  const insertTail = db.query(
    `INSERT INTO facts_tail (event_id, ${TAIL_COLUMNS.join(', ')}) VALUES (?${', ?'.repeat(TAIL_COLUMNS.length)})`,
  );

  return {
    begin(rows, firstEventId) {
      const times = new Float64Array(rows);
      const high = new Float64Array(rows);
      const low = new Float64Array(rows);
      const hashes = new Array<Uint8Array>(rows);
      return {
        ids: Float64Array.from({ length: rows }, (_, row) => firstEventId + row),
        times,
        taskKeys: [high, low],
        hashes,
        put(row, event, hash) {
          const task = taskKeyHash(taskKey(event.timestamp, event.source_hash, event.auth_index));
          times[row] = event.timestamp_ms;
          high[row] = task.high;
          low[row] = task.low;
          hashes[row] = hash;
        },
      };
    },

    writeSegment(baseSegmentId, { ids, times, taskKeys, hashes }) {
      const { min, max } = rangeOf(times);
      const segment = insertSegment.get(SEGMENT_FORMAT, ids.length, ids[0] ?? 0, ids.at(-1) ?? 0, min, max);
      if (segment === null) throw new Error('segment row not written');
      const hashColumn = encodeHashes(hashes);
      const made: readonly EncodedColumn[] = [
        integers(EVENT_ID_COLUMN, ids, true),
        integers('timestamp_ms', times, true),
        integers('task_key_high', taskKeys[0], false),
        integers('task_key_low', taskKeys[1], false),
        { name: 'event_hash', min: null, max: null, ...packColumn(hashColumn.layout, hashColumn.payload) },
      ];
      const names = new Set(made.map(({ name }) => name));
      const taken = baseColumns.all(baseSegmentId).filter(({ name }) => !names.has(name));
      for (const { name, encoding, min: least, max: most, checksum, data } of [...made, ...taken]) {
        insertColumn.run(segment.id, name, encoding, least, most, checksum, data);
      }
    },

    writeTail({ firstEventId }, { ids, times, taskKeys, hashes }) {
      const rows = tail.values(firstEventId, ids.length) as unknown as readonly (readonly (
        | number
        | string
        | Uint8Array
      )[])[];
      for (const [row, values] of rows.entries()) {
        const own: Partial<Record<FactColumn, number | Uint8Array | undefined>> = {
          timestamp_ms: times[row],
          task_key_high: taskKeys[0][row],
          task_key_low: taskKeys[1][row],
          event_hash: hashes[row],
        };
        insertTail.run(ids[row] ?? 0, ...TAIL_COLUMNS.map((name, index) => own[name] ?? values[index] ?? 0));
      }
    },
  };
}

function integers(name: string, values: Float64Array, orderly: boolean): EncodedColumn {
  const { layout, min, max, payload } = encodeIntegers(values, orderly);
  return { name, min, max, ...packColumn(layout, payload) };
}
