import { WORD_COUNT } from '../value-format.ts';
import type { WordReader } from '../words.ts';
import { type JsonTemplate, jsonTemplate } from './json-template.ts';

/** A word as it appears in JSON. */
export interface JsonWord {
  readonly text: string;
  /** UTF-8, escaped, without quotes. */
  readonly bytes: Uint8Array;
  /** Nothing is escaped: the bytes are those of the text. */
  readonly plain: boolean;
}

export interface JsonWords {
  word(id: number): JsonWord;
  /** The word as the shape of an object; null when such objects have to be parsed. */
  template(id: number): JsonTemplate | null;
}

/** Half of what is kept in memory. */
const GENERATION_BYTES = 2 * 1024 * 1024;
/** Objects around the bytes of a word. */
const WORD_BYTES = 200;
const encoder = new TextEncoder();

/** Keeps the words of a reader in the form of JSON; they never change. */
export function createJsonWords(words: WordReader, generationBytes = GENERATION_BYTES): JsonWords {
  const texts = createKept(
    (id) => jsonWord(words.textOf(id)),
    ({ bytes }) => bytes.length,
    generationBytes,
  );
  const templates = createKept(
    (id) => jsonTemplate(words.textOf(id)),
    (template) => (template?.pieces ?? []).reduce((sum, piece) => sum + piece.length + WORD_BYTES, 0),
    generationBytes,
  );
  return { word: texts, template: templates };
}

export function jsonWord(text: string): JsonWord {
  const json = JSON.stringify(text);
  return { text, bytes: encoder.encode(json.slice(1, -1)), plain: json.length === text.length + 2 };
}

/** Values by number, in two generations of a limited size. */
function createKept<T extends object | null>(
  make: (id: number) => T,
  bytesOf: (value: T) => number,
  generationBytes: number,
): (id: number) => T {
  let young = new Generation<T>();
  let old = new Generation<T>();
  let bytes = 0;
  return (id) => {
    const recent = young.get(id);
    if (recent !== undefined) return recent;
    const value = old.get(id) ?? make(id);
    if (bytes > generationBytes) {
      old = young;
      young = new Generation();
      bytes = 0;
    }
    bytes += WORD_BYTES + bytesOf(value);
    young.set(id, value);
    return value;
  };
}

/** Frequent words have small numbers: an array finds them faster. */
class Generation<T> {
  readonly #frequent: (T | undefined)[] = new Array<T | undefined>(WORD_COUNT).fill(undefined);
  readonly #others = new Map<number, T>();

  get(id: number): T | undefined {
    return id < WORD_COUNT ? this.#frequent[id] : this.#others.get(id);
  }

  set(id: number, value: T): void {
    if (id < WORD_COUNT) this.#frequent[id] = value;
    else this.#others.set(id, value);
  }
}
