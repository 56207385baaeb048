import { SEGMENT_ROWS } from '../columns.ts';
import { release } from '../decode/release.ts';

/**
 * Integer columns of a segment. Values are stored as offsets above the column's minimum in the narrowest unsigned width
 * (frame of reference); a column of one value has no data; times, which grow slowly, are stored as differences of
 * successive values. Byte order is little-endian on every supported platform.
 */
/** Bytes of an unsigned integer; 8 stands for a double. */
export type Width = 1 | 2 | 4 | 8;

export type OffsetArray = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Value of row i = base + values[i] (or base alone where values is null). */
export interface NumberColumn {
  readonly base: number;
  readonly values: OffsetArray | null;
}

export type IntegerLayout = 'constant' | 'sequence' | `${'offset' | 'delta'}${8 | 16 | 32}` | 'offset64';

export interface EncodedIntegers {
  readonly layout: IntegerLayout;
  readonly min: number;
  readonly max: number;
  readonly payload: Uint8Array;
}

const WIDEST_OFFSET = 0xffff_ffff;

/** 0, 1, 2, …; shared by every segment with consecutive ids. */
const ROW_NUMBERS = Uint32Array.from({ length: SEGMENT_ROWS }, (_, row) => row);

/** Encodes non-empty `values`; `orderly` columns (time, event id) may be stored as differences. */
export function encodeIntegers(values: Float64Array, orderly: boolean): EncodedIntegers {
  const { min, max } = rangeOf(values);
  if (min === max) return { layout: 'constant', min, max, payload: new Uint8Array(0) };
  if (orderly) {
    const steps = stepsOf(values);
    if (steps.allOne) return { layout: 'sequence', min, max, payload: new Uint8Array(0) };
    const width = widthFor(steps.widest);
    if (width !== 8 && width <= widthFor(max - min)) {
      return { layout: `delta${bitsOf(width)}`, min, max, payload: encodeSteps(values, width) };
    }
  }
  const width = widthFor(max - min);
  const layout: IntegerLayout = width === 8 ? 'offset64' : `offset${bitsOf(width)}`;
  return { layout, min, max, payload: bytesOf(offsetsOf(values, min, width)) };
}

export function decodeIntegers(layout: IntegerLayout, min: number, payload: Uint8Array, rows: number): NumberColumn {
  switch (layout) {
    case 'constant':
      return { base: min, values: null };
    case 'sequence':
      return { base: min, values: ROW_NUMBERS.subarray(0, rows) };
    case 'offset8':
      return { base: min, values: payload };
    case 'offset16':
      return { base: min, values: new Uint16Array(aligned(payload, 2)) };
    case 'offset32':
      return { base: min, values: new Uint32Array(aligned(payload, 4)) };
    case 'offset64':
      return { base: min, values: new Float64Array(aligned(payload, 8)) };
    case 'delta8':
      return decodeSteps(min, payload, (bytes) => bytes, rows);
    case 'delta16':
      return decodeSteps(min, payload, (bytes) => new Uint16Array(aligned(bytes, 2)), rows);
    case 'delta32':
      return decodeSteps(min, payload, (bytes) => new Uint32Array(aligned(bytes, 4)), rows);
  }
}

export function rangeOf(values: Float64Array): { readonly min: number; readonly max: number } {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? 0;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, max };
}

/** Bytes of the narrowest unsigned integer that holds `span`; 8 stands for a double. */
export function widthFor(span: number): Width {
  if (span <= 0xff) return 1;
  if (span <= 0xffff) return 2;
  return span <= WIDEST_OFFSET ? 4 : 8;
}

export function offsetsOf(values: Float64Array, base: number, width: Width): OffsetArray {
  if (base === 0) return narrowed(values, width);
  const offsets = new Float64Array(values.length);
  for (let row = 0; row < values.length; row++) offsets[row] = (values[row] ?? 0) - base;
  if (width === 8) return offsets;
  const narrow = narrowed(offsets, width);
  release(offsets);
  return narrow;
}

/** The values as doubles, in one array that is reused: for loops, which are several times faster over arrays of one type. */
export function createWidener(): (values: OffsetArray) => Float64Array {
  let wide = new Float64Array(0);
  return (values) => {
    if (values instanceof Float64Array) return values;
    if (wide.length !== values.length) wide = new Float64Array(values.length);
    wide.set(values);
    return wide;
  };
}

/** Narrows by copying from array to array, which is faster than a loop over arrays of several types. */
export function narrowed(values: OffsetArray, width: Width): OffsetArray {
  const narrow = emptyOffsets(width, values.length);
  narrow.set(values);
  return narrow;
}

export function emptyOffsets(width: Width, length: number): OffsetArray {
  if (width === 1) return new Uint8Array(length);
  if (width === 2) return new Uint16Array(length);
  return width === 4 ? new Uint32Array(length) : new Float64Array(length);
}

export function bytesOf(array: OffsetArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** The bytes in a separate buffer, aligned for arrays of `width` bytes. */
export function aligned(bytes: Uint8Array, width: number): ArrayBuffer {
  const { buffer } = bytes;
  const whole = bytes.byteOffset === 0 && buffer.byteLength === bytes.byteLength && bytes.byteLength % width === 0;
  return whole && buffer instanceof ArrayBuffer ? buffer : new Uint8Array(bytes).buffer;
}

function bitsOf(width: Exclude<Width, 8>): 8 | 16 | 32 {
  return width === 1 ? 8 : width === 2 ? 16 : 32;
}

function stepsOf(values: Float64Array): { readonly widest: number; readonly allOne: boolean } {
  let widest = 0;
  let allOne = true;
  for (let row = 1; row < values.length; row++) {
    const step = (values[row] ?? 0) - (values[row - 1] ?? 0);
    if (step !== 1) allOne = false;
    const folded = step < 0 ? -2 * step - 1 : 2 * step;
    if (folded > widest) widest = folded;
  }
  return { widest, allOne };
}

/** First value as a double, then each difference, signs folded into the lowest bit. */
function encodeSteps(values: Float64Array, width: Exclude<Width, 8>): Uint8Array {
  const folded = new Float64Array(values.length - 1);
  for (let row = 1; row < values.length; row++) {
    const step = (values[row] ?? 0) - (values[row - 1] ?? 0);
    folded[row - 1] = step < 0 ? -2 * step - 1 : 2 * step;
  }
  const steps = narrowed(folded, width);
  const payload = new Uint8Array(8 + steps.byteLength);
  new DataView(payload.buffer).setFloat64(0, values[0] ?? 0, true);
  payload.set(bytesOf(steps), 8);
  release(folded);
  release(steps);
  return payload;
}

function decodeSteps(
  min: number,
  payload: Uint8Array,
  view: (bytes: Uint8Array) => Uint8Array | Uint16Array | Uint32Array,
  rows: number,
): NumberColumn {
  const first = new DataView(payload.buffer, payload.byteOffset, 8).getFloat64(0, true);
  const steps = view(payload.subarray(8));
  const values = new Float64Array(rows);
  let value = first - min;
  let max = value;
  values[0] = value;
  for (let row = 1; row < rows; row++) {
    const folded = steps[row - 1] ?? 0;
    value += folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
    if (value > max) max = value;
    values[row] = value;
  }
  return { base: min, values: max <= WIDEST_OFFSET ? Uint32Array.from(values) : values };
}
