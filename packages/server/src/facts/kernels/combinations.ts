import type { FactChunk } from '../chunk.ts';
import type { FactColumn } from '../columns.ts';
import { groupBySymbols } from './groups.ts';

/** The distinct tuples of some symbol columns within one chunk. */
export interface Combination {
  readonly count: number;
  /** Tuple of each row of the chunk; null where there is only one. */
  readonly codes: Uint16Array | Uint32Array | null;
  /** For each column the symbol of each tuple. Two tuples may have the same symbols. */
  readonly symbols: readonly Uint32Array[];
  /** Text of the symbols of a tuple, the same in every chunk; made once. */
  nameOf(code: number): string;
}

const WIDEST_NARROW = 0x1_0000;

/** Found once per segment and kept: what names an account or a price does not depend on the question. */
export function combine(chunk: FactChunk, columns: readonly FactColumn[]): Combination {
  chunk.prepare(columns);
  const groups = groupBySymbols(chunk, { count: chunk.rowCount, rows: null }, columns);
  const { count, symbols } = groups;
  const nameOf = names(count, symbols);
  if (count <= 1) return { count, codes: null, symbols, nameOf };
  const codes = count <= WIDEST_NARROW ? Uint16Array.from(groups.groupOf) : groups.groupOf;
  return { count, codes, symbols, nameOf };
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
