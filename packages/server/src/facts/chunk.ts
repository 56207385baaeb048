import type { FactColumn } from './columns.ts';
import type { StoredNumbers } from './decode/numbers.ts';
import type { HashColumn } from './segment/hashes.ts';
import type { NumberColumn } from './segment/integers.ts';
import type { Codes, SymbolColumn } from './segment/symbol-codes.ts';
import type { TextColumn } from './segment/texts.ts';
import type { Grouping, SumColumn } from './sums/groupings.ts';

/** The distinct tuples of some symbol columns within one chunk. */
export interface Combination {
  readonly count: number;
  /** Tuple of each row of the chunk; null where there is only one. */
  readonly codes: Codes | null;
  /** For each column the symbol of each tuple. Two tuples may have the same symbols. */
  readonly symbols: readonly Uint32Array[];
  /** Text of the symbols of a tuple, the same in every chunk; cached. */
  nameOf(code: number): string;
}

/** The columns of a chunk that only text search reads. A mask has one entry a row. */
export interface SearchedColumns {
  /** Sets the entry of every row whose folded text contains the needle. */
  markTexts(column: FactColumn, needle: Uint8Array, mask: Uint8Array): void;
  /** Sets the entry of every row whose event hash contains the folded query. */
  markHashes(query: string, mask: Uint8Array): void;
  /** Sets the entry of every row whose event hash is not 64 digits and contains the folded query. */
  markOpaqueHashes(query: string, mask: Uint8Array): void;
}

/**
 * Facts in the order of their event ids: one sealed segment, or the tail. Kernels see no difference. Columns are loaded
 * on demand.
 */
export interface FactChunk {
  /** Id of a sealed segment, which never changes; null for the tail. */
  readonly segmentId: number | null;
  readonly rowCount: number;
  readonly firstEventId: number;
  readonly lastEventId: number;
  readonly minTimestampMs: number;
  readonly maxTimestampMs: number;
  /**
   * Announces columns that will be needed, texts and hashes in their searchable form, so that they are read together.
   */
  prepare(columns: Iterable<FactColumn>): void;
  eventIds(): NumberColumn;
  numbers(column: FactColumn): NumberColumn;
  /** A number column in its cached form; null = the event ids. */
  stored(column: FactColumn | null): StoredNumbers;
  symbols(column: FactColumn): SymbolColumn;
  /** The distinct symbols of a column: enough to skip a chunk, cheaper than its rows. */
  symbolSet(column: FactColumn): Uint32Array;
  texts(column: FactColumn): TextColumn;
  hashes(column: FactColumn): HashColumn;
  /** The combinations of symbols of several columns. */
  combination(columns: readonly FactColumn[]): Combination;
  readonly searched: SearchedColumns;
  /**
   * A value that depends only on the columns, computed once and cached like a column. Each name belongs to one maker.
   */
  kept<Value>(name: string, make: () => Value, sizeOf: (value: Value) => number): Value;
  /** 1 for every row whose raw event still exists; null when all do. */
  liveRows(): Uint8Array | null;
  /** The stored sums of a sealed segment by a grouping; null where there are none. */
  sums(grouping: Grouping): SumChunk | null;
}

/** Stored sums of a segment: each row is a group of its events, each count the sum of the group. */
export interface SumChunk {
  readonly chunk: FactChunk;
  readonly totals: SumTotals;
  stored(name: SumColumn): StoredNumbers;
}

/** Numbers of a whole segment. */
export interface SumTotals {
  /** Length of the stretches of time that events are grouped by, ms; 0 = they are not. `timestamp_ms` is their start. */
  readonly widthMs: number;
  readonly tasks?: number;
  /** With at least one failed event. */
  readonly failedTasks?: number;
  /** Events before this time, and after the next one, are among the rows. */
  readonly headUntilMs?: number;
  readonly tailFromMs?: number;
}
