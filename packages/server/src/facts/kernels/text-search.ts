import { ROW_END, type TextColumn } from '../segment/texts.ts';

/** Needles up to this length are in so many rows that a call per match would be slower than a loop. */
const LOOPED_BYTES = 2;

/** Sets the entry of every row whose text contains the needle. */
export function markSubstring(column: TextColumn, needle: Uint8Array, mask: Uint8Array): void {
  if (needle.length <= LOOPED_BYTES) markByLoop(column, needle, mask);
  else markBySearch(column, needle, mask);
}

function markBySearch(column: TextColumn, needle: Uint8Array, mask: Uint8Array): void {
  const bytes = bufferOf(column.bytes);
  const { starts } = column;
  let row = 0;
  let at = bytes.indexOf(needle);
  while (at >= 0) {
    row = rowAt(starts, at, row);
    mask[row] = 1;
    // The needle contains no row end, so the next match is in a later row.
    const next = starts[row + 1] ?? bytes.length;
    if (next >= bytes.length) return;
    at = bytes.indexOf(needle, next);
  }
}

function markByLoop(column: TextColumn, needle: Uint8Array, mask: Uint8Array): void {
  const { bytes, starts } = column;
  const first = needle[0] ?? 0;
  const second = needle[1] ?? -1;
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 1) continue;
    const end = (starts[row + 1] ?? 0) - 1;
    for (let at = starts[row] ?? 0; at < end; at++) {
      // The row end after the last byte equals no second byte.
      if (bytes[at] === first && (second < 0 || bytes[at + 1] === second)) {
        mask[row] = 1;
        break;
      }
    }
  }
}

/** More values are looked up by the hash of each row instead of being searched one by one. */
const SEARCHED_VALUES = 16;

/** Sets the entry of every row whose text is one of the values; values must not be empty. */
export function markEqual(column: TextColumn, values: readonly string[], mask: Uint8Array): void {
  const encoder = new TextEncoder();
  const needles = values.map((value) => encoder.encode(value));
  if (needles.length > SEARCHED_VALUES) markByHash(column, needles, mask);
  else for (const needle of needles) markWhole(column, needle, mask);
}

function markWhole(column: TextColumn, text: Uint8Array, mask: Uint8Array): void {
  const needle = new Uint8Array(text.length + 1);
  needle.set(text);
  needle[text.length] = ROW_END;
  const bytes = bufferOf(column.bytes);
  let row = 0;
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + 1)) {
    row = rowAt(column.starts, at, row);
    if (column.starts[row] === at) mask[row] = 1;
  }
}

function markByHash(column: TextColumn, needles: readonly Uint8Array[], mask: Uint8Array): void {
  const byHash = new Map<number, Uint8Array[]>();
  for (const needle of needles) {
    const hash = hashOf(needle, 0, needle.length);
    byHash.set(hash, [...(byHash.get(hash) ?? []), needle]);
  }
  const { bytes, starts } = column;
  for (let row = 0; row < mask.length; row++) {
    const start = starts[row] ?? 0;
    const end = (starts[row + 1] ?? 1) - 1;
    if (start === end) continue;
    const candidates = byHash.get(hashOf(bytes, start, end));
    if (candidates?.some((needle) => equalBytes(needle, bytes, start, end)) === true) mask[row] = 1;
  }
}

/** FNV-1a, 32 bits. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  return hash;
}

function equalBytes(needle: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (needle.length !== end - start) return false;
  for (let index = 0; index < needle.length; index++) if (needle[index] !== bytes[start + index]) return false;
  return true;
}

/** Row that contains the byte at `at`, in row `from` or later: doubling steps, then halving. */
function rowAt(starts: Uint32Array, at: number, from: number): number {
  let low = from;
  let step = 1;
  while (low + step < starts.length && (starts[low + step] ?? 0) <= at) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, starts.length - 1);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return low;
}

export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
