import type { SelectedRows } from '../rows.ts';
import type { Dimension, DimensionCodes } from './dimensions.ts';
import { createPairTable, type PairTable } from './pair-table.ts';

/** Numbers the groups of a grouping across chunks. */
export interface GroupIndex {
  count(): number;
  /** Group of each selected row; valid until the next call. */
  groupsOf(rows: SelectedRows, dimensions: readonly Dimension[]): Uint32Array;
  /** The value of the group in each dimension. */
  valuesOf(group: number): readonly (readonly number[])[];
  /** Index of each group in the `valuesIn` of a dimension. */
  membersOf(dimension: number): Uint32Array;
  /** Values found in a dimension. */
  valuesIn(dimension: number): readonly (readonly number[])[];
  clone(): GroupIndex;
  /** All groups as plain values, for another thread. */
  pack(): PackedGroups;
  /** Adds the groups of another index; their numbers here. */
  merge(packed: PackedGroups): Uint32Array;
  /** Estimated. */
  bytes(): number;
}

export interface PackedGroups {
  readonly count: number;
  readonly dimensions: readonly {
    readonly names: readonly string[];
    readonly values: readonly (readonly number[])[];
    /** Index of each group in these lists. */
    readonly members: Uint32Array;
  }[];
}

/** Values of one dimension, numbered in order of appearance. */
interface Members {
  readonly ids: Map<string, number>;
  readonly values: (readonly number[])[];
}

interface Content {
  readonly members: readonly Members[];
  /** Numbers the pairs of a group of the previous dimensions and a member. One for each dimension after the first. */
  readonly pairs: readonly PairTable[];
  /** Without dimensions there is one group, once there is a row. */
  anyRow: boolean;
}

const MEMBER_BYTES = 256;

export function createGroupIndex(dimensionCount: number): GroupIndex {
  return groupIndex({
    members: Array.from({ length: dimensionCount }, () => ({ ids: new Map(), values: [] })),
    pairs: Array.from({ length: Math.max(dimensionCount - 1, 0) }, createPairTable),
    anyRow: false,
  });
}

function groupIndex(content: Content): GroupIndex {
  const { members, pairs } = content;

  function count(): number {
    if (members.length === 0) return content.anyRow ? 1 : 0;
    return pairs.at(-1)?.count() ?? members[0]?.values.length ?? 0;
  }

  function groupsOf(rows: SelectedRows, dimensions: readonly Dimension[]): Uint32Array {
    const [first, ...others] = dimensions;
    const groups = rows.workspace.words('groups', rows.chunk.rowCount);
    if (first === undefined) {
      content.anyRow = true;
      groups.fill(0, 0, rows.count);
      return groups;
    }
    memberOfRows(0, first.codes(rows), rows, groups);
    let known = members[0]?.values.length ?? 0;
    for (const [index, dimension] of others.entries()) {
      const inDimension = rows.workspace.words('members', rows.chunk.rowCount);
      memberOfRows(index + 1, dimension.codes(rows), rows, inDimension);
      const memberCount = members[index + 1]?.values.length ?? 0;
      pairs[index]?.number(groups, known, inDimension, memberCount, rows.count, groups);
      known = pairs[index]?.count() ?? 0;
    }
    return groups;
  }

  function memberOfRows(dimension: number, part: DimensionCodes, rows: SelectedRows, into: Uint32Array): void {
    const seen = rows.workspace.words('codes that occur', part.count);
    seen.fill(0, 0, part.count);
    markCodes(part.codes, rows.count, seen);
    const memberOfCode = rows.workspace.words('member of a code', part.count);
    for (let code = 0; code < part.count; code++) {
      if (seen[code] === 1) memberOfCode[code] = memberOf(dimension, part, code);
    }
    mapCodes(part.codes, memberOfCode, rows.count, into);
  }

  function memberOf(dimension: number, part: DimensionCodes, code: number): number {
    const known = members[dimension];
    if (known === undefined) throw new Error('a grouping lacks a dimension');
    return numberOf(known, part.nameOf(code), () => part.valueOf(code));
  }

  function membersOf(dimension: number): Uint32Array {
    const list = new Uint32Array(count());
    for (let group = 0; group < list.length; group++) list[group] = memberOfGroup(group, dimension);
    return list;
  }

  function merge(packed: PackedGroups): Uint32Array {
    const groups = new Uint32Array(packed.count);
    if (members.length === 0) {
      content.anyRow ||= packed.count > 0;
      return groups;
    }
    let known = 0;
    for (const [index, { names, values, members: places }] of packed.dimensions.entries()) {
      const own = members[index];
      if (own === undefined) throw new Error('a grouping lacks a dimension');
      const numbers = Uint32Array.from(names, (name, place) => numberOf(own, name, () => values[place] ?? []));
      const inDimension = Uint32Array.from(places, (place) => numbers[place] ?? 0);
      if (index === 0) groups.set(inDimension);
      else pairs[index - 1]?.number(groups, known, inDimension, own.values.length, packed.count, groups);
      known = index === 0 ? own.values.length : (pairs[index - 1]?.count() ?? 0);
    }
    return groups;
  }

  /** From the last dimension to the first: each pair is a group of the previous dimensions and a member. */
  function memberOfGroup(group: number, dimension: number): number {
    let before = group;
    for (let index = pairs.length; index > dimension; index--) before = pairs[index - 1]?.leftOf(before) ?? 0;
    return dimension === 0 ? before : (pairs[dimension - 1]?.rightOf(before) ?? 0);
  }

  return {
    count,
    groupsOf,
    valuesOf: (group) => members.map(({ values }, dimension) => values[memberOfGroup(group, dimension)] ?? []),
    membersOf,
    valuesIn: (dimension) => members[dimension]?.values ?? [],
    clone: () =>
      groupIndex({
        members: members.map(({ ids, values }) => ({ ids: new Map(ids), values: [...values] })),
        pairs: pairs.map((table) => table.clone()),
        anyRow: content.anyRow,
      }),
    pack: () => ({
      count: count(),
      dimensions: members.map(({ ids, values }, dimension) => ({
        names: [...ids.keys()],
        values,
        members: membersOf(dimension),
      })),
    }),
    merge,
    bytes: () =>
      members.reduce((sum, { values }) => sum + values.length * MEMBER_BYTES, 0) +
      pairs.reduce((sum, table) => sum + table.bytes(), 0),
  };
}

function numberOf({ ids, values }: Members, name: string, makeValue: () => readonly number[]): number {
  let id = ids.get(name);
  if (id === undefined) {
    id = values.length;
    ids.set(name, id);
    values.push(makeValue());
  }
  return id;
}

function markCodes(codes: Uint32Array, count: number, seen: Uint32Array): void {
  for (let index = 0; index < count; index++) seen[codes[index] ?? 0] = 1;
}

function mapCodes(codes: Uint32Array, values: Uint32Array, count: number, into: Uint32Array): void {
  for (let index = 0; index < count; index++) into[index] = values[codes[index] ?? 0] ?? 0;
}
