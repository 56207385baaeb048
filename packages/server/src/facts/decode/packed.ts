import { emptyOffsets, type NumberColumn, type OffsetArray, widthFor } from '../segment/integers.ts';

/**
 * A decoded number column in its cached form. A few large values would double the width of all others, so they are
 * stored separately; of a column that nearly always has its smallest value only the exceptions are stored.
 */
export interface PackedColumn {
  /** Value of row i = base + values[i] (0 where values is null) + what the exceptions add. */
  readonly base: number;
  readonly values: OffsetArray | null;
  readonly exceptions: Exceptions | null;
}

export interface Exceptions {
  /** Ascending. */
  readonly rows: Uint16Array;
  readonly added: Uint32Array;
}

/** Row numbers have to fit 16 bits. */
const MOST_ROWS = 0x1_0000;
const NARROW = 0xffff;
/** An exception takes six bytes; above this share of the rows it saves nothing. */
const MOST_EXCEPTIONS = 1 / 8;

/** Packs a column; shares the values where nothing is saved. */
export function packed({ base, values }: NumberColumn): PackedColumn {
  if (values === null || values.length > MOST_ROWS) return { base, values, exceptions: null };
  const most = values.length * MOST_EXCEPTIONS;
  if (values instanceof Uint32Array) {
    const { some, wide } = countWords(values);
    if (some <= most) return { base, values: null, exceptions: exceptionsAbove(values, 0, some) };
    if (wide > most) return { base, values, exceptions: null };
    const narrow = new Uint16Array(values.length);
    // Keeps the lower half of each.
    narrow.set(values);
    return { base, values: narrow, exceptions: wide === 0 ? null : exceptionsAbove(values, NARROW, wide) };
  }
  if (values instanceof Uint16Array) {
    const some = countHalfWords(values);
    if (some <= most) return { base, values: null, exceptions: exceptionsAbove(Uint32Array.from(values), 0, some) };
  }
  return { base, values, exceptions: null };
}

export function unpacked({ base, values, exceptions }: PackedColumn, rowCount: number): NumberColumn {
  if (exceptions === null) return { base, values };
  const wide = new Uint32Array(rowCount);
  if (values !== null) wide.set(values);
  const { rows, added } = exceptions;
  let largest = 0;
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? 0;
    const value = (wide[row] ?? 0) + (added[index] ?? 0);
    wide[row] = value;
    if (value > largest) largest = value;
  }
  if (largest > NARROW) return { base, values: wide };
  const narrow = emptyOffsets(widthFor(largest), rowCount);
  narrow.set(wide);
  return { base, values: narrow };
}

export function packedBytes({ values, exceptions }: PackedColumn): number {
  return (
    (values?.byteLength ?? 0) + (exceptions === null ? 0 : exceptions.rows.byteLength + exceptions.added.byteLength)
  );
}

/** Every value of the column. */
export function widen(column: PackedColumn, rowCount: number, into: Float64Array): void {
  const { base, values, exceptions } = column;
  if (values === null) into.fill(base, 0, rowCount);
  else {
    into.set(values);
    if (base !== 0) addToAll(into, base, rowCount);
  }
  if (exceptions !== null) addExceptions(into, exceptions);
}

/** Values of some rows of a column without exceptions. */
export function gather({ base, values }: PackedColumn, rows: Uint32Array, count: number, into: Float64Array): void {
  if (values === null) into.fill(base, 0, count);
  else if (values instanceof Uint8Array) gatherBytes(values, base, rows, count, into);
  else if (values instanceof Uint16Array) gatherHalfWords(values, base, rows, count, into);
  else if (values instanceof Uint32Array) gatherWords(values, base, rows, count, into);
  else gatherDoubles(values, base, rows, count, into);
}

function addExceptions(into: Float64Array, { rows, added }: Exceptions): void {
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? 0;
    into[row] = (into[row] ?? 0) + (added[index] ?? 0);
  }
}

function addToAll(values: Float64Array, summand: number, count: number): void {
  for (let index = 0; index < count; index++) values[index] = (values[index] ?? 0) + summand;
}

/** Rows above 0, and rows that need more than 16 bits. */
function countWords(values: Uint32Array): { readonly some: number; readonly wide: number } {
  let zero = 0;
  let wide = 0;
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? 0;
    if (value === 0) zero++;
    else if (value > NARROW) wide++;
  }
  return { some: values.length - zero, wide };
}

function countHalfWords(values: Uint16Array): number {
  let zero = 0;
  for (let row = 0; row < values.length; row++) if (values[row] === 0) zero++;
  return values.length - zero;
}

/** The high parts of the values above the limit. */
function exceptionsAbove(values: Uint32Array, limit: number, count: number): Exceptions {
  const rows = new Uint16Array(count);
  const added = new Uint32Array(count);
  let index = 0;
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? 0;
    if (value <= limit) continue;
    rows[index] = row;
    added[index] = value - (value & limit);
    index++;
  }
  return { rows, added };
}

// One loop per width: a loop over arrays of several widths is several times slower.

function gatherBytes(values: Uint8Array, base: number, rows: Uint32Array, count: number, into: Float64Array): void {
  for (let index = 0; index < count; index++) into[index] = base + (values[rows[index] ?? 0] ?? 0);
}

function gatherHalfWords(
  values: Uint16Array,
  base: number,
  rows: Uint32Array,
  count: number,
  into: Float64Array,
): void {
  for (let index = 0; index < count; index++) into[index] = base + (values[rows[index] ?? 0] ?? 0);
}

function gatherWords(values: Uint32Array, base: number, rows: Uint32Array, count: number, into: Float64Array): void {
  for (let index = 0; index < count; index++) into[index] = base + (values[rows[index] ?? 0] ?? 0);
}

function gatherDoubles(values: Float64Array, base: number, rows: Uint32Array, count: number, into: Float64Array): void {
  for (let index = 0; index < count; index++) into[index] = base + (values[rows[index] ?? 0] ?? 0);
}
