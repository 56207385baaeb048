import type { SelectedRows } from '../rows.ts';
import type { Dimension, DimensionCodes } from './dimensions.ts';

/** Numbers the groups of a grouping across chunks. */
export interface GroupIndex {
  count(): number;
  /** Group of each selected row; valid until the next chunk. */
  groupsOf(rows: SelectedRows, dimensions: readonly Dimension[]): Uint32Array;
  /** For each dimension what the group stands for. */
  valuesOf(group: number): readonly (readonly number[])[];
  /** Place of each group in the `valuesIn` of a dimension. */
  membersOf(dimension: number): Uint32Array;
  /** What was met in a dimension. */
  valuesIn(dimension: number): readonly (readonly number[])[];
  clone(): GroupIndex;
  /** Estimated. */
  bytes(): number;
}

/** Values of one dimension, numbered as they are met. */
interface Members {
  readonly ids: Map<string, number>;
  readonly values: (readonly number[])[];
}

/** Pairs of two numbers below this make one exact number. */
const PAIR_BASE = 2 ** 26;
/** Largest table of code pairs that is looked up directly. */
const DIRECT_PAIRS = 1 << 20;
const ENTRY_BYTES = 64;

interface Content {
  readonly members: readonly Members[];
  /** Next group number by (group of the dimensions before, member). One map for each dimension after the first. */
  readonly pairs: readonly Map<number, number>[];
  /** Member of each dimension, group after group. */
  readonly groups: number[];
}

export function createGroupIndex(dimensionCount: number): GroupIndex {
  return groupIndex({
    members: Array.from({ length: dimensionCount }, () => ({ ids: new Map(), values: [] })),
    pairs: Array.from({ length: Math.max(dimensionCount - 1, 0) }, () => new Map()),
    groups: [],
  });
}

function groupIndex(content: Content): GroupIndex {
  const { members, pairs, groups } = content;
  const width = members.length;
  /** Numbers given out by the pairs before the last dimension. */
  const partial: number[] = pairs.map((map) => map.size);
  // Without dimensions there is one group, once a row was met.
  let count = groups.length / Math.max(width, 1);

  function groupsOf(rows: SelectedRows, dimensions: readonly Dimension[]): Uint32Array {
    if (width === 0) {
      if (count === 0) groups.push(0);
      count = 1;
      const none = rows.workspace.words('group of all', rows.chunk.rowCount);
      none.fill(0, 0, rows.count);
      return none;
    }
    const parts = dimensions.map((dimension) => dimension.codes(rows));
    const [first] = parts;
    if (first === undefined) throw new Error('a grouping lacks a dimension');
    return width === 1 ? groupsOfOne(rows, first) : groupsOfMany(rows, parts);
  }

  function groupsOfOne(rows: SelectedRows, part: DimensionCodes): Uint32Array {
    const seen = rows.workspace.words('codes that occur', part.count);
    seen.fill(0, 0, part.count);
    markCodes(part.codes, rows.count, seen);
    const groupOfCode = new Uint32Array(part.count);
    for (let code = 0; code < part.count; code++) {
      if (seen[code] === 0) continue;
      const group = memberOf(0, part, code);
      if (group === count) {
        groups.push(group);
        count++;
      }
      groupOfCode[code] = group;
    }
    const groupOf = rows.workspace.words('groups', rows.chunk.rowCount);
    mapCodes(part.codes, groupOfCode, rows.count, groupOf);
    return groupOf;
  }

  function groupsOfMany(rows: SelectedRows, parts: readonly DimensionCodes[]): Uint32Array {
    // Numbers of the tuples of the dimensions so far, per row; renumbered by each dimension.
    let numbers: Uint32Array = parts[0]?.codes ?? new Uint32Array(0);
    let size = parts[0]?.count ?? 0;
    let tuples: number[][] | null = null;
    for (let dimension = 1; dimension < width; dimension++) {
      const part = parts[dimension];
      if (part === undefined) throw new Error('a grouping lacks a dimension');
      const into = rows.workspace.words(`groups ${dimension}`, rows.chunk.rowCount);
      const met = pairUp(numbers, part, size, rows, into);
      const known: number[][] | null = tuples;
      tuples = met.map(([before, code]) => [...(known === null ? [before] : (known[before] ?? [])), code]);
      numbers = into;
      size = met.length;
    }
    const groupOfTuple = Uint32Array.from(tuples ?? [], (codes) => groupOfCodes(parts, codes));
    mapCodes(numbers, groupOfTuple, rows.count, numbers);
    return numbers;
  }

  const memberCaches = new WeakMap<DimensionCodes, Int32Array>();

  function memberOf(dimension: number, part: DimensionCodes, code: number): number {
    let cache = memberCaches.get(part);
    if (cache === undefined) {
      cache = new Int32Array(part.count).fill(-1);
      memberCaches.set(part, cache);
    }
    const cached = cache[code] ?? -1;
    if (cached >= 0) return cached;
    const known = members[dimension];
    if (known === undefined) throw new Error('a grouping lacks a dimension');
    const value = part.valueOf(code);
    const name = value.join();
    let id = known.ids.get(name);
    if (id === undefined) {
      id = known.values.length;
      known.ids.set(name, id);
      known.values.push(value);
    }
    cache[code] = id;
    return id;
  }

  function groupOfCodes(parts: readonly DimensionCodes[], codes: readonly number[]): number {
    const ids = parts.map((part, dimension) => memberOf(dimension, part, codes[dimension] ?? 0));
    let group = ids[0] ?? 0;
    for (let dimension = 1; dimension < width; dimension++) {
      const map = pairs[dimension - 1];
      if (map === undefined) throw new Error('a grouping lacks a dimension');
      const pair = group * PAIR_BASE + (ids[dimension] ?? 0);
      let next = map.get(pair);
      if (next === undefined) {
        next = partial[dimension - 1] ?? 0;
        partial[dimension - 1] = next + 1;
        map.set(pair, next);
        if (dimension === width - 1) {
          groups.push(...ids);
          count++;
        }
      }
      group = next;
    }
    return group;
  }

  function valuesOf(group: number): readonly (readonly number[])[] {
    return members.map(({ values }, dimension) => values[groups[group * width + dimension] ?? 0] ?? []);
  }

  function membersOf(dimension: number): Uint32Array {
    const list = new Uint32Array(count);
    for (let group = 0; group < count; group++) list[group] = groups[group * width + dimension] ?? 0;
    return list;
  }

  function clone(): GroupIndex {
    return groupIndex({
      members: members.map(({ ids, values }) => ({ ids: new Map(ids), values: [...values] })),
      pairs: pairs.map((map) => new Map(map)),
      groups: [...groups],
    });
  }

  function bytes(): number {
    const entries = members.reduce((sum, { values }) => sum + values.length, 0);
    return (entries * 4 + pairs.reduce((sum, map) => sum + map.size, 0)) * ENTRY_BYTES + groups.length * 8;
  }

  const valuesIn = (dimension: number) => members[dimension]?.values ?? [];

  return { count: () => count, groupsOf, valuesOf, membersOf, valuesIn, clone, bytes };
}

function markCodes(codes: Uint32Array, count: number, seen: Uint32Array): void {
  for (let index = 0; index < count; index++) seen[codes[index] ?? 0] = 1;
}

function mapCodes(codes: Uint32Array, values: Uint32Array, count: number, into: Uint32Array): void {
  for (let index = 0; index < count; index++) into[index] = values[codes[index] ?? 0] ?? 0;
}

/** Writes for each row the number of its pair; returns the pairs in the order they were met. */
function pairUp(
  numbers: Uint32Array,
  part: DimensionCodes,
  size: number,
  rows: SelectedRows,
  into: Uint32Array,
): (readonly [number, number])[] {
  const { count, codes } = part;
  const met: (readonly [number, number])[] = [];
  if (size * count <= DIRECT_PAIRS) {
    const table = rows.workspace.words('pairs', size * count);
    table.fill(0, 0, size * count);
    for (let index = 0; index < rows.count; index++) {
      const pair = (numbers[index] ?? 0) * count + (codes[index] ?? 0);
      let number = table[pair] ?? 0;
      if (number === 0) {
        met.push([numbers[index] ?? 0, codes[index] ?? 0]);
        number = met.length;
        table[pair] = number;
      }
      into[index] = number - 1;
    }
    return met;
  }
  const table = new Map<number, number>();
  for (let index = 0; index < rows.count; index++) {
    const pair = (numbers[index] ?? 0) * count + (codes[index] ?? 0);
    let number = table.get(pair);
    if (number === undefined) {
      number = met.length;
      met.push([numbers[index] ?? 0, codes[index] ?? 0]);
      table.set(pair, number);
    }
    into[index] = number;
  }
  return met;
}
