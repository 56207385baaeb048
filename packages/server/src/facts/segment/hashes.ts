import { decodeTexts, encodeTexts, textAt } from './texts.ts';

/** Bytes of one event hash. */
export const HASH_BYTES = 32;

/** An event hash from SQLite: 32 bytes, or the text of an opaque one from an imported record. */
export type HashValue = Uint8Array | string;

export interface HashColumn {
  /** 32 bytes a row; zeros where the hash is opaque. */
  readonly rows: Uint8Array;
  /** Opaque hashes by row. */
  readonly opaque: ReadonlyMap<number, string>;
}

export type HashLayout = 'hashes' | 'hashes+opaque';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes that are not 32 long are the UTF-8 of an opaque hash. */
export function isOpaque(value: HashValue): boolean {
  return typeof value === 'string' || value.length !== HASH_BYTES;
}

export function opaqueText(value: HashValue): string {
  return typeof value === 'string' ? value : decoder.decode(value);
}

/** The encoding of all hashes at once. */
export function encodeHashes(values: readonly HashValue[]): ReturnType<HashEncoding['finish']> {
  const encoding = createHashEncoding(values.length);
  encoding.add(values);
  return encoding.finish();
}

/** Encodes a column slice by slice, so that only one slice of values is in memory. */
export interface HashEncoding {
  add(values: readonly HashValue[]): void;
  finish(): { readonly layout: HashLayout; readonly payload: Uint8Array };
}

/** Payload: 32 bytes per row; with opaque hashes also the texts of all rows, empty where the row is not opaque. */
export function createHashEncoding(count: number): HashEncoding {
  const rows = new Uint8Array(count * HASH_BYTES);
  let opaque: string[] | null = null;
  let row = 0;

  function add(values: readonly HashValue[]): void {
    for (const value of values) {
      if (typeof value !== 'string' && value.length === HASH_BYTES) rows.set(value, row * HASH_BYTES);
      else {
        opaque ??= new Array<string>(count).fill('');
        opaque[row] = opaqueText(value);
      }
      row++;
    }
  }

  function finish(): ReturnType<HashEncoding['finish']> {
    if (opaque === null) return { layout: 'hashes', payload: rows };
    const texts = encodeTexts(opaque, () => true).payload;
    const payload = new Uint8Array(rows.length + texts.length);
    payload.set(rows);
    payload.set(texts, rows.length);
    return { layout: 'hashes+opaque', payload };
  }

  return { add, finish };
}

export function decodeHashes(layout: HashLayout, payload: Uint8Array, count: number): HashColumn {
  const rows = payload.subarray(0, count * HASH_BYTES);
  const opaque = new Map<number, string>();
  if (layout === 'hashes+opaque') {
    const texts = decodeTexts(payload.subarray(count * HASH_BYTES), count);
    for (let row = 0; row < count; row++) {
      const text = textAt(texts, row);
      if (text !== '') opaque.set(row, text);
    }
  }
  return { rows, opaque };
}
