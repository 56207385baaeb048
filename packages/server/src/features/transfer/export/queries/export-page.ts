import type { Database } from 'bun:sqlite';
import type { ReaderContext } from '../../../../sqlite/contexts.ts';
import { Transfer } from '../../../../sqlite/worker/transfer.ts';
import type { EventKey } from '../event-key.ts';
import { lineWriter } from '../lines/line-writer.ts';
import { FULL_BYTES, PAGE_BYTES } from '../page-size.ts';

export interface ExportPageArgs {
  /** Key of the last row of the previous page; null = from the start. */
  readonly after: EventKey | null;
  /** Key of the last row of this page; null = to the end. */
  readonly through: EventKey | null;
  /** Later events are not part of the export. */
  readonly lastId: number;
  /** Moved here for the lines; null = a new one is made. */
  readonly buffer: ArrayBuffer | null;
}

export interface ExportPage {
  /** Lines, each with its line feed. */
  readonly lines: Uint8Array<ArrayBuffer>;
  readonly rows: number;
  /** Key of the last row, if the page is full before its end; null = complete. */
  readonly fullAt: EventKey | null;
}

/**
 * Both read the index of `timestamp_ms`, whose entries end with the id, and each row by its id. See `export-bounds.ts` for why
 * events of one time are read separately.
 */
export const SAME_TIME_SQL = `
SELECT id, timestamp_ms, detail
FROM usage_events
WHERE timestamp_ms = ?
  AND id > ?
  AND id <= ?
ORDER BY id`;

export const BETWEEN_SQL = `
SELECT id, timestamp_ms, detail
FROM usage_events
WHERE timestamp_ms > ?
  AND timestamp_ms < ?
  AND id <= ?
ORDER BY timestamp_ms, id`;

interface Row {
  readonly id: number;
  readonly timestamp_ms: number;
  readonly detail: Uint8Array;
}

/** One page of export lines, as bytes: the main thread only passes them on. The statements end before it returns. */
export function exportPage({ db }: ReaderContext, args: ExportPageArgs): Transfer<ExportPage> {
  const writer = lineWriter(db);
  const { out } = writer;
  let rows = 0;
  let fullAt: EventKey | null = null;

  /** False when the page is full. */
  function add(part: Iterable<Row>): boolean {
    for (const { id, timestamp_ms, detail } of part) {
      writer.write(detail);
      rows += 1;
      if (out.length < FULL_BYTES) continue;
      fullAt = { timestampMs: timestamp_ms, id };
      return false;
    }
    return true;
  }

  out.start(args.buffer ?? new ArrayBuffer(PAGE_BYTES));
  for (const part of partsOf(db, args)) if (!add(part)) break;
  writer.rest();
  const lines = out.finish();
  return new Transfer({ lines, rows, fullAt }, [lines.buffer], args.buffer);
}

function* partsOf(db: Database, { after, through, lastId }: ExportPageArgs): Generator<Iterable<Row>, void> {
  const sameTime = db.query<Row, [number, number, number]>(SAME_TIME_SQL);
  if (after !== null) {
    // A page of a single time ends at its own bound.
    const end = through?.timestampMs === after.timestampMs ? through.id : lastId;
    yield sameTime.iterate(after.timestampMs, after.id, end);
  }
  const fromMs = after?.timestampMs ?? Number.MIN_SAFE_INTEGER;
  const throughMs = through?.timestampMs ?? Number.MAX_SAFE_INTEGER;
  if (throughMs <= fromMs) return;
  yield db.query<Row, [number, number, number]>(BETWEEN_SQL).iterate(fromMs, throughMs, lastId);
  if (through !== null) yield sameTime.iterate(through.timestampMs, 0, through.id);
}
