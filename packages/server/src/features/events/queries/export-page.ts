import { exportLine } from '@manager/core/usage/export-line';
import type { ReaderContext } from '../../../db/contexts.ts';
import { eventDecoder } from '../../../db/event-decoder.ts';
import { Transfer } from '../../../db/worker/transfer.ts';

export interface ExportPageArgs {
  /** Key of the last row of the page before; null = from the start. */
  readonly after: EventKey | null;
  readonly lastId: number;
}

export interface EventKey {
  readonly timestampMs: number;
  readonly id: number;
}

export interface ExportPage {
  /** Lines, each with its line feed. */
  readonly lines: Uint8Array<ArrayBuffer>;
  readonly rows: number;
  /** Key of the last row; null = there are no further rows. */
  readonly next: EventKey | null;
}

const PAGE_ROWS = 2_048;
/** Rows can be megabytes, so a page also ends here. */
const PAGE_BYTES = 1024 * 1024;

/** Walks the index of `timestamp_ms` (whose entries end with the id) and reads each row by its id. */
export const EXPORT_PAGE_SQL = `
SELECT id, timestamp_ms, detail
FROM usage_events
WHERE (timestamp_ms, id) > (?, ?)
  AND id <= ?
ORDER BY timestamp_ms, id
LIMIT ${PAGE_ROWS}`;

interface Row {
  readonly id: number;
  readonly timestamp_ms: number;
  readonly detail: Uint8Array;
}

const encoder = new TextEncoder();

/** One page of export lines, as bytes: the main thread only passes them on. The statement ends before it returns. */
export function exportPage({ db }: ReaderContext, args: ExportPageArgs): Transfer<ExportPage> {
  const decode = eventDecoder(db);
  const after = args.after ?? { timestampMs: Number.MIN_SAFE_INTEGER, id: 0 };
  let text = '';
  let rows = 0;
  let last: EventKey | null = null;
  let complete = true;
  const statement = db.query<Row, [number, number, number]>(EXPORT_PAGE_SQL);
  for (const row of statement.iterate(after.timestampMs, after.id, args.lastId)) {
    text += `${exportLine(decode(row.detail, { raw: false }))}\n`;
    rows += 1;
    last = { timestampMs: row.timestamp_ms, id: row.id };
    if (text.length >= PAGE_BYTES) {
      complete = false;
      break;
    }
  }
  const lines = encoder.encode(text);
  return new Transfer({ lines, rows, next: complete && rows < PAGE_ROWS ? null : last }, [lines.buffer]);
}
