/** The segments of a task that nobody has taken yet, in memory that two threads share. */
export interface SharedRange {
  /** Place of the next segment from the front, or −1. */
  takeFirst(): number;
  /** Place of the next segment from the back, or −1. */
  takeLast(): number;
  isEmpty(): boolean;
}

/** A number of 16 bits for each end; the front is in the upper half. */
export const MOST_SEGMENTS = 0x7fff;

/** Of `count` segments; at most `MOST_SEGMENTS`. */
export function fillRange(memory: Int32Array, place: number, count: number): void {
  Atomics.store(memory, place, count);
}

export function sharedRange(memory: Int32Array, place: number): SharedRange {
  function take(change: (first: number, end: number) => number, taken: (first: number, end: number) => number) {
    for (;;) {
      const found = Atomics.load(memory, place);
      const [first, end] = [found >>> 16, found & 0xffff];
      if (first >= end) return -1;
      if (Atomics.compareExchange(memory, place, found, change(first, end)) === found) return taken(first, end);
    }
  }

  return {
    takeFirst: () =>
      take(
        (first, end) => ((first + 1) << 16) | end,
        (first) => first,
      ),
    takeLast: () =>
      take(
        (first, end) => (first << 16) | (end - 1),
        (_, end) => end - 1,
      ),
    isEmpty: () => {
      const found = Atomics.load(memory, place);
      return found >>> 16 >= (found & 0xffff);
    },
  };
}
