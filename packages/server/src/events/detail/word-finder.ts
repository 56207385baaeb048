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

export interface WordFinder extends WordWriter {
  /** The text of a hash has this number from now on. */
  remember(kind: WordKind, hash: number, text: string, id: number): void;
  forget(): void;
}

export type WordKind = 'text' | 'template';

interface Template {
  readonly text: string;
  readonly id: number;
}

const GENERATION = 16_384;
/** Templates are few and long. */
const TEMPLATES = 2_048;
const SIGHTINGS = 65_536;

/**
 * Recently used words and the sightings of texts that are none yet.
 *
 * @param idOf number of a text that was seen before; 0 = none yet
 */
export function createWordFinder(idOf: (text: string, hash: number, kind: WordKind) => number): WordFinder {
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

  function take(kind: WordKind, hash: number, text: string): number {
    const id = idOf(text, hash, kind);
    if (id > 0) remember(kind, hash, text, id);
    return id;
  }

  function remember(kind: WordKind, hash: number, text: string, id: number): void {
    if (kind === 'text') {
      recent.add(hash, text, id);
      return;
    }
    if (templateCount >= TEMPLATES) forgetTemplates();
    templates.set(hash, [...(templates.get(hash) ?? []), { text, id }]);
    templateCount += 1;
  }

  function forgetTemplates(): void {
    templates.clear();
    templateCount = 0;
  }

  return {
    find(hash, source, from, to) {
      const id = recent.find(hash, source, from, to);
      if (id > 0 || to - from > LONGEST_WORD) return id;
      if (!isRepeated(hash)) return 0;
      const text = source.slice(from, to);
      const copy = copyOf(text);
      return copy === text ? take('text', hash, copy) : 0;
    },
    findTemplate(shape) {
      for (const { text, id } of templates.get(shape.hash) ?? []) if (shape.fits(text)) return id;
      if (!isRepeated(shape.hash)) return 0;
      const text = shape.template();
      if (text.length > LONGEST_WORD) return 0;
      const copy = copyOf(text);
      return shape.fits(copy) ? take('template', shape.hash, copy) : 0;
    },
    remember,
    forget() {
      recent.clear();
      forgetTemplates();
    },
  };
}

/** A slice would keep the whole record in memory. Differs when the text cannot be stored. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
