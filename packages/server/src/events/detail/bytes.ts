const encoder = new TextEncoder();
const INITIAL_BYTES = 16_384;
/** A larger buffer is released, so that one huge event does not stay in memory. */
const KEPT_BYTES = 1024 * 1024;

/** A growing byte buffer, reused for every event. */
export class ByteWriter {
  #bytes = new Uint8Array(INITIAL_BYTES);
  #length = 0;

  reset(): void {
    this.#length = 0;
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = new Uint8Array(INITIAL_BYTES);
  }

  get length(): number {
    return this.#length;
  }

  /** A copy of the written bytes. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  /** Non-negative integer up to 2^53 − 1, seven bits a byte, lowest first. */
  varint(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.byte((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  utf8(text: string, byteLength: number): void {
    this.#reserve(byteLength);
    if (byteLength === text.length) {
      const bytes = this.#bytes;
      let at = this.#length;
      for (let index = 0; index < byteLength; index += 1) bytes[at++] = text.charCodeAt(index);
      this.#length = at;
    } else {
      encoder.encodeInto(text, this.#bytes.subarray(this.#length));
      this.#length += byteLength;
    }
  }

  /** A text, after its length in bytes. */
  text(text: string): void {
    const byteLength = Buffer.byteLength(text);
    this.varint(byteLength);
    this.utf8(text, byteLength);
  }

  /** Two hexadecimal digits of `text` a byte. */
  hex(text: string, from: number, byteLength: number): void {
    this.#reserve(byteLength);
    const bytes = this.#bytes;
    for (let index = 0; index < byteLength; index += 1) {
      const at = from + 2 * index;
      bytes[this.#length++] = (digitOf(text.charCodeAt(at)) << 4) | digitOf(text.charCodeAt(at + 1));
    }
  }

  #reserve(count: number): void {
    if (this.#length + count > this.#bytes.length) this.#grow(count);
  }

  #grow(count: number): void {
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #buffer: Buffer;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = at;
  }

  byte(): number {
    const value = this.#bytes[this.#at++];
    if (value === undefined) throw new Error('detail ends too early');
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

  utf8(byteLength: number): string {
    const end = this.#advance(byteLength);
    return this.#buffer.toString('utf8', end - byteLength, end);
  }

  text(): string {
    return this.utf8(this.varint());
  }

  hex(byteLength: number): string {
    const end = this.#advance(byteLength);
    return this.#buffer.toString('hex', end - byteLength, end);
  }

  #advance(byteLength: number): number {
    this.#at += byteLength;
    if (this.#at > this.#bytes.length) throw new Error('detail ends too early');
    return this.#at;
  }
}

function digitOf(unit: number): number {
  return unit < 58 ? unit - 48 : unit - 87;
}
