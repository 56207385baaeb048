const PLACES = 1024;

/**
 * The values of one event that were written so far, in order. A hash over a few characters is enough to tell them apart
 * and much cheaper than a `Map`, which hashes every text completely.
 */
export class SeenValues {
  readonly #slots = new Int32Array(PLACES);
  /** Slots of earlier events count as empty, so starting anew costs nothing. */
  readonly #generations = new Int32Array(PLACES);
  #generation = 0;
  readonly #values: (string | number)[] = [];

  clear(): void {
    this.#generation += 1;
    this.#values.length = 0;
  }

  /** Index of an equal earlier value, or −1 after keeping this one. */
  indexOf(value: string | number): number {
    const values = this.#values;
    let slot = (typeof value === 'string' ? textHash(value) : numberHash(value)) & (PLACES - 1);
    // At most half of the slots are taken (later values are only counted), so a free one is near.
    while (this.#generations[slot] === this.#generation) {
      const index = this.#slots[slot] ?? 0;
      if (values[index] === value) return index;
      slot = (slot + 1) & (PLACES - 1);
    }
    if (values.length < PLACES / 2) {
      this.#generations[slot] = this.#generation;
      this.#slots[slot] = values.length;
    }
    values.push(value);
    return -1;
  }
}

function textHash(text: string): number {
  const { length } = text;
  let hash = length;
  hash = (hash * 31 + text.charCodeAt(0)) | 0;
  hash = (hash * 31 + text.charCodeAt(length >> 1)) | 0;
  hash = (hash * 31 + text.charCodeAt(length - 2)) | 0;
  hash = (hash * 31 + text.charCodeAt(length - 1)) | 0;
  return hash ^ (hash >>> 10);
}

function numberHash(value: number): number {
  const hash = Math.imul(value | 0, 0x9e3779b1);
  return hash ^ (hash >>> 15);
}
