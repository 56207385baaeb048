import type { Database } from 'bun:sqlite';
import { createWordFinder, type WordWriter } from './word-finder.ts';

export interface WordReader {
  textOf(id: number): string;
}

export interface WordTable extends WordWriter {
  /** Number of a text that repeats; adds it when it is new. */
  idOf(text: string): number;
  /** The transaction that added words was rolled back: drop them. */
  rolledBack(): void;
}

const GENERATION = 16_384;

/**
 * Words of the writer. A text becomes a word when it is seen for the second time within the last tens of thousands of
 * others, so that unique texts (request ids, trace ids) stay out of the table. Memory is bounded: a word that was not
 * used for long is read from the table again.
 */
export function createWordTable(db: Database): WordTable {
  const select = db.query<{ id: number }, [string]>('SELECT id FROM detail_words WHERE text = ?');
  const insert = db.query<{ id: number }, [string]>('INSERT INTO detail_words (text) VALUES (?) RETURNING id');
  const idOf = (text: string) => (select.get(text) ?? insert.get(text))?.id ?? 0;
  const { find, findTemplate, forget } = createWordFinder(idOf);
  return { find, findTemplate, idOf, rolledBack: forget };
}

/** Words of a reader; words never change, so a bounded number of them is cached. */
export function createWordReader(db: Database): WordReader {
  const select = db.query<{ text: string }, [number]>('SELECT text FROM detail_words WHERE id = ?');
  let young = new Map<number, string>();
  let old = new Map<number, string>();
  return {
    textOf(id) {
      const recent = young.get(id);
      if (recent !== undefined) return recent;
      const text = old.get(id) ?? select.get(id)?.text;
      if (text === undefined) throw new Error(`detail word ${id} is missing`);
      if (young.size >= GENERATION) {
        old = young;
        young = new Map();
      }
      young.set(id, text);
      return text;
    },
  };
}
