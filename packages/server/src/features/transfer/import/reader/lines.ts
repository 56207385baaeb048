import { RecordBuffer } from '../../../../platform/record-buffer.ts';
import type { Cursor, NeedsInput } from './input.ts';
import { MAX_RECORD_BYTES, recordTooLarge } from './refused.ts';

/** The bytes of one record; valid until the next one is read. */
export interface RecordBytes {
  readonly bytes: Uint8Array;
  /** Line of the payload on which it starts, from 1. */
  readonly line: number;
}

export const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Every line from the cursor to the end, including blank ones. A line ends with LF or CRLF; the last one needs no line end.
 */
export function* readLines(cursor: Cursor, firstLine: number): Generator<NeedsInput | RecordBytes, void> {
  const carried = new RecordBuffer(MAX_RECORD_BYTES);
  let line = firstLine;
  while (yield* cursor.fill()) {
    const end = cursor.bytes.indexOf(LINE_FEED, cursor.at);
    const piece = cursor.bytes.subarray(cursor.at, end < 0 ? cursor.bytes.length : end);
    cursor.at += piece.length;
    // One more, because the last byte may belong to the line end.
    if (carried.length + piece.length > MAX_RECORD_BYTES + 1) throw recordTooLarge(`line ${line}`);
    if (end < 0) {
      carried.append(piece);
      continue;
    }
    cursor.at += 1;
    const whole = carried.with(piece);
    const bytes = whole.at(-1) === CARRIAGE_RETURN ? whole.subarray(0, -1) : whole;
    if (bytes.length > MAX_RECORD_BYTES) throw recordTooLarge(`line ${line}`);
    yield { bytes, line };
    carried.clear();
    line += 1;
  }
  // A carriage return before the end of the payload is no line end.
  if (carried.length > MAX_RECORD_BYTES) throw recordTooLarge(`line ${line}`);
  if (carried.length > 0) yield { bytes: carried.view(), line };
}

/** Number of line ends in these bytes. */
export function countLineFeeds(bytes: Uint8Array): number {
  let count = 0;
  // By bytes: a search for each one would be slow where lines are short.
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === LINE_FEED) count += 1;
  return count;
}
