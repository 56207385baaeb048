import { bytesOf, emptyOffsets, type OffsetArray, type Width, widthFor } from './integers.ts';

/**
 * A text column ready to be searched: the UTF-8 of every row, each followed by one byte that occurs in no UTF-8, so that a
 * match can never span two rows.
 */
export interface TextColumn {
  readonly bytes: Uint8Array;
  /** Start of each row in `bytes`; one more entry than there are rows. */
  readonly starts: Uint32Array;
}

export const ROW_END = 0xff;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Payload: one byte for the width of the lengths, the lengths, then all bytes. */
export function encodeTexts(texts: readonly string[]): Uint8Array {
  const joined = encoder.encode(texts.join(''));
  const lengths = new Float64Array(texts.length);
  let longest = 0;
  // One pass over the code units of a row is cheaper than encoding each row by itself.
  for (const [row, text] of texts.entries()) {
    const length = text === '' ? 0 : Buffer.byteLength(text);
    lengths[row] = length;
    if (length > longest) longest = length;
  }
  const width = widthFor(longest);
  const narrow = emptyOffsets(width, texts.length);
  narrow.set(lengths);
  const payload = new Uint8Array(1 + narrow.byteLength + joined.byteLength);
  payload[0] = width;
  payload.set(bytesOf(narrow), 1);
  payload.set(joined, 1 + narrow.byteLength);
  return payload;
}

export function decodeTexts(payload: Uint8Array, rows: number): TextColumn {
  const lengths = lengthsOf(payload, rows);
  const source = payload.subarray(1 + lengths.byteLength);
  const bytes = new Uint8Array(source.byteLength + rows);
  const starts = new Uint32Array(rows + 1);
  let from = 0;
  let to = 0;
  for (let row = 0; row < rows; row++) {
    const length = lengths[row] ?? 0;
    starts[row] = to;
    if (length > 0) bytes.set(source.subarray(from, from + length), to);
    from += length;
    to += length;
    bytes[to++] = ROW_END;
  }
  starts[rows] = to;
  return { bytes, starts };
}

/** Builds the column of rows that are still texts, as the tail is. */
export function joinTexts(texts: readonly string[]): TextColumn {
  return decodeTexts(encodeTexts(texts), texts.length);
}

export function textAt(column: TextColumn, row: number): string {
  return decoder.decode(column.bytes.subarray(column.starts[row] ?? 0, (column.starts[row + 1] ?? 1) - 1));
}

function lengthsOf(payload: Uint8Array, rows: number): OffsetArray {
  const width = payload[0] as Width;
  const bytes = payload.slice(1, 1 + rows * width);
  if (width === 1) return bytes;
  return width === 2 ? new Uint16Array(bytes.buffer) : new Uint32Array(bytes.buffer);
}
