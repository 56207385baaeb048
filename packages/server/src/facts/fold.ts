import type { TextColumn } from './segment/texts.ts';
import { joinTexts, textAt } from './segment/texts.ts';

/**
 * The one folding of stored and of query text: full Unicode lower case, no diacritic folding. The final sigma is the only
 * letter whose lower case depends on its neighbours; both forms become one, so that a substring folds as its text does.
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower;
}

/** The same text column, folded. */
export function foldColumn(column: TextColumn): TextColumn {
  return isAscii(column.bytes) ? { bytes: lowerAscii(column.bytes), starts: column.starts } : foldRows(column);
}

/** Row ends are the only bytes above 127 of a column of ASCII. */
function isAscii(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte > 0x7f && byte !== 0xff) return false;
  return true;
}

function lowerAscii(bytes: Uint8Array): Uint8Array {
  const lower = new Uint8Array(bytes.length);
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    lower[index] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
  }
  return lower;
}

function foldRows(column: TextColumn): TextColumn {
  const rows = column.starts.length - 1;
  return joinTexts(Array.from({ length: rows }, (_, row) => foldText(textAt(column, row))));
}
