import { IMPORT_BATCH_BYTES } from '../../../../events/ingest/import-events.ts';

const INITIAL_BYTES = 1024 * 1024;
/** Includes the separators and brackets of a full batch. */
const FULL_BYTES = IMPORT_BATCH_BYTES + 1024;

/** The JSON texts of a batch, as one list in UTF-8: collecting the texts first would need their size twice. */
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
    // Includes the separator and the closing bracket.
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

  /** The list, in a separate buffer; afterwards this one is empty. */
  take(): Uint8Array<ArrayBuffer> {
    const length = this.#length + this.#bytes.write(']', this.#length);
    const isSmall = this.#bytes.length === INITIAL_BYTES;
    // A large one is not copied but handed over.
    const list = isSmall ? new Uint8Array(this.#bytes.subarray(0, length)) : this.#bytes.subarray(0, length);
    if (!isSmall) this.#bytes = Buffer.alloc(INITIAL_BYTES);
    this.#length = 0;
    this.#count = 0;
    return list;
  }
}
