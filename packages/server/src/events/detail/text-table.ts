import { matchesAt } from './text-hash.ts';

/**
 * Texts and their numbers, found by a hash from the scan of the text: the looked-up part of a record need not be cut
 * out of it. Holds a bounded number of recently used texts, in two generations.
 */
export class TextTable {
  readonly #limit: number;
  #young: Generation;
  #old: Generation;

  constructor(limit: number) {
    this.#limit = limit;
    this.#young = new Generation(limit);
    this.#old = new Generation(0);
  }

  /** Number of the text in `source[from, to)`; 0 = missing. */
  find(hash: number, source: string, from: number, to: number): number {
    const slot = this.#young.slotOf(hash, source, from, to);
    if (slot >= 0) return this.#young.ids[slot] ?? 0;
    const older = this.#old.slotOf(hash, source, from, to);
    if (older < 0) return 0;
    const id = this.#old.ids[older] ?? 0;
    this.add(hash, this.#old.texts[older] ?? '', id);
    return id;
  }

  /** @param text a copy, not a slice, which would keep its whole record in memory */
  add(hash: number, text: string, id: number): void {
    if (this.#young.count >= this.#limit) {
      this.#old = this.#young;
      this.#young = new Generation(this.#limit);
    }
    this.#young.add(hash, text, id);
  }

  clear(): void {
    this.#young = new Generation(this.#limit);
    this.#old = new Generation(0);
  }
}

/** Open addressing; at most half full. */
class Generation {
  readonly #mask: number;
  readonly #hashes: Int32Array;
  readonly ids: Int32Array;
  readonly texts: string[] = [];
  count = 0;

  constructor(limit: number) {
    let size = 2;
    while (size < limit * 2) size *= 2;
    this.#mask = size - 1;
    this.#hashes = new Int32Array(size);
    this.ids = new Int32Array(size);
  }

  slotOf(hash: number, source: string, from: number, to: number): number {
    const { ids } = this;
    let slot = (hash ^ (hash >>> 15)) & this.#mask;
    while (ids[slot] !== 0) {
      if (this.#hashes[slot] === hash) {
        const text = this.texts[slot] ?? '';
        if (text.length === to - from && matchesAt(source, from, text)) return slot;
      }
      slot = (slot + 1) & this.#mask;
    }
    return -1;
  }

  add(hash: number, text: string, id: number): void {
    let slot = (hash ^ (hash >>> 15)) & this.#mask;
    while (this.ids[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#hashes[slot] = hash;
    this.ids[slot] = id;
    this.texts[slot] = text;
    this.count += 1;
  }
}
