import { decodeTexts, encodeTexts, type TextColumn, type TextLayout, textAt } from './segment/texts.ts';

/**
 * The case folding of stored and query text: full Unicode lower case, no diacritic folding. The final sigma is the only
 * letter whose lower case depends on its neighbors; both forms become one, so that a substring folds like its text.
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower;
}

export function isFolded(text: string): boolean {
  return foldText(text) === text;
}

/** The same column, folded. */
export function foldColumn(layout: TextLayout, column: TextColumn): TextColumn {
  switch (layout) {
    case 'texts-folded':
      return column;
    case 'texts-ascii': {
      const { buffer, byteOffset, byteLength } = column.bytes;
      // Every byte as one character: lower case changes ASCII letters and leaves the row ends (ÿ).
      const lower = Buffer.from(buffer, byteOffset, byteLength).toString('latin1').toLowerCase();
      return { bytes: Buffer.from(lower, 'latin1'), starts: column.starts };
    }
    case 'texts':
      return foldRows(column);
  }
}

function foldRows(column: TextColumn): TextColumn {
  const rows = column.starts.length - 1;
  const texts = Array.from({ length: rows }, (_, row) => foldText(textAt(column, row)));
  return decodeTexts(encodeTexts(texts, () => true).payload, rows);
}
