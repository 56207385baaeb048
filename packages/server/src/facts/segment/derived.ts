import type { FactColumn } from '../columns.ts';
import { release } from '../decode/release.ts';
import {
  createWidener,
  decodeIntegers,
  type EncodedIntegers,
  encodeIntegers,
  type IntegerLayout,
  type NumberColumn,
  type OffsetArray,
  offsetsOf,
  rangeOf,
  widthFor,
} from './integers.ts';

/** Columns that mostly equal a sum of others; only the difference is stored. */
export const SUMMANDS: Partial<Record<string, readonly FactColumn[]>> = {
  input_tokens: ['uncached_input_tokens', 'cached_tokens', 'cache_read_tokens', 'cache_creation_tokens'],
  total_tokens: ['input_tokens', 'output_tokens'],
  billable_output_tokens: ['output_tokens'],
};

const REST = 'rest:';
/** The smallest difference is stored before the differences, because the column's own minimum is that of its values. */
const BASE_BYTES = 8;

export interface EncodedDerived {
  readonly layout: string;
  readonly min: number;
  readonly max: number;
  readonly payload: Uint8Array;
}

/** The difference where it is narrower than the values, else the values. */
export function encodeDerived(values: Float64Array, summands: readonly OffsetArray[]): EncodedDerived {
  const rest = values.slice();
  const widen = createWidener();
  for (const summand of summands) subtractAll(rest, widen(summand));
  const { min, max } = rangeOf(values);
  const restRange = rangeOf(rest);
  // Sums beyond 2^53 are not exact and could not be subtracted.
  const exact =
    Number.isSafeInteger(restRange.min) && Number.isSafeInteger(restRange.max) && max <= Number.MAX_SAFE_INTEGER / 8;
  if (!exact || restRange.max - restRange.min >= max - min) return encodeIntegers(values, false);
  const encoded: EncodedIntegers = encodeIntegers(rest, false);
  release(rest);
  const payload = new Uint8Array(BASE_BYTES + encoded.payload.length);
  new DataView(payload.buffer).setFloat64(0, encoded.min, true);
  payload.set(encoded.payload, BASE_BYTES);
  return { layout: REST + encoded.layout, min, max, payload };
}

export function isDerived(layout: string): boolean {
  return layout.startsWith(REST);
}

export function decodeDerived(
  layout: string,
  range: { readonly min: number; readonly max: number },
  payload: Uint8Array,
  rows: number,
  summands: readonly NumberColumn[],
): NumberColumn {
  const base = new DataView(payload.buffer, payload.byteOffset, BASE_BYTES).getFloat64(0, true);
  const rest = decodeIntegers(layout.slice(REST.length) as IntegerLayout, base, payload.slice(BASE_BYTES), rows);
  const values = new Float64Array(rows);
  const wide = new Float64Array(rows);
  let start = 0;
  for (const { base: summandBase, values: offsets } of [rest, ...summands]) {
    start += summandBase;
    if (offsets === null) continue;
    // Widened first: a loop over arrays of one type is several times faster.
    wide.set(offsets);
    addAll(values, wide);
  }
  addToAll(values, start);
  release(wide);
  const isConstant = range.min === range.max;
  const offsets = isConstant ? null : offsetsOf(values, range.min, widthFor(range.max - range.min));
  release(values);
  return { base: range.min, values: offsets };
}

function addAll(values: Float64Array, summands: Float64Array): void {
  for (let row = 0; row < values.length; row++) values[row] = (values[row] ?? 0) + (summands[row] ?? 0);
}

function subtractAll(values: Float64Array, summands: Float64Array): void {
  for (let row = 0; row < values.length; row++) values[row] = (values[row] ?? 0) - (summands[row] ?? 0);
}

function addToAll(values: Float64Array, summand: number): void {
  if (summand === 0) return;
  for (let row = 0; row < values.length; row++) values[row] = (values[row] ?? 0) + summand;
}
