const INITIAL_BYTES = 64 * 1024;
/** A larger buffer is released, so that one huge record does not stay in memory. */
const KEPT_BYTES = 1024 * 1024;

/** Pieces of one record that spans chunks. */
export class RecordBuffer {
  readonly #fullBytes: number;
  #bytes = new Uint8Array(INITIAL_BYTES);
  #length = 0;

  /** @param maxRecordBytes of the largest record, without its line end */
  constructor(maxRecordBytes: number) {
    this.#fullBytes = maxRecordBytes + 2;
  }

  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    const total = this.#length + piece.length;
    if (total > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(total, Math.min(this.#bytes.length * 2, this.#fullBytes)));
      grown.set(this.view());
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

  /** The record with its last piece, valid until the next change. Copies nothing if it is one piece. */
  with(piece: Uint8Array): Uint8Array {
    if (this.#length === 0) return piece;
    this.append(piece);
    return this.view();
  }

  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Keeps only the first bytes. */
  cut(length: number): void {
    const head = this.#bytes.slice(0, Math.min(length, this.#length));
    this.clear();
    this.append(head);
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = new Uint8Array(INITIAL_BYTES);
  }
}
