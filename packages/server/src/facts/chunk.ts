import type { FactColumn } from './columns.ts';
import type { StoredNumbers } from './decode/numbers.ts';
import type { Combination } from './kernels/combinations.ts';
import type { SearchedColumns } from './searched-columns.ts';
import type { HashColumn } from './segment/hashes.ts';
import type { NumberColumn } from './segment/integers.ts';
import type { SymbolColumn } from './segment/symbol-codes.ts';
import type { TextColumn } from './segment/texts.ts';

/**
 * A run of facts in the order of their event ids: one sealed segment, or the tail. Kernels see no difference. Columns are
 * loaded when they are asked for.
 */
export interface FactChunk {
  /** Id of a sealed segment, which never changes; null for the tail. */
  readonly segmentId: number | null;
  readonly rowCount: number;
  readonly firstEventId: number;
  readonly lastEventId: number;
  readonly minTimestampMs: number;
  readonly maxTimestampMs: number;
  /** Announces columns that will be asked for, texts and hashes as search reads them, so that they are read together. */
  prepare(columns: Iterable<FactColumn>): void;
  eventIds(): NumberColumn;
  numbers(column: FactColumn): NumberColumn;
  /** A number column as it is kept; null = the event ids. */
  stored(column: FactColumn | null): StoredNumbers;
  symbols(column: FactColumn): SymbolColumn;
  /** The distinct symbols of a column: enough to skip a chunk, cheaper than its rows. */
  symbolSet(column: FactColumn): Uint32Array;
  texts(column: FactColumn): TextColumn;
  hashes(column: FactColumn): HashColumn;
  /** Rows told apart by the symbols of several columns together. */
  combination(columns: readonly FactColumn[]): Combination;
  readonly searched: SearchedColumns;
  /** What follows from the columns whatever is asked, made once and kept as columns are. Every name goes with one maker. */
  kept<Value>(name: string, make: () => Value, sizeOf: (value: Value) => number): Value;
  /** 1 for every row whose raw event still exists; null when all do. */
  liveRows(): Uint8Array | null;
}
