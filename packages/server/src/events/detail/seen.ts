const PLACES = 1024;
/** Shorter sources may stay in memory until their slots are reused. In UTF-16 units. */
const LONGEST_LEFT = 4_096;

/**
 * The values of one event that were written so far, each with its place. A text is kept as a range of its source, so
 * that nothing is cut out of a record only for a comparison.
 */
export class SeenValues {
  readonly #slots = new Int16Array(PLACES);
  /** Slots of earlier events count as empty, so a new start costs nothing. */
  readonly #generations = new Int32Array(PLACES);
  #generation = 0;
  #count = 0;
  #hasLong = false;
  readonly #hashes = new Int32Array(PLACES);
  readonly #sources: string[] = new Array<string>(PLACES).fill('');
  readonly #froms = new Int32Array(PLACES);
  /** −1 = a number. */
  readonly #lengths = new Int32Array(PLACES);
  readonly #numbers = new Float64Array(PLACES);

  clear(): void {
    this.#generation += 1;
    this.#count = 0;
    if (this.#hasLong) this.#sources.fill('');
    this.#hasLong = false;
  }

  /** Place of an equal earlier text, or −1 after this one got the next place. */
  textPlace(hash: number, source: string, from: number, to: number): number {
    const length = to - from;
    let slot = mixed(hash);
    while (this.#generations[slot] === this.#generation) {
      const place = this.#slots[slot] ?? 0;
      if (this.#hashes[place] === hash && this.#lengths[place] === length && this.#equals(place, source, from)) {
        return place;
      }
      slot = (slot + 1) & (PLACES - 1);
    }
    const place = this.#take(slot);
    if (place >= 0) {
      this.#hashes[place] = hash;
      this.#sources[place] = source;
      if (source.length > LONGEST_LEFT) this.#hasLong = true;
      this.#froms[place] = from;
      this.#lengths[place] = length;
    }
    return -1;
  }

  numberPlace(value: number): number {
    let slot = mixed(Math.imul(value | 0, 0x9e3779b1));
    while (this.#generations[slot] === this.#generation) {
      const place = this.#slots[slot] ?? 0;
      if (this.#lengths[place] === -1 && this.#numbers[place] === value) return place;
      slot = (slot + 1) & (PLACES - 1);
    }
    const place = this.#take(slot);
    if (place >= 0) {
      this.#numbers[place] = value;
      this.#lengths[place] = -1;
    }
    return -1;
  }

  /** The next place; −1 when half of the slots are used: then the value is only counted, and never found. */
  #take(slot: number): number {
    const place = this.#count;
    this.#count += 1;
    if (place >= PLACES / 2) return -1;
    this.#generations[slot] = this.#generation;
    this.#slots[slot] = place;
    return place;
  }

  #equals(place: number, source: string, from: number): boolean {
    const other = this.#sources[place] ?? '';
    const otherFrom = this.#froms[place] ?? 0;
    const length = this.#lengths[place] ?? 0;
    for (let at = 0; at < length; at += 1) {
      if (source.charCodeAt(from + at) !== other.charCodeAt(otherFrom + at)) return false;
    }
    return true;
  }
}

function mixed(hash: number): number {
  return (hash ^ (hash >>> 15)) & (PLACES - 1);
}
