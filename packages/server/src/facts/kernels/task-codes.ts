import type { FactChunk } from '../chunk.ts';
import type { FactColumn } from '../columns.ts';
import { release } from '../decode/release.ts';

/** Numbers the distinct task keys of a chunk. */
export interface TaskCodes {
  readonly count: number;
  /** Code of each row; null where every row has a distinct key, whose code is the row number. */
  readonly codes: Uint32Array | null;
}

/** A row with the key of an earlier one. */
interface Repeat {
  readonly row: number;
  readonly first: number;
}

/** Bits of a table that separates most keys. Of 65,536 distinct ones about a thousand share a bit with another. */
const BITS = 1 << 21;
const HASH_FACTOR = 0x9e37_79b1;

/** Computed once per segment and cached: it does not depend on the query. */
export function taskCodesOf(chunk: FactChunk): TaskCodes {
  return chunk.kept(
    'task codes',
    () => findCodes(halvesOf(chunk, 'task_key_high'), halvesOf(chunk, 'task_key_low')),
    ({ codes }) => codes?.byteLength ?? 0,
  );
}

function halvesOf(chunk: FactChunk, column: FactColumn): Uint32Array {
  const { base, values } = chunk.numbers(column);
  const halves = new Uint32Array(chunk.rowCount);
  if (values !== null) halves.set(values);
  if (base !== 0) for (let row = 0; row < halves.length; row++) halves[row] = (halves[row] ?? 0) + base;
  return halves;
}

/** Nearly all keys are distinct: only those that share a bit are compared. */
function findCodes(high: Uint32Array, low: Uint32Array): TaskCodes {
  const rowCount = low.length;
  const repeats: Repeat[] = [];
  /** First row of each key that shares its bit; one half of the key is enough to find the few candidates. */
  const firstRows = new Map<number, number[]>();
  const shared = sharedBits(high, low);
  const rows = new Uint32Array(rowCount);
  const count = listRowsOf(shared, high, low, rows);
  for (let index = 0; index < count; index++) {
    const row = rows[index] ?? 0;
    const known = firstRows.get(low[row] ?? 0);
    const first = known?.find((other) => high[other] === high[row]);
    if (first !== undefined) repeats.push({ row, first });
    else if (known === undefined) firstRows.set(low[row] ?? 0, [row]);
    else known.push(row);
  }
  for (const array of [high, low, shared, rows]) release(array);
  return repeats.length === 0 ? { count: rowCount, codes: null } : numberRows(rowCount, repeats);
}

/** @param repeats by row */
function numberRows(rowCount: number, repeats: readonly Repeat[]): TaskCodes {
  const codes = new Uint32Array(rowCount);
  let row = 0;
  let count = 0;
  for (const repeat of [...repeats, { row: rowCount, first: 0 }]) {
    while (row < repeat.row) codes[row++] = count++;
    if (row < rowCount) codes[row++] = codes[repeat.first] ?? 0;
  }
  return { count, codes };
}

/** Bits of more than one row. */
function sharedBits(high: Uint32Array, low: Uint32Array): Uint32Array {
  const met = new Uint32Array(BITS / 32);
  const shared = new Uint32Array(BITS / 32);
  for (let row = 0; row < low.length; row++) {
    const bit = bitOf(high[row] ?? 0, low[row] ?? 0);
    const place = bit >>> 5;
    const mask = 1 << (bit & 31);
    shared[place] = (shared[place] ?? 0) | ((met[place] ?? 0) & mask);
    met[place] = (met[place] ?? 0) | mask;
  }
  release(met);
  return shared;
}

function listRowsOf(bits: Uint32Array, high: Uint32Array, low: Uint32Array, into: Uint32Array): number {
  let count = 0;
  for (let row = 0; row < low.length; row++) {
    const bit = bitOf(high[row] ?? 0, low[row] ?? 0);
    into[count] = row;
    count += ((bits[bit >>> 5] ?? 0) >>> (bit & 31)) & 1;
  }
  return count;
}

function bitOf(high: number, low: number): number {
  const mixed = Math.imul(low ^ high, HASH_FACTOR);
  return (mixed ^ (mixed >>> 15)) & (BITS - 1);
}
