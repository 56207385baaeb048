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
  /** Estimated. */
  bytes(): number;
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
    const name = part.nameOf(code);
    let id = known.ids.get(name);
    if (id === undefined) {
      id = known.values.length;
      known.ids.set(name, id);
      known.values.push(part.valueOf(code));
    }
    return id;
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
    membersOf: (dimension) => {
      const list = new Uint32Array(count());
      for (let group = 0; group < list.length; group++) list[group] = memberOfGroup(group, dimension);
      return list;
    },
    valuesIn: (dimension) => members[dimension]?.values ?? [],
    clone: () =>
      groupIndex({
        members: members.map(({ ids, values }) => ({ ids: new Map(ids), values: [...values] })),
        pairs: pairs.map((table) => table.clone()),
        anyRow: content.anyRow,
      }),
    bytes: () =>
      members.reduce((sum, { values }) => sum + values.length * MEMBER_BYTES, 0) +
      pairs.reduce((sum, table) => sum + table.bytes(), 0),
  };
}

function markCodes(codes: Uint32Array, count: number, seen: Uint32Array): void {
  for (let index = 0; index < count; index++) seen[codes[index] ?? 0] = 1;
}

function mapCodes(codes: Uint32Array, values: Uint32Array, count: number, into: Uint32Array): void {
  for (let index = 0; index < count; index++) into[index] = values[codes[index] ?? 0] ?? 0;
}
