import { IMPORT_BATCH_BYTES } from '../../../../events/ingest/import-events.ts';

const INITIAL_BYTES = 1024 * 1024;
/** With what stands between and around the texts of a full batch. */
const FULL_BYTES = IMPORT_BATCH_BYTES + 1024;

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
      const grown = Buffer.alloc(Math.max(needed, Math.min(this.#bytes.length * 2, FULL_BYTES)));
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
    const isSmall = this.#bytes.length === INITIAL_BYTES;
    // A large one is not copied but given away.
    const list = isSmall ? new Uint8Array(this.#bytes.subarray(0, length)) : this.#bytes.subarray(0, length);
    if (!isSmall) this.#bytes = Buffer.alloc(INITIAL_BYTES);
    this.#length = 0;
    this.#count = 0;
    return list;
  }
}
