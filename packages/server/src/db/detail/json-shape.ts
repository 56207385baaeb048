import { HASH_FACTOR, HASH_START } from './text-hash.ts';

/** Stands in a template for a value that was taken out. JSON text never holds it; other text that does is not split. */
const HOLE = '\u0000';
const HOLE_UNIT = 0;
const QUOTE = 34;
const COLON = 58;
const MINUS = 45;
const BACKSLASH = 92;

/**
 * The shape of a JSON text (punctuation, member names, `true`, `false`, `null`) and where its values stand. Nothing is
 * parsed and nothing cut out: joining template and values gives the identical text, whatever it was.
 *
 * @example '{"a":12,"b":["x"]}' has the template '{"a":\0,"b":["\0"]}' and the values 12 and x
 */
export class JsonShape {
  text = '';
  /** Hash of everything but the values. */
  hash = 0;
  count = 0;
  from = new Int32Array(256);
  to = new Int32Array(256);
  hashes = new Int32Array(256);
  /** 1 = in quotes. */
  quoted = new Uint8Array(256);

  /** False when the text cannot be split. One object is used for one text after the other. */
  scan(text: string): boolean {
    this.text = text;
    this.count = 0;
    let hash = HASH_START;
    const end = text.length;
    let at = 0;
    while (at < end) {
      const unit = text.charCodeAt(at);
      if (unit === HOLE_UNIT) return false;
      at += 1;
      if (unit === QUOTE) {
        hash = Math.imul(hash ^ QUOTE, HASH_FACTOR);
        const from = at;
        let inner = HASH_START;
        let value = text.charCodeAt(at);
        while (value !== QUOTE) {
          if (at >= end || value === HOLE_UNIT) return false;
          inner = Math.imul(inner ^ value, HASH_FACTOR);
          at += 1;
          if (value === BACKSLASH) {
            // What is escaped never ends the text.
            inner = Math.imul(inner ^ text.charCodeAt(at), HASH_FACTOR);
            at += 1;
          }
          value = text.charCodeAt(at);
        }
        if (text.charCodeAt(at + 1) === COLON) hash = Math.imul(hash ^ inner, HASH_FACTOR);
        else this.#add(from, at, inner, 1);
        at += 1;
      } else if (isDigit(unit) || unit === MINUS) {
        const from = at - 1;
        let inner = Math.imul(HASH_START ^ unit, HASH_FACTOR);
        while (at < end) {
          const next = text.charCodeAt(at);
          if (!isNumberPart(next)) break;
          inner = Math.imul(inner ^ next, HASH_FACTOR);
          at += 1;
        }
        this.#add(from, at, inner, 0);
      } else {
        hash = Math.imul(hash ^ unit, HASH_FACTOR);
      }
    }
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

  #add(from: number, to: number, hash: number, quoted: number): void {
    if (this.count === this.from.length) this.#grow();
    this.from[this.count] = from;
    this.to[this.count] = to;
    this.hashes[this.count] = hash;
    this.quoted[this.count] = quoted;
    this.count += 1;
  }

  #grow(): void {
    const wider = (values: Int32Array) => {
      const grown = new Int32Array(values.length * 2);
      grown.set(values);
      return grown;
    };
    const quoted = new Uint8Array(this.quoted.length * 2);
    quoted.set(this.quoted);
    this.from = wider(this.from);
    this.to = wider(this.to);
    this.hashes = wider(this.hashes);
    this.quoted = quoted;
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

function isNumberPart(unit: number): boolean {
  // Digits, point, signs, exponent.
  return isDigit(unit) || unit === 46 || unit === 43 || unit === MINUS || unit === 101 || unit === 69;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}
