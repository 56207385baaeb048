import { isAscii } from 'node:buffer';
import { release } from '../decode/release.ts';
import { bytesOf, emptyOffsets, narrowed, type OffsetArray, type Width, widthFor } from './integers.ts';

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

/** Encodes a column slice by slice, so that only one slice of texts is in memory. */
export interface TextEncoding {
  /** Adds non-empty `texts`. */
  add(texts: readonly string[]): void;
  finish(): { readonly layout: TextLayout; readonly payload: Uint8Array };
}

/** The encoding of all texts at once. */
export function encodeTexts(
  texts: readonly string[],
  isFolded: (text: string) => boolean,
): ReturnType<TextEncoding['finish']> {
  const encoding = createTextEncoding(isFolded);
  encoding.add(texts);
  return encoding.finish();
}

/**
 * Payload: one byte for the width of the lengths, the lengths, then the bytes of the column.
 *
 * @param isFolded whether folding changes none of the texts
 */
export function createTextEncoding(isFolded: (text: string) => boolean): TextEncoding {
  const slices: { readonly lengths: OffsetArray; readonly bytes: Uint8Array }[] = [];
  let rows = 0;
  let byteCount = 0;
  let longest = 0;
  let allAscii = true;
  let allFolded = true;

  function add(texts: readonly string[]): void {
    const together = texts.join('');
    const ascii = isAscii(Buffer.from(together));
    // In ASCII every row has as many bytes as characters, and the runtime writes all rows at once.
    const bytes = ascii ? Buffer.from(texts.join(ROW_END_TEXT) + ROW_END_TEXT, 'latin1') : joinRows(texts);
    const lengths = new Float64Array(texts.length);
    let longestHere = 0;
    for (let row = 0; row < texts.length; row++) {
      const text = texts[row] ?? '';
      const length = ascii ? text.length : Buffer.byteLength(text);
      lengths[row] = length;
      if (length > longestHere) longestHere = length;
    }
    slices.push({ lengths: narrowed(lengths, widthFor(longestHere)), bytes });
    release(lengths);
    rows += texts.length;
    byteCount += bytes.byteLength;
    longest = Math.max(longest, longestHere);
    allAscii &&= ascii;
    allFolded &&= isFolded(together);
  }

  function finish() {
    const width = widthFor(longest);
    const lengths = emptyOffsets(width, rows);
    const payload = new Uint8Array(1 + lengths.byteLength + byteCount);
    payload[0] = width;
    let row = 0;
    let at = 1 + lengths.byteLength;
    for (const slice of slices) {
      lengths.set(slice.lengths, row);
      payload.set(slice.bytes, at);
      row += slice.lengths.length;
      at += slice.bytes.byteLength;
      release(slice.bytes);
    }
    payload.set(bytesOf(lengths), 1);
    const layout: TextLayout = allFolded ? 'texts-folded' : allAscii ? 'texts-ascii' : 'texts';
    return { layout, payload };
  }

  return { add, finish };
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
