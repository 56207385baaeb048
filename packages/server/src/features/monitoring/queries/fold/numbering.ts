import { createPairTable } from '../../../../facts/kernels/pair-table.ts';

/** Numbers of values in order of appearance: the rows of a list. */
export interface Numbering<Value> {
  readonly numbers: Uint32Array;
  /** The value of each number. */
  readonly distinct: readonly Value[];
}

/** @example numberValues(['b', 'a', 'b']) // { numbers: [0, 1, 0], distinct: ['b', 'a'] } */
export function numberValues<Value extends string | number>(values: ArrayLike<Value>): Numbering<Value> {
  const known = new Map<Value, number>();
  const numbers = new Uint32Array(values.length);
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as Value;
    let number = known.get(value);
    if (number === undefined) {
      number = known.size;
      known.set(value, number);
    }
    numbers[index] = number;
  }
  return { numbers, distinct: [...known.keys()] };
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
  const [leftOf, rightOf] = [new Uint32Array(count), new Uint32Array(count)];
  for (let pair = 0; pair < count; pair++) {
    leftOf[pair] = table.leftOf(pair);
    rightOf[pair] = table.rightOf(pair);
  }
  return { numbers, count, left: leftOf, right: rightOf };
}

function largest(numbers: Uint32Array): number {
  let most = 0;
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] ?? 0;
    if (number > most) most = number;
  }
  return most;
}

/** `values[indices[i]]` for each i. */
export function gather(values: Uint32Array, indices: Uint32Array): Uint32Array {
  const gathered = new Uint32Array(indices.length);
  for (let index = 0; index < indices.length; index++) gathered[index] = values[indices[index] ?? 0] ?? 0;
  return gathered;
}

/** Indices grouped by row: those of row r are `members` from `starts[r]` to before `starts[r + 1]`. */
export interface RowMembers {
  readonly starts: Uint32Array;
  readonly members: Uint32Array;
}

/** The indices of each row, in order. */
export function membersOfRows(rowOf: Uint32Array, rowCount: number): RowMembers {
  const starts = new Uint32Array(rowCount + 1);
  for (let index = 0; index < rowOf.length; index++) {
    const next = (rowOf[index] ?? 0) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
  }
  for (let row = 0; row < rowCount; row++) starts[row + 1] = (starts[row + 1] ?? 0) + (starts[row] ?? 0);
  const places = starts.slice();
  const members = new Uint32Array(rowOf.length);
  for (let index = 0; index < rowOf.length; index++) {
    const row = rowOf[index] ?? 0;
    const place = places[row] ?? 0;
    members[place] = index;
    places[row] = place + 1;
  }
  return { starts, members };
}

/** A view of the indices of one row. */
export function membersOf({ starts, members }: RowMembers, row: number): Uint32Array {
  return members.subarray(starts[row] ?? 0, starts[row + 1] ?? 0);
}

/** One list after the other. */
export function joined(lists: readonly Uint32Array[]): Uint32Array {
  const whole = new Uint32Array(lists.reduce((length, list) => length + list.length, 0));
  let at = 0;
  for (const list of lists) {
    whole.set(list, at);
    at += list.length;
  }
  return whole;
}

/** Pieces of a list, as long as those that were joined. */
export function split(whole: Uint32Array, joinedLists: readonly { readonly length: number }[]): Uint32Array[] {
  let at = 0;
  return joinedLists.map(({ length }) => {
    at += length;
    return whole.subarray(at - length, at);
  });
}
