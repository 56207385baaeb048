import type { Database } from 'bun:sqlite';
import { trimText } from '@manager/core/json/text';
import { foldText } from './case-folding.ts';

/** The symbol table of the analytics worker. Symbol 0 is the empty text. */
export interface SymbolTable {
  /** Loads symbols that were added since the last call; inside the read transaction of a request. */
  refresh(): void;
  /** One more than the highest id. */
  size(): number;
  text(id: number): string;
  folded(id: number): string;
  /** Nothing but white space. */
  isBlank(id: number): boolean;
  /** 1 for every symbol whose text passes the test. */
  match(test: (text: string) => boolean): Uint8Array;
  /** 1 for every symbol whose folded text passes the test. */
  matchFolded(test: (folded: string) => boolean): Uint8Array;
}

/** Symbols are only added, with ascending ids. */
export function createSymbolTable(db: Database): SymbolTable {
  const texts: string[] = [''];
  // Shares the string where folding changes nothing, which is nearly always.
  const folded: string[] = [''];
  const added = db.query<never, [number]>(
    `SELECT id, text
     FROM symbols
     WHERE id >= ?
     ORDER BY id`,
  );

  function refresh(): void {
    const rows = added.values(texts.length) as unknown as readonly [number, string][];
    for (const [id, text] of rows) {
      while (texts.length < id) {
        texts.push('');
        folded.push('');
      }
      const lower = foldText(text);
      texts[id] = text;
      folded[id] = lower === text ? text : lower;
    }
  }

  function matching(list: readonly string[], test: (text: string) => boolean): Uint8Array {
    const result = new Uint8Array(list.length);
    for (const [id, text] of list.entries()) if (test(text)) result[id] = 1;
    return result;
  }

  return {
    refresh,
    size: () => texts.length,
    text: (id) => texts[id] ?? '',
    isBlank: (id) => trimText(texts[id] ?? '') === '',
    folded: (id) => folded[id] ?? '',
    match: (test) => matching(texts, test),
    matchFolded: (test) => matching(folded, test),
  };
}
