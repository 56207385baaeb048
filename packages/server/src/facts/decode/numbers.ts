import { aligned, decodeIntegers, type IntegerLayout, type NumberColumn } from '../segment/integers.ts';
import { type PackedColumn, packed, packedBytes } from './packed.ts';
import { release } from './release.ts';

/** A number column as a segment stores it: as the difference to the sum of its summands, if it has any. */
export interface StoredNumbers {
  readonly column: PackedColumn;
  /** Whether the values of the summands have to be added. */
  readonly isRest: boolean;
  /** Memory that only this column uses. */
  readonly bytes: number;
}

interface ValueRange {
  readonly min: number;
  readonly max: number;
}

/** Whether every value is 0. */
export function isZero({ column, isRest }: Pick<StoredNumbers, 'column' | 'isRest'>): boolean {
  return !isRest && column.base === 0 && column.values === null && column.exceptions === null;
}

/** A rare column that a segment does not have. */
export const NO_NUMBERS: StoredNumbers = {
  column: { base: 0, values: null, exceptions: null },
  isRest: false,
  bytes: 0,
};

const REST = 'rest:';
/** The smallest difference is stored before the differences. */
const REST_BASE_BYTES = 8;
const FIRST_VALUE_BYTES = 8;
const WIDEST_OFFSET = 0xffff_ffff;

/** Decodes a payload of `segment/` and packs it for the cache. Results may share the payload. */
export function decodeNumbers(layout: string, range: ValueRange, payload: Uint8Array, rows: number): StoredNumbers {
  if (layout.startsWith(REST)) {
    const base = new DataView(payload.buffer, payload.byteOffset, REST_BASE_BYTES).getFloat64(0, true);
    const rests = payload.slice(REST_BASE_BYTES);
    const rest = packed(decodeIntegers(layout.slice(REST.length) as IntegerLayout, base, rests, rows));
    if (rest.values?.buffer !== rests.buffer) release(rests);
    return stored(rest, true);
  }
  // Row numbers are shared by all segments.
  if (layout === 'sequence') {
    return {
      column: { ...decodeIntegers(layout, range.min, payload, rows), exceptions: null },
      isRest: false,
      bytes: 0,
    };
  }
  const steps = range.max - range.min <= WIDEST_OFFSET ? stepsOf(layout, payload) : null;
  const numbers: NumberColumn =
    steps === null
      ? decodeIntegers(layout as IntegerLayout, range.min, payload, rows)
      : { base: range.min, values: addUp(steps, firstValue(payload) - range.min, rows) };
  // Always a copy: the steps do not start at the start of the payload.
  if (steps !== null) release(steps);
  return stored(packed(numbers), false);
}

function stored(column: PackedColumn, isRest: boolean): StoredNumbers {
  return { column, isRest, bytes: packedBytes(column) };
}

/** Differences of successive values; null where the values themselves are stored. */
function stepsOf(layout: string, payload: Uint8Array): Uint32Array | null {
  const bytes = payload.subarray(FIRST_VALUE_BYTES);
  // Widened by copying, so that the loop runs over arrays of one type.
  if (layout === 'delta8') return wordsOf(bytes);
  if (layout === 'delta16') return wordsOf(new Uint16Array(aligned(bytes, 2)));
  return layout === 'delta32' ? new Uint32Array(aligned(bytes, 4)) : null;
}

function wordsOf(narrow: Uint8Array | Uint16Array): Uint32Array {
  const words = new Uint32Array(narrow.length);
  words.set(narrow);
  return words;
}

function firstValue(payload: Uint8Array): number {
  return new DataView(payload.buffer, payload.byteOffset, FIRST_VALUE_BYTES).getFloat64(0, true);
}

/** Signs are folded into the lowest bit. Sums wrap at 32 bits on the way, but the results fit. */
function addUp(steps: Uint32Array, first: number, rows: number): Uint32Array {
  const values = new Uint32Array(rows);
  let value = first | 0;
  values[0] = value;
  for (let row = 1; row < rows; row++) {
    const folded = steps[row - 1] ?? 0;
    value = (value + ((folded >>> 1) ^ -(folded & 1))) | 0;
    values[row] = value;
  }
  return values;
}
