import { foldColumn, isFolded } from './case-folding.ts';
import { release } from './decode/release.ts';
import { HASH_BYTES, type HashColumn, type HashValue, isOpaque, opaqueText } from './segment/hashes.ts';
import { emptyOffsets, type NumberColumn, type OffsetArray, type Width, widthFor } from './segment/integers.ts';
import type { Codes, SymbolColumn } from './segment/symbol-codes.ts';
import { decodeTexts, encodeTexts, type TextColumn } from './segment/texts.ts';

/** A column of the tail that grows at its end. `column` is a view that later rows do not change. */
export interface Growable<Column> {
  readonly rows: () => number;
  /** @param place position of the column in each of the added rows */
  append(added: readonly (readonly unknown[])[], place: number): void;
  column(): Column;
}

const FIRST_CAPACITY = 4_096;

/** Whole numbers from 0 to 2^32 take 1, 2 or 4 bytes each, as many as the largest needs. */
export function growableNumbers(capacity: number = FIRST_CAPACITY): Growable<NumberColumn> {
  let values: OffsetArray = new Uint8Array(capacity);
  let rows = 0;
  return {
    rows: () => rows,
    append(added, place) {
      const numbers = new Float64Array(added.length);
      const largest = readNumbers(added, place, numbers);
      values = withWidth(values, rows + added.length, widthFor(largest));
      values.set(numbers, rows);
      release(numbers);
      rows += added.length;
    },
    column: () => ({ base: 0, values: values.subarray(0, rows) }),
  };
}

/** @returns the largest of the numbers; infinity if one is not a whole number of 32 bits */
function readNumbers(added: readonly (readonly unknown[])[], place: number, into: Float64Array): number {
  let largest = 0;
  for (let row = 0; row < added.length; row++) {
    const value = Number(added[row]?.[place]);
    into[row] = value;
    if (value >>> 0 !== value) largest = Number.POSITIVE_INFINITY;
    else if (value > largest) largest = value;
  }
  return largest;
}

export function growableSymbols(): Growable<SymbolColumn> {
  const codeOf = new Map<number, number>();
  let set = new Uint32Array(64);
  let codes: OffsetArray = new Uint8Array(FIRST_CAPACITY);
  let rows = 0;

  function codesOf(added: readonly (readonly unknown[])[], place: number): Uint32Array {
    const own = new Uint32Array(added.length);
    for (let row = 0; row < added.length; row++) {
      const symbol = Number(added[row]?.[place]);
      let code = codeOf.get(symbol);
      if (code === undefined) {
        code = codeOf.size;
        codeOf.set(symbol, code);
        set = withRoom(set, code + 1);
        set[code] = symbol;
      }
      own[row] = code;
    }
    return own;
  }

  return {
    rows: () => rows,
    append(added, place) {
      const own = codesOf(added, place);
      codes = withWidth(codes, rows + added.length, widthFor(codeOf.size - 1));
      codes.set(own, rows);
      release(own);
      rows += added.length;
    },
    // Never as wide as doubles.
    column: () => ({ set: set.subarray(0, codeOf.size), codes: codes.subarray(0, rows) as Codes }),
  };
}

export function growableTexts(folded: boolean): Growable<TextColumn> {
  let bytes = new Uint8Array(FIRST_CAPACITY * 8);
  let starts = new Uint32Array(FIRST_CAPACITY);
  let rows = 0;
  let length = 0;
  return {
    rows: () => rows,
    append(added, place) {
      // All at once, as in a segment.
      const { layout, payload } = encodeTexts(
        added.map((row) => String(row[place])),
        isFolded,
      );
      const decoded = decodeTexts(payload, added.length);
      const column = folded ? foldColumn(layout, decoded) : decoded;
      bytes = withRoom(bytes, length + column.bytes.length);
      bytes.set(column.bytes, length);
      starts = withRoom(starts, rows + added.length + 1);
      for (let row = 1; row <= added.length; row++) starts[rows + row] = length + (column.starts[row] ?? 0);
      rows += added.length;
      length += column.bytes.length;
    },
    column: () => ({ bytes: bytes.subarray(0, length), starts: starts.subarray(0, rows + 1) }),
  };
}

export function growableHashes(): Growable<HashColumn> {
  const opaque = new Map<number, string>();
  let bytes = new Uint8Array(FIRST_CAPACITY * HASH_BYTES);
  let rows = 0;
  return {
    rows: () => rows,
    append(added, place) {
      bytes = withRoom(bytes, (rows + added.length) * HASH_BYTES);
      for (const row of added) {
        const value = row[place] as HashValue;
        if (typeof value === 'string' || isOpaque(value)) opaque.set(rows, opaqueText(value));
        else bytes.set(value, rows * HASH_BYTES);
        rows++;
      }
    },
    column: () => ({ rows: bytes.subarray(0, rows * HASH_BYTES), opaque }),
  };
}

type Room = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

function withRoom<Values extends Room>(values: Values, length: number): Values {
  if (length <= values.length) return values;
  const wide = new (values.constructor as new (length: number) => Values)(grown(values.length, length));
  wide.set(values);
  return wide;
}

function withWidth(values: OffsetArray, length: number, width: Width): OffsetArray {
  const own = values.BYTES_PER_ELEMENT as Width;
  if (length <= values.length && width <= own) return values;
  const wide = emptyOffsets(
    width > own ? width : own,
    length <= values.length ? values.length : grown(values.length, length),
  );
  wide.set(values);
  return wide;
}

/** By half: a full tail is just longer than a power of two. */
function grown(room: number, length: number): number {
  return Math.max(length, room + (room >>> 1));
}
