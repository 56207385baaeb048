const FIRST_BLOCK_BYTES = 4 * 1024;
const BLOCK_BYTES = 64 * 1024;

/**
 * Received bytes that are kept. They are copied into blocks: a piece of one byte costs hundreds on its own, and holds everything that
 * arrived with it.
 */
export class Pieces {
  size = 0;
  readonly #full: Buffer[] = [];
  #block = Buffer.alloc(0);
  #used = 0;

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#used === this.#block.length) this.#nextBlock();
      const part = bytes.subarray(at, at + this.#block.length - this.#used);
      this.#block.set(part, this.#used);
      this.#used += part.length;
      this.size += part.length;
      at += part.length;
    }
  }

  /** All of them, in the order they came. */
  blocks(): Buffer[] {
    return [...this.#full, this.#block.subarray(0, this.#used)];
  }

  joined(): Buffer {
    return Buffer.concat(this.blocks(), this.size);
  }

  #nextBlock(): void {
    if (this.#used > 0) this.#full.push(this.#block);
    this.#block = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, Math.max(FIRST_BLOCK_BYTES, this.size)));
    this.#used = 0;
  }
}
