import type { Value } from '../value-format.ts';
import type { JsonBytes } from './json-bytes.ts';
import { type JsonWord, jsonWord } from './json-words.ts';

/** Kinds of a value. */
export const NOTHING = 0;
export const NUMBER = 1;
/** A text of which nothing is escaped. */
export const PLAIN = 2;
export const ESCAPED = 3;

const FIRST_SLOTS = 512;
const NO_BYTES = new Uint8Array(0);

/**
 * The values of one event, each in a numbered slot: a number, or a text as a range of bytes in the form of JSON. The
 * arrays are reused for every event.
 */
export class Slots {
  #count = 0;
  #room = FIRST_SLOTS;
  #kinds = new Uint8Array(FIRST_SLOTS);
  #numbers = new Float64Array(FIRST_SLOTS);
  readonly #sources: Uint8Array[] = new Array<Uint8Array>(FIRST_SLOTS).fill(NO_BYTES);
  #froms = new Int32Array(FIRST_SLOTS);
  #tos = new Int32Array(FIRST_SLOTS);
  /** null = it is decoded when needed, which only a plain text can be. */
  readonly #texts: (string | null)[] = new Array<string | null>(FIRST_SLOTS).fill(null);

  /** Frees the slots from this one on. */
  cut(count: number): void {
    this.#count = count;
  }

  /** Lets go of the bytes of all slots from this one on, which may be long. */
  release(count: number): void {
    this.cut(count);
    this.#sources.fill(NO_BYTES, count);
    this.#texts.fill(null, count);
  }

  add(value: Value): number {
    if (value === null) return this.nothing();
    return typeof value === 'number' ? this.number(value) : this.word(jsonWord(value));
  }

  nothing(): number {
    const slot = this.#next();
    this.#kinds[slot] = NOTHING;
    return slot;
  }

  number(value: number): number {
    const slot = this.#next();
    this.#kinds[slot] = NUMBER;
    this.#numbers[slot] = value;
    return slot;
  }

  word({ text, bytes, plain }: JsonWord): number {
    return this.#text(plain ? PLAIN : ESCAPED, bytes, 0, bytes.length, text);
  }

  /** A text of which nothing is escaped. */
  plain(source: Uint8Array, from: number, to: number): number {
    return this.#text(PLAIN, source, from, to, null);
  }

  kindOf(slot: number): number {
    return this.#kinds[slot] ?? NOTHING;
  }

  numberOf(slot: number): number {
    return this.#numbers[slot] ?? 0;
  }

  isPlain(slot: number): boolean {
    return this.#kinds[slot] === PLAIN;
  }

  /** In bytes. */
  lengthOf(slot: number): number {
    return (this.#tos[slot] ?? 0) - (this.#froms[slot] ?? 0);
  }

  /** In UTF-16 units, of a text that came from the detail. */
  unitsOf(slot: number): number {
    // What is decoded when needed is ASCII.
    return this.#texts[slot]?.length ?? this.lengthOf(slot);
  }

  byteAt(slot: number, index: number): number {
    return this.#sources[slot]?.[(this.#froms[slot] ?? 0) + index] ?? -1;
  }

  textOf(slot: number): string {
    const known = this.#texts[slot] ?? null;
    if (known !== null) return known;
    const { buffer, byteOffset } = this.#sources[slot] ?? NO_BYTES;
    const text = Buffer.from(buffer, byteOffset + (this.#froms[slot] ?? 0), this.lengthOf(slot)).toString();
    this.#texts[slot] = text;
    return text;
  }

  /** The bytes `[from, to)` of a plain text as another one. */
  part(slot: number, from: number, to: number): number {
    const start = this.#froms[slot] ?? 0;
    return this.plain(this.#sources[slot] ?? NO_BYTES, start + from, start + to);
  }

  /** Writes a text without quotes. */
  writeText(slot: number, out: JsonBytes): void {
    out.copy(this.#sources[slot] ?? NO_BYTES, this.#froms[slot] ?? 0, this.#tos[slot] ?? 0);
  }

  /** Writes a text in quotes after `before`, without so many of its last bytes. */
  writeQuoted(slot: number, out: JsonBytes, before: Uint8Array, without = 0): void {
    out.quoted(before, this.#sources[slot] ?? NO_BYTES, this.#froms[slot] ?? 0, (this.#tos[slot] ?? 0) - without);
  }

  #text(kind: number, source: Uint8Array, from: number, to: number, text: string | null): number {
    const slot = this.#next();
    this.#kinds[slot] = kind;
    this.#sources[slot] = source;
    this.#froms[slot] = from;
    this.#tos[slot] = to;
    this.#texts[slot] = text;
    return slot;
  }

  #next(): number {
    if (this.#count === this.#room) this.#grow();
    return this.#count++;
  }

  #grow(): void {
    this.#room *= 2;
    const [kinds, numbers, froms, tos] = [this.#kinds, this.#numbers, this.#froms, this.#tos];
    this.#kinds = new Uint8Array(this.#room);
    this.#numbers = new Float64Array(this.#room);
    this.#froms = new Int32Array(this.#room);
    this.#tos = new Int32Array(this.#room);
    this.#kinds.set(kinds);
    this.#numbers.set(numbers);
    this.#froms.set(froms);
    this.#tos.set(tos);
  }
}
