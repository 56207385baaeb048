import { foldText } from '../case-folding.ts';
import { HASH_BYTES, type HashColumn } from '../segment/hashes.ts';

const HEX = /^[0-9a-f]{1,64}$/;

/** Whether a folded query can be part of a 64-digit hash. */
export function isHexNeedle(query: string): boolean {
  return HEX.test(query);
}

/** Fewer digits may include no whole byte to search for. */
const SEARCHED_DIGITS = 3;

/** Sets the entry of every row whose hash, written as hex, contains the digits. */
export function markHexDigits(column: HashColumn, digits: string, mask: Uint8Array): void {
  // Rows with an opaque hash are zeros in `rows`, which a query of zeros would match: they keep their previous entries.
  const opaqueBefore = [...column.opaque.keys()].map((row): [number, number] => [row, mask[row] ?? 0]);
  if (digits.length < SEARCHED_DIGITS) markShort(column.rows, digits, mask);
  else {
    // A hex text starts at an even or an odd digit of the hash.
    markAligned(column.rows, digits, 0, mask);
    markAligned(column.rows, digits, 1, mask);
  }
  for (const [row, before] of opaqueBefore) if (row < mask.length) mask[row] = before;
}

/** Sets the entry of every row whose opaque hash, folded, contains the query. */
export function markOpaque(column: HashColumn, query: string, mask: Uint8Array): void {
  for (const [row, text] of column.opaque) {
    if (row < mask.length && foldText(text).includes(query)) mask[row] = 1;
  }
}

/**
 * Searches the whole bytes inside the needle, then compares the half bytes at its ends.
 *
 * @param skew 1 when the first digit is the low half of a byte
 */
function markAligned(rows: Uint8Array, query: string, skew: 0 | 1, mask: Uint8Array): void {
  const inner = query.slice(skew, query.length - ((query.length - skew) % 2));
  const core = Buffer.from(inner, 'hex');
  const before = skew === 1 ? Number.parseInt(query[0] ?? '', 16) : -1;
  const after = (query.length - skew) % 2 === 1 ? Number.parseInt(query.at(-1) ?? '', 16) : -1;
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
  for (let at = bytes.indexOf(core); at >= 0; at = bytes.indexOf(core, at + 1)) {
    const start = before < 0 ? at : at - 1;
    const end = at + core.length + (after < 0 ? 0 : 1);
    const row = Math.floor(at / HASH_BYTES);
    if (start < row * HASH_BYTES || end > (row + 1) * HASH_BYTES) continue;
    if (before >= 0 && ((bytes[at - 1] ?? 0) & 15) !== before) continue;
    if (after >= 0 && (bytes[end - 1] ?? 0) >> 4 !== after) continue;
    mask[row] = 1;
  }
}

/** One or two digits, in the rows that are not set yet. */
function markShort(rows: Uint8Array, query: string, mask: Uint8Array): void {
  const first = Number.parseInt(query[0] ?? '', 16);
  const second = query.length === 2 ? Number.parseInt(query[1] ?? '', 16) : -1;
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 1) continue;
    const end = (row + 1) * HASH_BYTES;
    // Low half of the previous byte; none at the start of a row.
    let before = -1;
    for (let at = row * HASH_BYTES; at < end; at++) {
      const byte = rows[at] ?? 0;
      const high = byte >> 4;
      const low = byte & 15;
      const found = second < 0 ? high === first || low === first : high === first ? low === second : false;
      if (found || (second >= 0 && before === first && high === second)) {
        mask[row] = 1;
        break;
      }
      before = low;
    }
  }
}
