import { HASH_FACTOR, HASH_START } from './text-hash.ts';
import { LONGEST_WORD } from './word-length.ts';

/** Marks the position of a value in a template. JSON text never contains it; other text with it is not split. */
const HOLE = '\u0000';
const HOLE_UNIT = 0;
const QUOTE = 34;
const COLON = 58;
const MINUS = 45;
const BACKSLASH = 92;

const FIRST_VALUES = 4_096;
/** With more values the template, a hole for each of them, would be too long for a word. */
const MOST_VALUES = LONGEST_WORD;

/**
 * The shape of a JSON text (punctuation, member names, `true`, `false`, `null`) and the positions of its values.
 * Nothing is parsed or cut out: joining template and values gives the identical text, whatever it was.
 *
 * @example '{"a":12,"b":["x"]}' has the template '{"a":\0,"b":["\0"]}' and the values 12 and x
 */
export class JsonShape {
  text = '';
  /** Over everything except the values; of an escape only the backslash counts, which is enough for a hash. */
  hash = 0;
  count = 0;
  from = new Int32Array(FIRST_VALUES);
  to = new Int32Array(FIRST_VALUES);
  hashes = new Int32Array(FIRST_VALUES);
  /** 1 = in quotes. */
  quoted = new Uint8Array(FIRST_VALUES);

  /** False when the text cannot be split. The object is reused for one text after the other. */
  scan(text: string): boolean {
    this.text = text;
    let { from, to, hashes, quoted } = this;
    let room = from.length;
    const end = text.length;
    let hash = HASH_START;
    let count = 0;
    let at = 0;
    while (at < end) {
      const unit = text.charCodeAt(at);
      if (unit === HOLE_UNIT) return false;
      at += 1;
      if (count === room) {
        if (room === MOST_VALUES) return false;
        this.#grow();
        ({ from, to, hashes, quoted } = this);
        room = from.length;
      }
      if (unit === QUOTE) {
        hash = Math.imul(hash ^ QUOTE, HASH_FACTOR);
        const start = at;
        let inner = HASH_START;
        let value = at < end ? text.charCodeAt(at) : HOLE_UNIT;
        while (value !== QUOTE) {
          if (value === HOLE_UNIT) return false;
          inner = Math.imul(inner ^ value, HASH_FACTOR);
          // An escaped character never ends the text.
          at += value === BACKSLASH ? 2 : 1;
          value = at < end ? text.charCodeAt(at) : HOLE_UNIT;
        }
        if (at + 1 < end && text.charCodeAt(at + 1) === COLON) {
          hash = Math.imul(hash ^ inner, HASH_FACTOR);
        } else {
          from[count] = start;
          to[count] = at;
          hashes[count] = inner;
          quoted[count] = 1;
          count += 1;
        }
        at += 1;
      } else if ((unit >= 48 && unit <= 57) || unit === MINUS) {
        from[count] = at - 1;
        while (at < end && isNumberPart(text.charCodeAt(at))) at += 1;
        to[count] = at;
        quoted[count] = 0;
        count += 1;
      } else {
        hash = Math.imul(hash ^ unit, HASH_FACTOR);
      }
    }
    this.count = count;
    this.hash = hash;
    return true;
  }

  /** The text with a hole for each value. */
  template(): string {
    let template = '';
    let at = 0;
    for (let index = 0; index < this.count; index += 1) {
      template += this.text.slice(at, this.from[index]) + HOLE;
      at = this.to[index] ?? 0;
    }
    return template + this.text.slice(at);
  }

  /** Whether the text has this template. */
  fits(template: string): boolean {
    const { text, from, to, count } = this;
    let at = 0;
    let read = 0;
    for (let index = 0; index < count; index += 1) {
      const stop = from[index] ?? 0;
      while (at < stop) if (text.charCodeAt(at++) !== template.charCodeAt(read++)) return false;
      if (template.charCodeAt(read++) !== HOLE_UNIT) return false;
      at = to[index] ?? 0;
    }
    while (at < text.length) if (text.charCodeAt(at++) !== template.charCodeAt(read++)) return false;
    return read === template.length;
  }

  #grow(): void {
    const { from, to, hashes, quoted } = this;
    this.from = new Int32Array(MOST_VALUES);
    this.to = new Int32Array(MOST_VALUES);
    this.hashes = new Int32Array(MOST_VALUES);
    this.quoted = new Uint8Array(MOST_VALUES);
    this.from.set(from);
    this.to.set(to);
    this.hashes.set(hashes);
    this.quoted.set(quoted);
  }
}

export function joinJson(template: string, next: () => string): string {
  let text = '';
  let from = 0;
  for (let at = template.indexOf(HOLE); at >= 0; at = template.indexOf(HOLE, from)) {
    text += template.slice(from, at) + next();
    from = at + 1;
  }
  return text + template.slice(from);
}

/** Digits, point, signs, exponent. */
function isNumberPart(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || unit === 46 || unit === 43 || unit === MINUS || unit === 101 || unit === 69;
}
