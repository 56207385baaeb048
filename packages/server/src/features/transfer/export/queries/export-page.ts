import type { ReaderContext } from '../../../../sqlite/contexts.ts';
import { Transfer } from '../../../../sqlite/worker/transfer.ts';
import type { EventKey } from '../event-key.ts';
import { lineWriter } from '../lines/line-writer.ts';

export interface ExportPageArgs {
  /** Key of the last row of the previous page; null = from the start. */
  readonly after: EventKey | null;
  /** Key of the last row of this page; null = to the end. */
  readonly through: EventKey | null;
  /** Later events are not part of the export. */
  readonly lastId: number;
}

export interface ExportPage {
  /** Lines, each with its line feed. */
  readonly lines: Uint8Array<ArrayBuffer>;
  readonly rows: number;
}

/**
 * Both read the index of `timestamp_ms`, whose entries end with the id, and each row by its id. See `export-bounds.ts` for why
 * events of one time are read separately.
 */
export const SAME_TIME_SQL = `
SELECT detail
FROM usage_events
WHERE timestamp_ms = ?
  AND id > ?
  AND id <= ?
ORDER BY id`;

export const BETWEEN_SQL = `
SELECT detail
FROM usage_events
WHERE timestamp_ms > ?
  AND timestamp_ms < ?
  AND id <= ?
ORDER BY timestamp_ms, id`;

interface Row {
  readonly detail: Uint8Array;
}

/** One page of export lines, as bytes: the main thread only passes them on. The statements end before it returns. */
export function exportPage({ db }: ReaderContext, args: ExportPageArgs): Transfer<ExportPage> {
  const { after, through, lastId } = args;
  const writer = lineWriter(db);
  let rows = 0;
  const add = (row: Row) => {
    writer.write(row.detail);
    rows += 1;
  };
  writer.out.cut(0);
  const sameTime = db.query<Row, [number, number, number]>(SAME_TIME_SQL);
  const between = db.query<Row, [number, number, number]>(BETWEEN_SQL);
  if (after !== null) {
    // A page of a single time ends at its own bound.
    const end = through?.timestampMs === after.timestampMs ? through.id : lastId;
    for (const row of sameTime.iterate(after.timestampMs, after.id, end)) add(row);
  }
  const fromMs = after?.timestampMs ?? Number.MIN_SAFE_INTEGER;
  const throughMs = through?.timestampMs ?? Number.MAX_SAFE_INTEGER;
  if (throughMs > fromMs) {
    for (const row of between.iterate(fromMs, throughMs, lastId)) add(row);
    if (through !== null) for (const row of sameTime.iterate(through.timestampMs, 0, through.id)) add(row);
  }
  const lines = writer.out.take();
  writer.rest();
  return new Transfer({ lines, rows }, [lines.buffer]);
}
