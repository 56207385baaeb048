/** Seeded random numbers (mulberry32): the same seed gives the same ids, states and events on every machine. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Integer in [from, to]. */
  integer(from: number, to: number): number;
  /** Log-normal around `median`: most values near it, a long tail above. */
  skewed(median: number, spread: number): number;
  chance(probability: number): boolean;
  hex(digits: number): string;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    integer: (from, to) => from + Math.floor(next() * (to - from + 1)),
    skewed: (median, spread) => median * Math.exp(spread * (next() + next() + next() + next() - 2) * 1.7),
    chance: (probability) => next() < probability,
    hex(digits) {
      let text = '';
      while (text.length < digits)
        text += Math.floor(next() * 2 ** 32)
          .toString(16)
          .padStart(8, '0');
      return text.slice(0, digits);
    },
  };
}

/** Picks an index with the given relative weights. */
export function weightedPicker(weights: readonly number[]): (random: Random) => number {
  const sums: number[] = [];
  let sum = 0;
  for (const weight of weights) {
    sum += weight;
    sums.push(sum);
  }
  return (random) => {
    const point = random.next() * sum;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? sum) > point) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
