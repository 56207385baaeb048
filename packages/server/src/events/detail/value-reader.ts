import type { ByteReader } from './bytes.ts';
import { joinJson } from './json-shape.ts';
import {
  MEDIUM,
  MEDIUM_COUNT,
  Op,
  SHORTEST_KEPT,
  SMALL,
  SMALL_COUNT,
  TEXT,
  unzigzag,
  type Value,
  WORD,
} from './value-format.ts';
import type { WordReader } from './words.ts';

/** Reads the values of one event in their written order. */
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

  /** The first value, which takes no byte. */
  begin(timeText: string): void {
    this.#seen.push(timeText);
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

  /** A literal without a place: whole JSON texts and parts of other values. */
  #plain(first: number): string {
    return this.#bytes.utf8(first === Op.text ? this.#bytes.varint() : first - TEXT);
  }

  #keepText(text: string): string {
    return text.length < SHORTEST_KEPT ? text : this.#keep(text);
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

function withDashes(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
