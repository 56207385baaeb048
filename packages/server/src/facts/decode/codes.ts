import type { Codes } from '../segment/symbol-codes.ts';

/**
 * The codes of some rows; null = of all. One loop per width: a loop over arrays of several widths is several times slower.
 */
export function gatherCodes(codes: Codes, rows: Uint32Array | null, count: number, into: Uint32Array): void {
  if (rows === null) into.set(codes);
  else if (codes instanceof Uint8Array) gatherBytes(codes, rows, count, into);
  else if (codes instanceof Uint16Array) gatherHalfWords(codes, rows, count, into);
  else gatherWords(codes, rows, count, into);
}

function gatherBytes(codes: Uint8Array, rows: Uint32Array, count: number, into: Uint32Array): void {
  for (let index = 0; index < count; index++) into[index] = codes[rows[index] ?? 0] ?? 0;
}

function gatherHalfWords(codes: Uint16Array, rows: Uint32Array, count: number, into: Uint32Array): void {
  for (let index = 0; index < count; index++) into[index] = codes[rows[index] ?? 0] ?? 0;
}

function gatherWords(codes: Uint32Array, rows: Uint32Array, count: number, into: Uint32Array): void {
  for (let index = 0; index < count; index++) into[index] = codes[rows[index] ?? 0] ?? 0;
}

/** Sets the entry of each row whose code has a 1 in `keep`. */
export function markCodes(codes: Codes, keep: Uint8Array, mask: Uint8Array): void {
  if (codes instanceof Uint8Array) markBytes(codes, keep, mask);
  else if (codes instanceof Uint16Array) markHalfWords(codes, keep, mask);
  else markWords(codes, keep, mask);
}

function markBytes(codes: Uint8Array, keep: Uint8Array, mask: Uint8Array): void {
  for (let row = 0; row < mask.length; row++) mask[row] = (mask[row] ?? 0) | (keep[codes[row] ?? 0] ?? 0);
}

function markHalfWords(codes: Uint16Array, keep: Uint8Array, mask: Uint8Array): void {
  for (let row = 0; row < mask.length; row++) mask[row] = (mask[row] ?? 0) | (keep[codes[row] ?? 0] ?? 0);
}

function markWords(codes: Uint32Array, keep: Uint8Array, mask: Uint8Array): void {
  for (let row = 0; row < mask.length; row++) mask[row] = (mask[row] ?? 0) | (keep[codes[row] ?? 0] ?? 0);
}
