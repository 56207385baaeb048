import type { FactChunk } from '../chunk.ts';
import type { FactColumn } from '../columns.ts';

/** Numbers the distinct task keys of a chunk. */
export interface TaskCodes {
  readonly count: number;
  /** Of each row; null where every row has a key of its own, which is then numbered as the row. */
  readonly codes: Uint32Array | null;
}

/** Bits of a table that tells most keys apart: small enough for the processor's cache. */
const BITS = 1 << 20;
const HASH_FACTOR = 0x9e37_79b1;

/** Found once per segment and kept: it does not depend on the question. */
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

/** Nearly all keys are different: only those that share a bit with another one are compared. */
function findCodes(high: Uint32Array, low: Uint32Array): TaskCodes {
  const shared = sharedBits(high, low);
  const rows = rowsOfBits(high, low, shared);
  /** First row of each key that shares its bit. */
  const firstRow = new Map<string, number>();
  /** Row by the first row of its key, where that is another one. */
  const repeats = new Map<number, number>();
  for (const row of rows) {
    const key = `${high[row]} ${low[row]}`;
    const first = firstRow.get(key);
    if (first === undefined) firstRow.set(key, row);
    else repeats.set(row, first);
  }
  if (repeats.size === 0) return { count: high.length, codes: null };
  const codes = new Uint32Array(high.length);
  let count = 0;
  for (let row = 0; row < codes.length; row++) {
    const first = repeats.get(row);
    codes[row] = first === undefined ? count++ : (codes[first] ?? 0);
  }
  return { count, codes };
}

/** Bits that more than one row has. */
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
  return shared;
}

function rowsOfBits(high: Uint32Array, low: Uint32Array, bits: Uint32Array): Uint32Array {
  const rows = new Uint32Array(low.length);
  let count = 0;
  for (let row = 0; row < low.length; row++) {
    const bit = bitOf(high[row] ?? 0, low[row] ?? 0);
    rows[count] = row;
    count += ((bits[bit >>> 5] ?? 0) >>> (bit & 31)) & 1;
  }
  return rows.subarray(0, count);
}

function bitOf(high: number, low: number): number {
  const mixed = Math.imul(low ^ high, HASH_FACTOR);
  return (mixed ^ (mixed >>> 15)) & (BITS - 1);
}
