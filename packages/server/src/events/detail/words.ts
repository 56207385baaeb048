import type { Database } from 'bun:sqlite';
import type { JsonShape } from './json-shape.ts';
import { TextTable } from './text-table.ts';
import { LONGEST_WORD } from './word-length.ts';

/** Finds the number of a text that many details share. */
export interface WordWriter {
  /** Number of the text in `source[from, to)` with the given hash; 0 = write the text. */
  find(hash: number, source: string, from: number, to: number): number;
  /** Number of the template of a scanned text; 0 = write the whole text. */
  findTemplate(shape: JsonShape): number;
}

export interface WordReader {
  textOf(id: number): string;
}

export interface WordTable extends WordWriter {
  /** The transaction that added words was rolled back: drop them. */
  rolledBack(): void;
}

interface Template {
  readonly text: string;
  readonly id: number;
}

const GENERATION = 16_384;
/** Templates are few and long. */
const TEMPLATES = 2_048;
const SIGHTINGS = 65_536;

/**
 * Words of the writer. A text becomes a word when it is seen for the second time within the last tens of thousands of
 * others, so that unique texts (request ids, trace ids) stay out of the table. Memory is bounded: a word that was not
 * used for long is read from the table again.
 */
export function createWordTable(db: Database): WordTable {
  const select = db.query<{ id: number }, [string]>('SELECT id FROM detail_words WHERE text = ?');
  const insert = db.query<{ id: number }, [string]>('INSERT INTO detail_words (text) VALUES (?) RETURNING id');
  const recent = new TextTable(GENERATION);
  const templates = new Map<number, Template[]>();
  let templateCount = 0;
  const sightings = new Int32Array(SIGHTINGS);

  function isRepeated(hash: number): boolean {
    const place = hash & (SIGHTINGS - 1);
    if (sightings[place] === hash) return true;
    sightings[place] = hash;
    return false;
  }

  function numberOf(text: string): number {
    return (select.get(text) ?? insert.get(text))?.id ?? 0;
  }

  function take(hash: number, text: string): number {
    // A copy: a slice would keep the whole record in memory.
    const copy = Buffer.from(text).toString();
    if (copy !== text) return 0;
    const id = numberOf(copy);
    if (id > 0) recent.add(hash, copy, id);
    return id;
  }

  function forgetTemplates(): void {
    templates.clear();
    templateCount = 0;
  }

  return {
    find(hash, source, from, to) {
      const id = recent.find(hash, source, from, to);
      if (id > 0 || to - from > LONGEST_WORD) return id;
      return isRepeated(hash) ? take(hash, source.slice(from, to)) : 0;
    },
    findTemplate(shape) {
      for (const { text, id } of templates.get(shape.hash) ?? []) if (shape.fits(text)) return id;
      if (!isRepeated(shape.hash)) return 0;
      const text = shape.template();
      if (text.length > LONGEST_WORD) return 0;
      const copy = Buffer.from(text).toString();
      if (!shape.fits(copy)) return 0;
      if (templateCount >= TEMPLATES) forgetTemplates();
      const id = numberOf(copy);
      templates.set(shape.hash, [...(templates.get(shape.hash) ?? []), { text: copy, id }]);
      templateCount += 1;
      return id;
    },
    rolledBack() {
      recent.clear();
      forgetTemplates();
    },
  };
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
