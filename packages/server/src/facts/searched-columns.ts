import { foldColumn } from './case-folding.ts';
import type { FactChunk, SearchedColumns } from './chunk.ts';
import type { FactColumn } from './columns.ts';
import { release } from './decode/release.ts';
import { isHexNeedle, markHexDigits, markOpaque } from './kernels/hash-search.ts';
import { pairsBytes, spellings, textPairs } from './kernels/text-pairs.ts';
import { bufferOf, markSubstring } from './kernels/text-search.ts';
import { decodeHashes, type HashColumn, type HashLayout } from './segment/hashes.ts';
import { decodeTexts, type TextColumn, type TextLayout } from './segment/texts.ts';

/** The tail has its columns in memory. */
export function searchedTail(
  foldedTexts: (column: FactColumn) => TextColumn,
  hashes: () => HashColumn,
): SearchedColumns {
  return {
    markTexts: (column, needle, mask) => markSubstring(foldedTexts(column), needle, mask),
    markHashes: (query, mask) => markIn(hashes(), query, mask),
    markOpaqueHashes: (query, mask) => markOpaque(hashes(), query, mask),
  };
}

interface StoredColumn {
  readonly layout: string;
  readonly payload: Uint8Array;
}

export interface SegmentAccess {
  readonly rows: number;
  read(column: FactColumn): StoredColumn;
  hasOpaqueHashes(): boolean;
  readonly kept: FactChunk['kept'];
}

/**
 * Texts and hashes need more memory than all other columns together: they are unpacked only where they must be searched
 * and released at once. A small cached index shows where that is.
 */
export function searchedSegment({ rows, read, hasOpaqueHashes, kept }: SegmentAccess): SearchedColumns {
  function markTexts(column: FactColumn, needle: Uint8Array, mask: Uint8Array): void {
    const texts = openTexts(() => read(column), rows);
    const pairs = kept(`${column}:pairs`, () => textPairs(texts.searchable(), texts.isFolded()), pairsBytes);
    const ways = spellings(pairs, needle);
    if (ways === null) markSubstring(texts.folded(), needle, mask);
    else for (const way of ways) if (texts.mayContain(way)) markSubstring(texts.searchable(), way, mask);
    texts.close();
  }

  function withHashes(use: (column: HashColumn) => void): void {
    const { layout, payload } = read('event_hash');
    use(decodeHashes(layout as HashLayout, payload, rows));
    release(payload);
  }

  return {
    markTexts,
    markHashes: (query, mask) => {
      if (isHexNeedle(query) || hasOpaqueHashes()) withHashes((column) => markIn(column, query, mask));
    },
    markOpaqueHashes: (query, mask) => {
      if (hasOpaqueHashes()) withHashes((column) => markOpaque(column, query, mask));
    },
  };
}

function markIn(column: HashColumn, query: string, mask: Uint8Array): void {
  if (isHexNeedle(query)) markHexDigits(column, query, mask);
  markOpaque(column, query, mask);
}

interface OpenTexts {
  /** As stored; folded where they are not ASCII. */
  searchable(): TextColumn;
  folded(): TextColumn;
  /** Whether `searchable` is folded. */
  isFolded(): boolean;
  /** False when a text is in no row of `searchable`; faster than finding the rows. */
  mayContain(text: Uint8Array): boolean;
  close(): void;
}

/** Reads nothing before the first use. */
function openTexts(read: () => StoredColumn, rows: number): OpenTexts {
  let stored: { readonly layout: TextLayout; readonly payload: Uint8Array } | undefined;
  let column: TextColumn | undefined;

  function open() {
    if (stored === undefined) {
      const { layout, payload } = read();
      stored = { layout: layout as TextLayout, payload };
    }
    return stored;
  }

  function searchable(): TextColumn {
    if (column === undefined) {
      const { layout, payload } = open();
      const decoded = decodeTexts(payload, rows);
      column = layout === 'texts' ? foldColumn(layout, decoded) : decoded;
    }
    return column;
  }

  return {
    searchable,
    folded: () => (open().layout === 'texts-ascii' ? foldColumn('texts-ascii', searchable()) : searchable()),
    isFolded: () => open().layout !== 'texts-ascii',
    mayContain: (text) => {
      const { layout, payload } = open();
      // The bytes of the column are a part of the payload.
      return layout === 'texts' || bufferOf(payload).includes(text);
    },
    close: () => {
      if (stored !== undefined) release(stored.payload);
    },
  };
}
