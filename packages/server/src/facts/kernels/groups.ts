import type { FactChunk } from '../chunk.ts';
import type { FactColumn } from '../columns.ts';
import { release } from '../decode/release.ts';
import type { Codes } from '../segment/symbol-codes.ts';
import type { Selection } from './selection.ts';

/** Rows of a selection grouped by the symbols of some columns, within one chunk. Two groups may have the same symbols. */
export interface Groups {
  readonly count: number;
  /** Group of each selected row, in the order of the selection. */
  readonly groupOf: Uint32Array;
  /** For each column the symbol of each group. */
  readonly symbols: readonly Uint32Array[];
}

/** Largest directly indexed table of (group, code) pairs; above it a map is used. */
const DIRECT_PAIRS = 1 << 22;

/**
 * Column by column: the current group and the next code make the next group. Groups are numbered in order of
 * appearance. Columns that share their codes, because one follows from the other, split nothing further.
 */
export function groupBySymbols(chunk: FactChunk, selection: Selection, columns: readonly FactColumn[]): Groups {
  const groupOf = new Uint32Array(selection.count);
  let count = selection.count > 0 ? 1 : 0;
  /** The code of each group, for every array of codes used so far. */
  const codeOfGroup = new Map<Codes, Uint32Array>();
  const parts = columns.map((column) => chunk.symbols(column));
  for (const { set, codes } of parts) {
    if (codes === null || count === 0 || codeOfGroup.has(codes)) continue;
    const selected = selection.rows === null ? codes : gather(codes, selection.rows);
    const codeCount = set.length;
    const pairs = count * codeCount;
    const met =
      pairs <= DIRECT_PAIRS ? pairUp(groupOf, selected, codeCount, pairs) : pairUpWide(groupOf, selected, codeCount);
    for (const [known, values] of codeOfGroup) {
      codeOfGroup.set(
        known,
        Uint32Array.from(met, (pair) => values[Math.floor(pair / codeCount)] ?? 0),
      );
    }
    codeOfGroup.set(
      codes,
      Uint32Array.from(met, (pair) => pair % codeCount),
    );
    count = met.length;
  }
  const symbols = parts.map(({ set, codes }) => {
    const codeOf = codes === null ? undefined : codeOfGroup.get(codes);
    return Uint32Array.from({ length: count }, (_, group) => set[codeOf?.[group] ?? 0] ?? 0);
  });
  return { count, groupOf, symbols };
}

function gather(codes: Codes, rows: Uint32Array): Uint32Array {
  const selected = new Uint32Array(rows.length);
  for (let index = 0; index < rows.length; index++) selected[index] = codes[rows[index] ?? 0] ?? 0;
  return selected;
}

/** Replaces each group by that of its pair with the code; returns the pairs in order of appearance. */
function pairUp(groupOf: Uint32Array, codes: Codes, codeCount: number, pairs: number): number[] {
  const met: number[] = [];
  // Group + 1 of a pair, 0 = not seen.
  const table = new Uint32Array(pairs);
  for (let index = 0; index < groupOf.length; index++) {
    const pair = (groupOf[index] ?? 0) * codeCount + (codes[index] ?? 0);
    let group = table[pair] ?? 0;
    if (group === 0) {
      met.push(pair);
      group = met.length;
      table[pair] = group;
    }
    groupOf[index] = group - 1;
  }
  release(table);
  return met;
}

function pairUpWide(groupOf: Uint32Array, codes: Codes, codeCount: number): number[] {
  const table = new Map<number, number>();
  for (let index = 0; index < groupOf.length; index++) {
    const pair = (groupOf[index] ?? 0) * codeCount + (codes[index] ?? 0);
    const group = table.get(pair) ?? table.size;
    if (group === table.size) table.set(pair, group);
    groupOf[index] = group;
  }
  return [...table.keys()];
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
