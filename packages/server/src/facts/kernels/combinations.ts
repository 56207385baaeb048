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
}

const WIDEST_NARROW = 0x1_0000;

/** Found once per segment and kept: what names an account or a price does not depend on the question. */
export function combine(chunk: FactChunk, columns: readonly FactColumn[]): Combination {
  chunk.prepare(columns);
  const groups = groupBySymbols(chunk, { count: chunk.rowCount, rows: null }, columns);
  const { count, symbols } = groups;
  if (count <= 1) return { count, codes: null, symbols };
  const codes = count <= WIDEST_NARROW ? Uint16Array.from(groups.groupOf) : groups.groupOf;
  return { count, codes, symbols };
}

export function combinationBytes({ codes, symbols }: Combination): number {
  return (codes?.byteLength ?? 0) + symbols.reduce((sum, column) => sum + column.byteLength, 0);
}
