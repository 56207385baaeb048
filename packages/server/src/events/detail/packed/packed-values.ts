import {
  MEDIUM,
  MEDIUM_COUNT,
  Op,
  TEXT as SHORT_TEXT,
  SHORTEST_KEPT,
  SMALL,
  SMALL_COUNT,
  unzigzag,
  WORD,
} from '../value-format.ts';
import type { JsonBytes } from './json-bytes.ts';
import { isCanonicalText } from './json-template.ts';
import { type JsonWords, jsonWord } from './json-words.ts';
import { ESCAPED, NUMBER, PLAIN, Slots } from './slots.ts';
import { TIME_BYTES, TimeBytes } from './time-bytes.ts';

const ENDS_EARLY = 'detail ends too early';
const DASH = 45;
/** Room that is left in the buffer of texts when an event starts. */
const MADE_BYTES = 16_384;
const NO_PIECE = new Uint8Array(0);
/** Bytes between the dashes. */
const UUID_PARTS = [4, 2, 2, 2, 6] as const;
const HEX_DIGITS = Buffer.from('0123456789abcdef');

/**
 * Reads the values of one event like `ValueReader`, but into slots: their texts are never made, only their bytes are looked
 * up. A value that is left out here takes the way of `ValueReader`.
 */
export class PackedValues {
  readonly slots = new Slots();
  readonly #words: JsonWords;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #timeMs = 0;
  #timeSeconds = 0;
  /** Slots of the values that later ones refer to, by place. */
  readonly #kept: number[] = [];
  #keptCount = 0;
  /** Texts that are not in the detail as they are. */
  #made = new Uint8Array(MADE_BYTES);
  #madeLength = 0;
  readonly #times = new TimeBytes();

  constructor(words: JsonWords) {
    this.#words = words;
  }

  /** @param slots those before this one stay as they are */
  begin(bytes: Uint8Array, at: number, slots: number): void {
    this.#bytes = bytes;
    this.#at = at;
    this.#keptCount = 0;
    this.#madeLength = 0;
    if (this.#made.length > MADE_BYTES) this.#made = new Uint8Array(MADE_BYTES);
    this.slots.cut(slots);
  }

  setTime(timeMs: number): void {
    this.#timeMs = timeMs;
    this.#timeSeconds = Math.floor(timeMs / 1000);
  }

  byte(): number {
    const value = this.#bytes[this.#at++];
    if (value === undefined) throw new Error(ENDS_EARLY);
    return value;
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const part = this.byte();
      value += (part & 127) * scale;
      if (part < 128) return value;
      scale *= 128;
    }
  }

  /** A text after its length, without a place. */
  text(): number {
    return this.#text(this.varint());
  }

  value(): number {
    return this.#value(this.byte());
  }

  keep(slot: number): number {
    this.#kept[this.#keptCount++] = slot;
    return slot;
  }

  /** The text of a time, as `timestampText` gives it. */
  time(timestampMs: number, nanos: number): number {
    const from = this.#make(TIME_BYTES);
    const to = this.#times.write(this.#made, from, timestampMs, nanos);
    return this.slots.plain(this.#made, from, to);
  }

  /** Makes a text of ASCII without escapes. */
  ascii(text: string): number {
    const from = this.#make(text.length);
    for (let index = 0; index < text.length; index += 1) this.#made[from + index] = text.charCodeAt(index);
    return this.slots.plain(this.#made, from, this.#madeLength);
  }

  /** Makes a text of two hexadecimal digits a byte. */
  hexText(source: Uint8Array, from: number, count: number): number {
    const start = this.#make(count * 2);
    this.#hex(source, from, count, start);
    return this.slots.plain(this.#made, start, this.#madeLength);
  }

  /**
   * Writes a JSON object after `before`; nothing where there is none. False: it has to be parsed and written again. Then a part of
   * it may be written.
   */
  object(out: JsonBytes, before: Uint8Array, rewritten: (text: string) => string | null): boolean {
    const first = this.byte();
    if (first !== Op.json) {
      const text = this.#literal(first);
      const again = this.slots.lengthOf(text) === 0 ? null : rewritten(this.slots.textOf(text));
      if (again === null) return true;
      out.all(before);
      out.utf8(again);
      return true;
    }
    const template = this.#words.template(this.varint());
    if (template === null) return false;
    out.all(before);
    const { pieces, quoted } = template;
    for (let index = 0; index < quoted.length; index += 1) {
      out.all(pieces[index] ?? NO_PIECE);
      if (!(quoted[index] === true ? this.#quoted(out) : this.#number(out))) return false;
    }
    out.all(pieces[quoted.length] ?? NO_PIECE);
    return true;
  }

  /** Its text is the source of JSON text. */
  #quoted(out: JsonBytes): boolean {
    const { slots } = this;
    const slot = this.value();
    const kind = slots.kindOf(slot);
    if (kind === PLAIN) {
      slots.writeText(slot, out);
      return true;
    }
    if (kind !== ESCAPED) return false;
    const source = slots.textOf(slot);
    if (!isCanonicalText(source)) return false;
    out.utf8(source);
    return true;
  }

  #number(out: JsonBytes): boolean {
    const first = this.byte();
    const from = this.#at + 1;
    const slot = this.#value(first);
    if (this.slots.kindOf(slot) !== NUMBER) return false;
    const value = this.slots.numberOf(slot);
    if (first === Op.numberText) {
      // Shown as it was sent: 1.50, 1e400.
      const source = Buffer.from(this.#bytes.subarray(from, this.#at)).toString();
      if (!Number.isFinite(value) || String(value) !== source) return false;
    }
    out.number(value);
    return true;
  }

  #value(first: number): number {
    const { slots } = this;
    if (first < SMALL) return this.#earlier(first);
    if (first < MEDIUM) return slots.number(first - SMALL);
    if (first < WORD) return this.keep(slots.number(SMALL_COUNT + ((first - MEDIUM) << 8) + this.byte()));
    if (first < SHORT_TEXT) return this.keep(slots.word(this.#words.word(((first - WORD) << 8) + this.byte())));
    if (first < Op.integer) return this.#keepText(this.#text(first - SHORT_TEXT));
    switch (first) {
      case Op.integer:
        return this.keep(slots.number(this.varint() + SMALL_COUNT + MEDIUM_COUNT));
      case Op.word:
        return this.keep(slots.word(this.#words.word(this.varint())));
      case Op.text:
        return this.#keepText(this.#text(this.varint()));
      case Op.hex:
        return this.keep(this.#hexHere(this.varint()));
      case Op.integerText:
        return this.ascii(String(this.varint()));
      case Op.time:
        return this.keep(slots.number(unzigzag(this.varint()) + this.#timeMs));
      case Op.seconds:
        return this.keep(slots.number(unzigzag(this.varint()) + this.#timeSeconds));
      case Op.secondsText:
        return this.ascii(String(unzigzag(this.varint()) + this.#timeSeconds));
      case Op.httpDate:
        return this.keep(this.ascii(new Date((unzigzag(this.varint()) + this.#timeSeconds) * 1000).toUTCString()));
      case Op.numberText:
        return slots.number(Number(slots.textOf(this.#text(this.byte()))));
      case Op.uuid:
        return this.keep(this.#uuid());
      case Op.aroundHex:
        return this.keep(this.#aroundHex());
      case Op.nothing:
        return slots.nothing();
      case Op.back:
        return this.#earlier(this.varint());
      default:
        throw new Error(`detail: unknown value ${first}`);
    }
  }

  #earlier(place: number): number {
    if (place >= this.#keptCount) throw new Error('detail: reference to nothing');
    return this.#kept[place] ?? 0;
  }

  #keepText(slot: number): number {
    return this.slots.unitsOf(slot) < SHORTEST_KEPT ? slot : this.keep(slot);
  }

  #literal(first: number): number {
    return this.#text(first === Op.text ? this.varint() : first - SHORT_TEXT);
  }

  /** Text of so many bytes. */
  #text(count: number): number {
    const from = this.#advance(count);
    const to = this.#at;
    const bytes = this.#bytes;
    for (let at = from; at < to; at += 1) {
      const unit = bytes[at] ?? 0;
      if (unit < 32 || unit > 126 || unit === 34 || unit === 92) {
        return this.slots.word(jsonWord(Buffer.from(bytes.buffer, bytes.byteOffset + from, count).toString()));
      }
    }
    return this.slots.plain(bytes, from, to);
  }

  #hexHere(count: number): number {
    return this.hexText(this.#bytes, this.#advance(count), count);
  }

  #uuid(): number {
    const from = this.#advance(16);
    let start = this.#make(36);
    const whole = start;
    let read = from;
    for (const count of UUID_PARTS) {
      if (read > from) this.#made[start++] = DASH;
      this.#hex(this.#bytes, read, count, start);
      read += count;
      start += count * 2;
    }
    return this.slots.plain(this.#made, whole, start);
  }

  /** The digits come first, then the text before and the text after them. */
  #aroundHex(): number {
    const { slots } = this;
    const digits = this.#hexHere(this.varint());
    const before = this.#literal(this.byte());
    const after = this.#literal(this.byte());
    if (!slots.isPlain(before) || !slots.isPlain(after)) {
      return slots.word(jsonWord(slots.textOf(before) + slots.textOf(digits) + slots.textOf(after)));
    }
    let start = this.#make(slots.lengthOf(before) + slots.lengthOf(digits) + slots.lengthOf(after));
    const whole = start;
    for (const part of [before, digits, after]) {
      const count = slots.lengthOf(part);
      for (let index = 0; index < count; index += 1) this.#made[start + index] = slots.byteAt(part, index);
      start += count;
    }
    return slots.plain(this.#made, whole, start);
  }

  #hex(source: Uint8Array, from: number, count: number, start: number): void {
    const made = this.#made;
    let at = start;
    for (let index = from; index < from + count; index += 1) {
      const byte = source[index] ?? 0;
      made[at++] = HEX_DIGITS[byte >> 4] ?? 0;
      made[at++] = HEX_DIGITS[byte & 15] ?? 0;
    }
  }

  /** Takes room for so many bytes; returns where it starts. Earlier texts stay in the buffer that they are in. */
  #make(count: number): number {
    if (this.#madeLength + count > this.#made.length) {
      this.#made = new Uint8Array(Math.max(MADE_BYTES, count));
      this.#madeLength = 0;
    }
    const from = this.#madeLength;
    this.#madeLength += count;
    return from;
  }

  /** Returns where the skipped bytes start. */
  #advance(count: number): number {
    const from = this.#at;
    this.#at += count;
    if (this.#at > this.#bytes.length) throw new Error(ENDS_EARLY);
    return from;
  }
}
