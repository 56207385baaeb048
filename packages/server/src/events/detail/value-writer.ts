import { ByteWriter } from './bytes.ts';
import { JsonShape } from './json-shape.ts';
import { SeenValues } from './seen.ts';
import { hashText } from './text-hash.ts';
import {
  BACK,
  BACK_COUNT,
  MEDIUM,
  MEDIUM_COUNT,
  NEAR_MS,
  Op,
  SHORTEST_KEPT,
  SMALL,
  SMALL_COUNT,
  TEXT,
  TEXT_COUNT,
  type Value,
  WORD,
  WORD_COUNT,
  zigzag,
} from './value-format.ts';
import type { WordWriter } from './word-finder.ts';

const HEX = /^(?:[0-9a-f]{2}){3,}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const AROUND_HEX = /^(.{0,16}?)((?:[0-9a-f]{2}){6,})([\s\S]{0,16})$/;
const HTTP_DATE_LENGTH = 29;
const LONGEST_SHARED = 300;
const LONGEST_NUMBER = 255;
const INTEGER_LIMIT = 2 ** 53;

/** Writes the values of one event into one buffer; equal ones only once. */
export class ValueWriter {
  readonly bytes = new ByteWriter();
  readonly #words: WordWriter;
  readonly #seen = new SeenValues();
  readonly #shape = new JsonShape();
  #timeMs = 0;
  #timeSeconds = 0;
  #dateText = '';
  #dateSeconds = 0;

  constructor(words: WordWriter) {
    this.#words = words;
  }

  /** The time text is the first value: the raw record repeats it. */
  begin(timeMs: number, timeText: string): void {
    this.bytes.reset();
    this.#seen.clear();
    this.#timeMs = timeMs;
    this.#timeSeconds = Math.floor(timeMs / 1000);
    this.#seen.textPlace(hashText(timeText), timeText, 0, timeText.length);
  }

  value(value: Value): void {
    if (value === null) this.bytes.byte(Op.nothing);
    else if (typeof value === 'string') this.#text(hashText(value), value, 0, value.length);
    else this.#number(value);
  }

  json(text: string): void {
    const shape = this.#shape;
    const template = shape.scan(text) && shape.count > 0 && !hasLongNumber(shape) ? this.#words.findTemplate(shape) : 0;
    if (template === 0) {
      this.#literal(text);
      return;
    }
    this.bytes.byte(Op.json);
    this.bytes.varint(template);
    for (let index = 0; index < shape.count; index += 1) {
      const from = shape.from[index] ?? 0;
      const to = shape.to[index] ?? 0;
      if (shape.quoted[index] === 1) this.#text(shape.hashes[index] ?? 0, text, from, to);
      else this.#source(text, from, to);
    }
  }

  /** The source text of a JSON number. */
  #source(text: string, from: number, to: number): void {
    const value = integerAt(text, from, to);
    if (value >= 0) this.#number(value);
    else this.#numberText(text.slice(from, to));
  }

  #numberText(text: string): void {
    this.bytes.byte(Op.numberText);
    this.bytes.byte(text.length);
    this.bytes.utf8(text, text.length);
  }

  #number(value: number): void {
    const { bytes } = this;
    if (!Number.isInteger(value) || value < 0 || value >= INTEGER_LIMIT) {
      this.#numberText(String(value));
      return;
    }
    if (value < SMALL_COUNT) {
      bytes.byte(SMALL + value);
      return;
    }
    if (this.#back(this.#seen.numberPlace(value))) return;
    const medium = value - SMALL_COUNT;
    if (medium < MEDIUM_COUNT) {
      bytes.byte(MEDIUM + (medium >> 8));
      bytes.byte(medium & 255);
    } else if (Math.abs(value - this.#timeMs) < NEAR_MS) {
      bytes.byte(Op.time);
      bytes.varint(zigzag(value - this.#timeMs));
    } else if (Math.abs(value * 1000 - this.#timeMs) < NEAR_MS) {
      bytes.byte(Op.seconds);
      bytes.varint(zigzag(value - this.#timeSeconds));
    } else {
      bytes.byte(Op.integer);
      bytes.varint(medium - MEDIUM_COUNT);
    }
  }

  /** The text in `source[from, to)`. */
  #text(hash: number, source: string, from: number, to: number): void {
    const length = to - from;
    if (length < SHORTEST_KEPT) {
      this.#literal(source.slice(from, to));
      return;
    }
    const integer = integerAt(source, from, to);
    if (integer >= 0) {
      this.#integerText(integer);
      return;
    }
    if (this.#back(this.#seen.textPlace(hash, source, from, to))) return;
    if (length === HTTP_DATE_LENGTH && source.endsWith('GMT', to) && this.#httpDate(source.slice(from, to))) return;
    const word = length <= LONGEST_SHARED ? this.#words.find(hash, source, from, to) : 0;
    if (word > 0) this.#word(word);
    else if (length >= 6 && length <= 128) this.#shortText(source.slice(from, to));
    else this.#literal(source.slice(from, to));
  }

  #integerText(value: number): void {
    if (Math.abs(value * 1000 - this.#timeMs) < NEAR_MS) {
      this.bytes.byte(Op.secondsText);
      this.bytes.varint(zigzag(value - this.#timeSeconds));
    } else {
      this.bytes.byte(Op.integerText);
      this.bytes.varint(value);
    }
  }

  #httpDate(text: string): boolean {
    // Events of one second have the same date, and reading one is slow.
    if (text !== this.#dateText) {
      const timeMs = Date.parse(text);
      if (new Date(timeMs).toUTCString() !== text) return false;
      // A copy: a slice would keep the whole record in memory.
      this.#dateText = Buffer.from(text).toString();
      this.#dateSeconds = timeMs / 1000;
    }
    this.bytes.byte(Op.httpDate);
    this.bytes.varint(zigzag(this.#dateSeconds - this.#timeSeconds));
    return true;
  }

  #word(id: number): void {
    if (id < WORD_COUNT) {
      this.bytes.byte(WORD + (id >> 8));
      this.bytes.byte(id & 255);
    } else {
      this.bytes.byte(Op.word);
      this.bytes.varint(id);
    }
  }

  /** A text that is not shared: identifiers are mostly hexadecimal. */
  #shortText(text: string): void {
    const { bytes } = this;
    if (HEX.test(text)) {
      bytes.byte(Op.hex);
      bytes.varint(text.length / 2);
      bytes.hex(text, 0, text.length / 2);
      return;
    }
    if (UUID.test(text)) {
      bytes.byte(Op.uuid);
      bytes.hex(text.replaceAll('-', ''), 0, 16);
      return;
    }
    const [, before = '', digits = '', after = ''] = AROUND_HEX.exec(text) ?? [];
    if (digits === '') {
      this.#literal(text);
      return;
    }
    bytes.byte(Op.aroundHex);
    bytes.varint(digits.length / 2);
    bytes.hex(digits, 0, digits.length / 2);
    this.#literal(before);
    this.#literal(after);
  }

  #literal(text: string): void {
    const length = Buffer.byteLength(text);
    if (length < TEXT_COUNT) {
      this.bytes.byte(TEXT + length);
    } else {
      this.bytes.byte(Op.text);
      this.bytes.varint(length);
    }
    this.bytes.utf8(text, length);
  }

  /** Writes a reference when the value already has a place. */
  #back(place: number): boolean {
    if (place < 0) return false;
    if (place < BACK_COUNT) {
      this.bytes.byte(BACK + place);
    } else {
      this.bytes.byte(Op.back);
      this.bytes.varint(place);
    }
    return true;
  }
}

function hasLongNumber(shape: JsonShape): boolean {
  for (let index = 0; index < shape.count; index += 1) {
    const length = (shape.to[index] ?? 0) - (shape.from[index] ?? 0);
    if (length > LONGEST_NUMBER && shape.quoted[index] === 0) return true;
  }
  return false;
}

/** Value of a decimal integer of at most 15 digits in its shortest spelling, −1 for any other text. */
function integerAt(text: string, from: number, to: number): number {
  const first = text.charCodeAt(from);
  if (to - from > 15 || first < 48 || first > 57) return -1;
  if (first === 48) return to - from === 1 ? 0 : -1;
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}
