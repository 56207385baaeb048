import type { FactChunk } from '../chunk.ts';
import type { FactColumn } from '../columns.ts';
import type { Selection } from './selection.ts';

/** Rows of a selection grouped by the symbols of some columns, within one chunk. */
export interface Groups {
  readonly count: number;
  /** Group of each selected row, in the order of the selection. */
  readonly groupOf: Uint32Array;
  /** For each column the symbol of each group. */
  readonly symbols: readonly Uint32Array[];
}

/** Largest table of (group, code) pairs that is looked up directly; above it a map is used. */
const DIRECT_PAIRS = 1 << 22;

/** Column by column: the group so far and the next code make the next group. Groups are numbered as they are met. */
export function groupBySymbols(chunk: FactChunk, selection: Selection, columns: readonly FactColumn[]): Groups {
  const groupOf = new Uint32Array(selection.count);
  let count = selection.count > 0 ? 1 : 0;
  let symbols: Uint32Array[] = [];
  for (const column of columns) {
    const { set, codes } = chunk.symbols(column);
    if (codes === null || selection.count === 0) {
      symbols.push(new Uint32Array(count).fill(set[0] ?? 0));
      continue;
    }
    const parents: number[] = [];
    const own: number[] = [];
    const pairs = pairTable(count * set.length);
    for (let index = 0; index < selection.count; index++) {
      const code = codes[selection.rows === null ? index : (selection.rows[index] ?? 0)] ?? 0;
      const parent = groupOf[index] ?? 0;
      const pair = parent * set.length + code;
      let group = pairs.get(pair);
      if (group < 0) {
        group = parents.length;
        pairs.set(pair, group);
        parents.push(parent);
        own.push(set[code] ?? 0);
      }
      groupOf[index] = group;
    }
    symbols = symbols.map((values) => Uint32Array.from(parents, (parent) => values[parent] ?? 0));
    symbols.push(Uint32Array.from(own));
    count = parents.length;
  }
  return { count, groupOf, symbols };
}

interface PairTable {
  /** -1 when the pair was not met. */
  get(pair: number): number;
  set(pair: number, group: number): void;
}

function pairTable(size: number): PairTable {
  if (size <= DIRECT_PAIRS) {
    const table = new Int32Array(size).fill(-1);
    return {
      get: (pair) => table[pair] ?? -1,
      set: (pair, group) => {
        table[pair] = group;
      },
    };
  }
  const table = new Map<number, number>();
  return { get: (pair) => table.get(pair) ?? -1, set: (pair, group) => table.set(pair, group) };
}

/** Adds the symbols of a column that occur in the selection. */
export function collectSymbols(chunk: FactChunk, selection: Selection, column: FactColumn, into: Set<number>): void {
  if (selection.rows === null) {
    for (const symbol of chunk.symbolSet(column)) into.add(symbol);
    return;
  }
  const { set, codes } = chunk.symbols(column);
  const seen = new Uint8Array(set.length);
  if (codes === null) seen[0] = 1;
  else for (const row of selection.rows) seen[codes[row] ?? 0] = 1;
  for (const [code, symbol] of set.entries()) if (seen[code] === 1) into.add(symbol);
}
