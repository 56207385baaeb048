import type { Combination, FactChunk } from '../chunk.ts';
import type { FactColumn } from '../columns.ts';
import { narrowed, widthFor } from '../segment/integers.ts';
import type { Codes } from '../segment/symbol-codes.ts';
import { groupBySymbols } from './groups.ts';

/** Computed once per segment and cached: the columns of an account or a price do not depend on the query. */
export function combine(chunk: FactChunk, columns: readonly FactColumn[]): Combination {
  chunk.prepare(columns);
  const parts = columns.map((column) => chunk.symbols(column));
  const known = new Set(parts.map(({ codes }) => codes));
  known.delete(null);
  if (known.size > 1) return combineCodes(chunk, columns);
  // All columns follow from one, whose codes identify the combination.
  const [codes = null] = known;
  const count = codes === null ? 1 : Math.max(...parts.map(({ set }) => set.length));
  const symbols = parts.map(({ set, codes: own }) => (own === null ? new Uint32Array(count).fill(set[0] ?? 0) : set));
  return { count, codes, symbols, nameOf: names(count, symbols) };
}

function combineCodes(chunk: FactChunk, columns: readonly FactColumn[]): Combination {
  const { count, groupOf, symbols } = groupBySymbols(chunk, { count: chunk.rowCount, rows: null }, columns);
  const nameOf = names(count, symbols);
  if (count <= 1) return { count, codes: null, symbols, nameOf };
  const width = widthFor(count - 1);
  return { count, codes: width === 4 ? groupOf : (narrowed(groupOf, width) as Codes), symbols, nameOf };
}

function names(count: number, symbols: readonly Uint32Array[]): (code: number) => string {
  const known = new Array<string | undefined>(count);
  return (code) => {
    let name = known[code];
    if (name === undefined) {
      name = symbols.map((column) => column[code] ?? 0).join();
      known[code] = name;
    }
    return name;
  };
}

const NAME_BYTES = 64;

export function combinationBytes({ count, codes, symbols }: Combination): number {
  return count * NAME_BYTES + (codes?.byteLength ?? 0) + symbols.reduce((sum, column) => sum + column.byteLength, 0);
}
