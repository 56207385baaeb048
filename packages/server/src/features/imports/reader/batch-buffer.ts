const INITIAL_BYTES = 1024 * 1024;

/** The JSON texts of a batch, as one list in UTF-8: texts that were kept until the batch is full would cost their size again. */
export class BatchBuffer {
  #bytes = Buffer.alloc(INITIAL_BYTES);
  #length = 0;
  #count = 0;

  get length(): number {
    return this.#length;
  }

  get count(): number {
    return this.#count;
  }

  /** @param size bytes of the text in UTF-8 */
  add(text: string, size: number): void {
    // With what stands before and, at last, behind it.
    const needed = this.#length + size + 2;
    if (needed > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(needed, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#length += this.#bytes.write(this.#count === 0 ? '[' : ',', this.#length);
    this.#length += this.#bytes.write(text, this.#length);
    this.#count += 1;
  }

  /** The list, in memory of its own; afterwards the buffer is empty. */
  take(): Uint8Array<ArrayBuffer> {
    const length = this.#length + this.#bytes.write(']', this.#length);
    const list = new Uint8Array(length);
    list.set(this.#bytes.subarray(0, length));
    this.#length = 0;
    this.#count = 0;
    if (this.#bytes.length > INITIAL_BYTES) this.#bytes = Buffer.alloc(INITIAL_BYTES);
    return list;
  }
}
