import { isAscii } from 'node:buffer';
import { bytesOf, narrowed, type OffsetArray, type Width, widthFor } from './integers.ts';

/**
 * A searchable text column: the UTF-8 of every row, each followed by one byte that does not occur in UTF-8, so that a
 * match can never span two rows.
 */
export interface TextColumn {
  readonly bytes: Uint8Array;
  /** Start of each row in `bytes`; one more entry than there are rows. */
  readonly starts: Uint32Array;
}

export const ROW_END = 0xff;
const ROW_END_TEXT = '\xff';

/** What is known about all texts of a column, so that folding it for search costs little or nothing. */
export type TextLayout = 'texts' | 'texts-ascii' | 'texts-folded';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Payload: one byte for the width of the lengths, the lengths, then the bytes of the column.
 *
 * @param isFolded whether folding changes none of the texts
 */
export function encodeTexts(
  texts: readonly string[],
  isFolded: (text: string) => boolean,
): { readonly layout: TextLayout; readonly payload: Uint8Array } {
  const together = texts.join('');
  const ascii = isAscii(Buffer.from(together));
  // In ASCII every row has as many bytes as characters, and the runtime writes all rows at once.
  const bytes = ascii ? Buffer.from(texts.join(ROW_END_TEXT) + ROW_END_TEXT, 'latin1') : joinRows(texts);
  const lengths = new Float64Array(texts.length);
  let longest = 0;
  for (let row = 0; row < texts.length; row++) {
    const text = texts[row] ?? '';
    const length = ascii ? text.length : Buffer.byteLength(text);
    lengths[row] = length;
    if (length > longest) longest = length;
  }
  const width = widthFor(longest);
  const narrow = narrowed(lengths, width);
  const payload = new Uint8Array(1 + narrow.byteLength + bytes.byteLength);
  payload[0] = width;
  payload.set(bytesOf(narrow), 1);
  payload.set(bytes, 1 + narrow.byteLength);
  return { layout: isFolded(together) ? 'texts-folded' : ascii ? 'texts-ascii' : 'texts', payload };
}

export function decodeTexts(payload: Uint8Array, rows: number): TextColumn {
  const lengths = lengthsOf(payload, rows);
  const starts = new Uint32Array(rows + 1);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    starts[row] = at;
    at += (lengths[row] ?? 0) + 1;
  }
  starts[rows] = at;
  return { bytes: payload.subarray(1 + lengths.byteLength), starts };
}

export function textAt(column: TextColumn, row: number): string {
  return decoder.decode(column.bytes.subarray(column.starts[row] ?? 0, (column.starts[row + 1] ?? 1) - 1));
}

function joinRows(texts: readonly string[]): Uint8Array {
  const encoder = new TextEncoder();
  const bytes = new Uint8Array(texts.reduce((sum, text) => sum + text.length * 3 + 1, 0));
  let at = 0;
  for (const text of texts) {
    at += encoder.encodeInto(text, bytes.subarray(at)).written;
    bytes[at++] = ROW_END;
  }
  return bytes.subarray(0, at);
}

function lengthsOf(payload: Uint8Array, rows: number): OffsetArray {
  const width = payload[0] as Width;
  const bytes = payload.slice(1, 1 + rows * width);
  if (width === 1) return bytes;
  return width === 2 ? new Uint16Array(bytes.buffer) : new Uint32Array(bytes.buffer);
}
