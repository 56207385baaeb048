import type { Database } from 'bun:sqlite';
import { exportLine } from '@manager/core/usage/export-line';
import type { ReaderContext } from '../../../db/contexts.ts';
import { eventDecoder } from '../../../db/event-decoder.ts';
import { Transfer } from '../../../db/worker/transfer.ts';
import type { EventKey } from '../event-key.ts';

export interface ExportPageArgs {
  /** Key of the last row of the page before; null = from the start. */
  readonly after: EventKey | null;
  readonly lastId: number;
}

export interface ExportPage {
  /** Lines, each with its line feed. */
  readonly lines: Uint8Array<ArrayBuffer>;
  readonly rows: number;
  /** Key of the last row; null = there are no further rows. A page may also turn out to be empty. */
  readonly next: EventKey | null;
}

const PAGE_ROWS = 2_048;
/** Rows can be megabytes, so a page also ends here. */
const PAGE_BYTES = 1024 * 1024;

/**
 * Both walk the index of `timestamp_ms`, whose entries end with the id, and read each row by its id. They are two statements
 * because a comparison of the pair `(timestamp_ms, id)` would look at every row of the same time again for each page.
 */
export const EXPORT_SAME_TIME_SQL = `
SELECT id, timestamp_ms, detail
FROM usage_events
WHERE timestamp_ms = ?
  AND id > ?
  AND id <= ?
ORDER BY id`;

export const EXPORT_LATER_SQL = `
SELECT id, timestamp_ms, detail
FROM usage_events
WHERE timestamp_ms > ?
  AND id <= ?
ORDER BY timestamp_ms, id`;

interface Row {
  readonly id: number;
  readonly timestamp_ms: number;
  readonly detail: Uint8Array;
}

const encoder = new TextEncoder();

/** One page of export lines, as bytes: the main thread only passes them on. The statements end before it returns. */
export function exportPage({ db }: ReaderContext, args: ExportPageArgs): Transfer<ExportPage> {
  const decode = eventDecoder(db);
  let text = '';
  let rows = 0;
  let next: EventKey | null = null;
  for (const row of rowsAfter(db, args)) {
    text += `${exportLine(decode(row.detail, { raw: false }))}\n`;
    rows += 1;
    if (rows === PAGE_ROWS || text.length >= PAGE_BYTES) {
      next = { timestampMs: row.timestamp_ms, id: row.id };
      break;
    }
  }
  const lines = encoder.encode(text);
  return new Transfer({ lines, rows, next }, [lines.buffer]);
}

function* rowsAfter(db: Database, { after, lastId }: ExportPageArgs): Generator<Row, void> {
  if (after !== null) {
    yield* db.query<Row, [number, number, number]>(EXPORT_SAME_TIME_SQL).iterate(after.timestampMs, after.id, lastId);
  }
  const later = db.query<Row, [number, number]>(EXPORT_LATER_SQL);
  yield* later.iterate(after?.timestampMs ?? Number.MIN_SAFE_INTEGER, lastId);
}
