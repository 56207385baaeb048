import type { Database } from 'bun:sqlite';

/** Finds the number of a text that many details share; 0 = write the text itself. */
export interface WordWriter {
  idOf(text: string): number;
}

export interface WordReader {
  textOf(id: number): string;
}

export interface WordTable extends WordWriter {
  /** The transaction in which words were added was rolled back: forget them. */
  rolledBack(): void;
}

const LONGEST_WORD = 16_384;
const GENERATION = 16_384;
const SIGHTINGS = 65_536;

/**
 * Words of the writer. A text becomes a word when it is seen for the second time within the last tens of thousands of
 * others, so that what never repeats (request ids, trace ids) stays out of the table. Memory is bounded: two generations
 * of recently used words; an older one is found again in the table.
 */
export function createWordTable(db: Database): WordTable {
  const find = db.query<{ id: number }, [string]>('SELECT id FROM detail_words WHERE text = ?');
  const insert = db.query<{ id: number }, [string]>('INSERT INTO detail_words (text) VALUES (?) RETURNING id');
  const sightings = new Uint32Array(SIGHTINGS);
  let young = new Map<string, number>();
  let old = new Map<string, number>();

  function remember(text: string, id: number): number {
    if (young.size >= GENERATION) {
      old = young;
      young = new Map();
    }
    young.set(text, id);
    return id;
  }

  function isRepeated(text: string): boolean {
    const hash = Bun.hash.crc32(text);
    const place = hash % SIGHTINGS;
    if (sightings[place] === hash) return true;
    sightings[place] = hash;
    return false;
  }

  return {
    idOf(text) {
      const recent = young.get(text);
      if (recent !== undefined) return recent;
      const known = old.get(text);
      if (known !== undefined) return remember(text, known);
      if (text.length > LONGEST_WORD || !isRepeated(text)) return 0;
      // A fresh copy: a slice would keep the whole record it was cut from in memory.
      const copy = Buffer.from(text).toString();
      if (copy !== text) return 0;
      const row = find.get(copy) ?? insert.get(copy);
      return row === null ? 0 : remember(copy, row.id);
    },
    rolledBack() {
      young = new Map();
      old = new Map();
    },
  };
}

/** Words of a reader; words never change, so what was read once is kept (a bounded number of them). */
export function createWordReader(db: Database): WordReader {
  const find = db.query<{ text: string }, [number]>('SELECT text FROM detail_words WHERE id = ?');
  let young = new Map<number, string>();
  let old = new Map<number, string>();
  return {
    textOf(id) {
      const recent = young.get(id);
      if (recent !== undefined) return recent;
      const text = old.get(id) ?? find.get(id)?.text;
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
