import { type ByteReader, ByteWriter } from './bytes.ts';
import { SeenValues } from './seen.ts';
import { joinJson, splitJson } from './template.ts';
import type { WordReader, WordWriter } from './words.ts';

export type Value = string | number | null;

/**
 * First byte of a value. The frequent forms carry their number in it: an earlier value of the same event, a small
 * integer, a frequent word, a short text.
 */
const BACK = 0x00; // 0x00–0x5f: earlier value 0–95
const BACK_COUNT = 0x60;
const SMALL = 0x60; // 0x60–0x8f: integer 0–47
const SMALL_COUNT = 0x30;
const MEDIUM = 0x90; // 0x90–0x9f and one byte: integer 48–4143
const MEDIUM_COUNT = 0x10 * 256;
const WORD = 0xa0; // 0xa0–0xbf and one byte: word 0–8191
const WORD_COUNT = 0x20 * 256;
const TEXT = 0xc0; // 0xc0–0xdf: text of 0–31 bytes
const TEXT_COUNT = 0x20;
const Op = {
  integer: 0xe0,
  word: 0xe1,
  text: 0xe2,
  hex: 0xe3,
  integerText: 0xe4,
  /** Milliseconds, as distance to the event time. */
  time: 0xe5,
  /** Seconds, as distance to the event time. */
  seconds: 0xe6,
  secondsText: 0xe7,
  /** `Tue, 01 Sep 2026 08:00:01 GMT`. */
  httpDate: 0xe8,
  numberText: 0xe9,
  uuid: 0xea,
  /** Text, then hexadecimal digits, then text. */
  aroundHex: 0xeb,
  nothing: 0xec,
  back: 0xed,
  /** JSON text as shape (a word) and values. */
  json: 0xee,
} as const;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const AROUND_HEX = /^(.{0,16}?)((?:[0-9a-f]{2}){6,})([\s\S]{0,16})$/;
const HEX = /^(?:[0-9a-f]{2}){3,}$/;
const INTEGER_LIMIT = 2 ** 53;
/** Distances to the event time are worth it for about a year on each side. */
const NEAR_MS = 4e10;

/** Writes the values of one event after the other into one buffer; equal ones only once. */
export class ValueWriter {
  readonly bytes = new ByteWriter();
  readonly #words: WordWriter;
  readonly #seen = new SeenValues();
  readonly #sources: string[] = [];
  readonly #areTexts: boolean[] = [];
  #timeMs = 0;
  #timeSeconds = 0;

  constructor(words: WordWriter) {
    this.#words = words;
  }

  /** The time text counts as the first value: the raw record repeats it. */
  begin(timeMs: number, timeText: string): void {
    this.bytes.reset();
    this.#seen.clear();
    this.#timeMs = timeMs;
    this.#timeSeconds = Math.floor(timeMs / 1000);
    this.#back(timeText);
  }

  value(value: Value): void {
    if (value === null) this.bytes.byte(Op.nothing);
    else if (typeof value === 'string') this.#text(value);
    else this.#number(value);
  }

  json(text: string): void {
    const sources = this.#sources;
    const areTexts = this.#areTexts;
    sources.length = 0;
    areTexts.length = 0;
    const template = splitJson(text, sources, areTexts);
    const word = template === null || sources.length === 0 ? 0 : this.#words.idOf(template);
    if (word === 0) {
      this.#literal(text);
      return;
    }
    this.bytes.byte(Op.json);
    this.bytes.varint(word);
    for (let index = 0; index < sources.length; index += 1) {
      const source = sources[index] ?? '';
      if (areTexts[index] === true) this.#text(source);
      else this.#source(source);
    }
  }

  /** The source text of a JSON number. */
  #source(source: string): void {
    if (isInteger(source)) {
      this.#number(Number(source));
      return;
    }
    this.bytes.byte(Op.numberText);
    this.bytes.byte(source.length);
    if (source.length > 255) throw new Error('a number of more than 255 characters');
    this.bytes.utf8(source, source.length);
  }

  #number(value: number): void {
    const { bytes } = this;
    if (!Number.isInteger(value) || value < 0 || value >= INTEGER_LIMIT || Object.is(value, -0)) {
      this.#source(Object.is(value, -0) ? '0' : String(value));
      return;
    }
    if (value < SMALL_COUNT) {
      bytes.byte(SMALL + value);
      return;
    }
    if (this.#back(value)) return;
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

  #text(text: string): void {
    const { bytes } = this;
    if (text.length < 2) {
      this.#literal(text);
      return;
    }
    if (isInteger(text)) {
      const value = Number(text);
      if (Math.abs(value * 1000 - this.#timeMs) < NEAR_MS) {
        bytes.byte(Op.secondsText);
        bytes.varint(zigzag(value - this.#timeSeconds));
      } else {
        bytes.byte(Op.integerText);
        bytes.varint(value);
      }
      return;
    }
    if (this.#back(text)) return;
    if (text.length === 29 && text.endsWith('GMT')) {
      const timeMs = Date.parse(text);
      if (new Date(timeMs).toUTCString() === text) {
        bytes.byte(Op.httpDate);
        bytes.varint(zigzag(timeMs / 1000 - this.#timeSeconds));
        return;
      }
    }
    const word = text.length <= 300 ? this.#words.idOf(text) : 0;
    if (word > 0 && word < WORD_COUNT) {
      bytes.byte(WORD + (word >> 8));
      bytes.byte(word & 255);
    } else if (word > 0) {
      bytes.byte(Op.word);
      bytes.varint(word);
    } else if (text.length >= 6 && text.length <= 128) {
      this.#shortText(text);
    } else {
      this.#literal(text);
    }
  }

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
    const around = AROUND_HEX.exec(text);
    const [, before = '', digits = '', after = ''] = around ?? [];
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

  /** Writes a reference when the value was written before, else gives it the next place. */
  #back(value: string | number): boolean {
    const place = this.#seen.indexOf(value);
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

export class ValueReader {
  readonly #bytes: ByteReader;
  readonly #words: WordReader;
  readonly #seen: (string | number)[] = [];
  readonly #timeMs: number;
  readonly #timeSeconds: number;

  constructor(bytes: ByteReader, words: WordReader, timeMs: number) {
    this.#bytes = bytes;
    this.#words = words;
    this.#timeMs = timeMs;
    this.#timeSeconds = Math.floor(timeMs / 1000);
  }

  /** The value that is written before all others without taking a byte. */
  begin(timeText: string): void {
    this.#seen.push(timeText);
  }

  text(): string {
    const value = this.value();
    if (typeof value !== 'string') throw new Error('detail: text expected');
    return value;
  }

  number(): number {
    const value = this.value();
    if (typeof value !== 'number') throw new Error('detail: number expected');
    return value;
  }

  json(): string {
    const first = this.#bytes.byte();
    if (first !== Op.json) return this.#plain(first);
    const template = this.#words.textOf(this.#bytes.varint());
    return joinJson(template, () => this.#source(this.#bytes.byte()));
  }

  value(): Value {
    return this.#value(this.#bytes.byte());
  }

  /** As JSON source text: a number that was not canonical keeps its spelling. */
  #source(first: number): string {
    if (first === Op.numberText) return this.#bytes.utf8(this.#bytes.byte());
    return String(this.#value(first));
  }

  #value(first: number): Value {
    const bytes = this.#bytes;
    if (first < SMALL) return this.#earlier(first);
    if (first < MEDIUM) return first - SMALL;
    if (first < WORD) return this.#keep(SMALL_COUNT + ((first - MEDIUM) << 8) + bytes.byte());
    if (first < TEXT) return this.#keep(this.#words.textOf(((first - WORD) << 8) + bytes.byte()));
    if (first < Op.integer) return this.#keepText(bytes.utf8(first - TEXT));
    switch (first) {
      case Op.integer:
        return this.#keep(bytes.varint() + SMALL_COUNT + MEDIUM_COUNT);
      case Op.word:
        return this.#keep(this.#words.textOf(bytes.varint()));
      case Op.text:
        return this.#keepText(bytes.utf8(bytes.varint()));
      case Op.hex:
        return this.#keep(bytes.hex(bytes.varint()));
      case Op.integerText:
        return String(bytes.varint());
      case Op.time:
        return this.#keep(unzigzag(bytes.varint()) + this.#timeMs);
      case Op.seconds:
        return this.#keep(unzigzag(bytes.varint()) + this.#timeSeconds);
      case Op.secondsText:
        return String(unzigzag(bytes.varint()) + this.#timeSeconds);
      case Op.httpDate:
        return this.#keep(new Date((unzigzag(bytes.varint()) + this.#timeSeconds) * 1000).toUTCString());
      case Op.numberText:
        return Number(bytes.utf8(bytes.byte()));
      case Op.uuid:
        return this.#keep(withDashes(bytes.hex(16)));
      case Op.aroundHex:
        return this.#aroundHex();
      case Op.nothing:
        return null;
      case Op.back:
        return this.#earlier(bytes.varint());
      default:
        throw new Error(`detail: unknown value ${first}`);
    }
  }

  #aroundHex(): string {
    const digits = this.#bytes.hex(this.#bytes.varint());
    const before = this.#plain(this.#bytes.byte());
    return this.#keep(before + digits + this.#plain(this.#bytes.byte()));
  }

  /** A literal that gets no place: whole JSON texts and parts of other values. */
  #plain(first: number): string {
    return this.#bytes.utf8(first === Op.text ? this.#bytes.varint() : first - TEXT);
  }

  #keepText(text: string): string {
    return text.length < 2 ? text : this.#keep(text);
  }

  #keep<T extends string | number>(value: T): T {
    this.#seen.push(value);
    return value;
  }

  #earlier(place: number): string | number {
    const value = this.#seen[place];
    if (value === undefined) throw new Error('detail: reference to nothing');
    return value;
  }
}

/** A decimal integer of at most 15 digits in its shortest spelling. */
function isInteger(text: string): boolean {
  const { length } = text;
  if (length === 0 || length > 15) return false;
  if (text.charCodeAt(0) === 48) return length === 1;
  for (let index = 0; index < length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 48 || unit > 57) return false;
  }
  return true;
}

function withDashes(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
