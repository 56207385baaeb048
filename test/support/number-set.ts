/** A set of small whole numbers, one bit each: holds the numbers of hundreds of thousands of events. */
export class NumberSet {
  #bits = new Uint8Array(2 ** 16);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(number: number): boolean {
    return (((this.#bits[number >> 3] ?? 0) >> (number & 7)) & 1) === 1;
  }

  /** False when it was in the set already. */
  add(number: number): boolean {
    if (this.has(number)) return false;
    const at = number >> 3;
    while (at >= this.#bits.length) {
      const larger = new Uint8Array(this.#bits.length * 2);
      larger.set(this.#bits);
      this.#bits = larger;
    }
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (number & 7));
    this.#size += 1;
    return true;
  }

  /** How many of the numbers are not in the other set. */
  missingFrom(other: NumberSet): number {
    let missing = 0;
    for (const [at, bits] of this.#bits.entries()) {
      for (let left = bits & ~(other.#bits[at] ?? 0); left !== 0; left &= left - 1) missing += 1;
    }
    return missing;
  }
}
