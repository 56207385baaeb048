import { MAX_RECORD_BYTES } from './refused.ts';

const INITIAL_BYTES = 64 * 1024;
/** A buffer that grew beyond this is given back, so that one huge record does not stay in memory. */
const KEPT_BYTES = 1024 * 1024;
/** The largest record with its line end. */
const FULL_BYTES = MAX_RECORD_BYTES + 2;

/** Pieces of one record that lies across chunks. */
export class RecordBuffer {
  #bytes = new Uint8Array(INITIAL_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    const total = this.#length + piece.length;
    if (total > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(total, Math.min(this.#bytes.length * 2, FULL_BYTES)));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = total;
  }

  appendByte(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const grown = new Uint8Array(this.#bytes.length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  /** The record with its last piece, valid until the next change. Copies nothing where it lies in one piece. */
  with(piece: Uint8Array): Uint8Array {
    if (this.#length === 0) return piece;
    this.append(piece);
    return this.view();
  }

  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = new Uint8Array(INITIAL_BYTES);
  }
}
