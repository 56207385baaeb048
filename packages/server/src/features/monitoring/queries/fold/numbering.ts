import { createPairTable } from '../../../../facts/kernels/pair-table.ts';

/** Numbers given to values in the order they are met: the rows of a list. */
export interface Numbering<Value> {
  /** Number of each value. */
  readonly numbers: Uint32Array;
  /** The value of each number. */
  readonly distinct: readonly Value[];
}

/** @example numberValues(['b', 'a', 'b']) // { numbers: [0, 1, 0], distinct: ['b', 'a'] } */
export function numberValues<Value extends string | number>(values: Iterable<Value>): Numbering<Value> {
  const known = new Map<Value, number>();
  const numbers: number[] = [];
  for (const value of values) {
    let number = known.get(value);
    if (number === undefined) {
      number = known.size;
      known.set(value, number);
    }
    numbers.push(number);
  }
  return { numbers: Uint32Array.from(numbers), distinct: [...known.keys()] };
}

export interface PairNumbering {
  readonly numbers: Uint32Array;
  readonly count: number;
  /** Parts of each pair. */
  readonly left: Uint32Array;
  readonly right: Uint32Array;
}

/** Numbers the pairs of two lists of numbers. */
export function numberPairs(left: Uint32Array, right: Uint32Array): PairNumbering {
  const table = createPairTable();
  const numbers = new Uint32Array(left.length);
  table.number(left, largest(left) + 1, right, largest(right) + 1, left.length, numbers);
  const count = table.count();
  return {
    numbers,
    count,
    left: Uint32Array.from({ length: count }, (_, pair) => table.leftOf(pair)),
    right: Uint32Array.from({ length: count }, (_, pair) => table.rightOf(pair)),
  };
}

function largest(numbers: Uint32Array): number {
  let most = 0;
  for (let index = 0; index < numbers.length; index++) most = Math.max(most, numbers[index] ?? 0);
  return most;
}

/** `values[indices[i]]` for each i. */
export function gather(values: Uint32Array, indices: Uint32Array): Uint32Array {
  const gathered = new Uint32Array(indices.length);
  for (let index = 0; index < indices.length; index++) gathered[index] = values[indices[index] ?? 0] ?? 0;
  return gathered;
}

/** The indices of each row, in the order they came. */
export function membersOfRows(rowOf: Uint32Array, rowCount: number): number[][] {
  const members: number[][] = Array.from({ length: rowCount }, () => []);
  for (let index = 0; index < rowOf.length; index++) members[rowOf[index] ?? 0]?.push(index);
  return members;
}
