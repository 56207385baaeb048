const encoder = new TextEncoder();
const INITIAL_BYTES = 16_384;
const NO_BYTES = new Uint8Array(0);
/** Calling the engine costs more than a loop over so few bytes. */
const LOOP_BYTES = 64;
/** Halves of a number that is divided as two small integers. */
const HALF = 10_000_000;
const HALF_DIGITS = 7;
const QUOTE = 34;

/** A growing buffer for JSON text as UTF-8. */
export class JsonBytes {
  #bytes: Uint8Array<ArrayBuffer> = NO_BYTES;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** From now on writes into this buffer, from its start. */
  start(buffer: ArrayBuffer): void {
    this.#bytes = new Uint8Array(buffer);
    this.#length = 0;
  }

  /** Drops everything after the first `length` bytes. */
  cut(length: number): void {
    this.#length = length;
  }

  /** What was written, without a copy: valid until the next write. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** What was written, in its buffer, which this object does not use any more. */
  finish(): Uint8Array<ArrayBuffer> {
    const written = this.view();
    this.#bytes = NO_BYTES;
    this.#length = 0;
    return written;
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  all(source: Uint8Array): void {
    this.copy(source, 0, source.length);
  }

  copy(source: Uint8Array, from: number, to: number): void {
    const count = to - from;
    if (this.#length + count > this.#bytes.length) this.#grow(count);
    const bytes = this.#bytes;
    let at = this.#length;
    this.#length = at + count;
    if (count > LOOP_BYTES) bytes.set(source.subarray(from, to), at);
    else for (let index = from; index < to; index += 1) bytes[at++] = source[index] ?? 0;
  }

  /** A text of JSON, in quotes, after `before`. */
  quoted(before: Uint8Array, source: Uint8Array, from: number, to: number): void {
    const most = before.length + to - from + 2;
    if (this.#length + most > this.#bytes.length) this.#grow(most);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < before.length; index += 1) bytes[at++] = before[index] ?? 0;
    bytes[at++] = QUOTE;
    if (to - from > LOOP_BYTES) {
      bytes.set(source.subarray(from, to), at);
      at += to - from;
    } else {
      for (let index = from; index < to; index += 1) bytes[at++] = source[index] ?? 0;
    }
    bytes[at++] = QUOTE;
    this.#length = at;
  }

  utf8(text: string): void {
    const most = text.length * 3;
    if (this.#length + most > this.#bytes.length) this.#grow(most);
    this.#length += encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written;
  }

  /** A text of ASCII only. */
  ascii(text: string): void {
    const count = text.length;
    if (this.#length + count > this.#bytes.length) this.#grow(count);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < count; index += 1) bytes[at++] = text.charCodeAt(index);
    this.#length = at;
  }

  /** As `JSON.stringify` writes it. */
  number(value: number): void {
    if (Number.isSafeInteger(value) && value >= 0) {
      if (value < HALF) {
        this.#digits(value, digitsOf(value));
        return;
      }
      const high = Math.floor(value / HALF);
      this.#digits(high, digitsOf(high));
      this.#digits(value - high * HALF, HALF_DIGITS);
      return;
    }
    this.ascii(JSON.stringify(value));
  }

  /** The last `count` digits. */
  #digits(value: number, count: number): void {
    if (this.#length + count > this.#bytes.length) this.#grow(count);
    const bytes = this.#bytes;
    let rest = value | 0;
    for (let at = this.#length + count - 1; at >= this.#length; at -= 1) {
      const tens = (rest / 10) | 0;
      bytes[at] = 48 + rest - tens * 10;
      rest = tens;
    }
    this.#length += count;
  }

  #grow(count: number): void {
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count, INITIAL_BYTES));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let limit = 10; value >= limit; limit *= 10) digits += 1;
  return digits;
}
