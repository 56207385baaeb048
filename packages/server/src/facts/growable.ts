import { foldColumn, isFolded } from './case-folding.ts';
import { HASH_BYTES, type HashColumn, type HashValue, isOpaque, opaqueText } from './segment/hashes.ts';
import type { NumberColumn } from './segment/integers.ts';
import type { SymbolColumn } from './segment/symbol-codes.ts';
import { decodeTexts, encodeTexts, type TextColumn } from './segment/texts.ts';

/** A column of the tail that grows at its end. `column` is a view that later rows do not change. */
export interface Growable<Column> {
  readonly rows: () => number;
  /** @param place position of the column in each of the added rows */
  append(added: readonly (readonly unknown[])[], place: number): void;
  column(): Column;
}

const FIRST_CAPACITY = 4_096;

export function growableNumbers(): Growable<NumberColumn> {
  let values = new Float64Array(FIRST_CAPACITY);
  let rows = 0;
  return {
    rows: () => rows,
    append(added, place) {
      values = withRoom(values, rows + added.length);
      for (const row of added) values[rows++] = Number(row[place]);
    },
    column: () => ({ base: 0, values: values.subarray(0, rows) }),
  };
}

export function growableSymbols(): Growable<SymbolColumn> {
  const codeOf = new Map<number, number>();
  let set = new Uint32Array(64);
  let codes = new Uint32Array(FIRST_CAPACITY);
  let rows = 0;
  return {
    rows: () => rows,
    append(added, place) {
      codes = withRoom(codes, rows + added.length);
      for (const row of added) {
        const symbol = Number(row[place]);
        let code = codeOf.get(symbol);
        if (code === undefined) {
          code = codeOf.size;
          codeOf.set(symbol, code);
          set = withRoom(set, code + 1);
          set[code] = symbol;
        }
        codes[rows++] = code;
      }
    },
    column: () => ({ set: set.subarray(0, codeOf.size), codes: codes.subarray(0, rows) }),
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

type Room = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

function withRoom<Values extends Room>(values: Values, length: number): Values {
  if (length <= values.length) return values;
  const wide = new (values.constructor as new (length: number) => Values)(Math.max(length, values.length * 2));
  wide.set(values);
  return wide;
}
