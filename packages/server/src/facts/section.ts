import type { FactChunk } from './chunk.ts';
import type { FactColumn } from './columns.ts';
import type { SelectedRows } from './rows.ts';
import type { Grouping } from './sums/groupings.ts';
import type { SumRows } from './sums/rows.ts';

/**
 * One computation over the rows that a query selects. Its state is built chunk by chunk; the state over sealed segments
 * is cached and continued, so `clone` must return a copy that `add` may change without touching the original.
 */
export interface Section<State> {
  /** Names the computation with every parameter that changes it: equal keys, equal states. */
  readonly key: string;
  /** Columns it reads: those of the tail are loaded together. */
  readonly columns?: readonly FactColumn[];
  /** @param keepAll second attempt, after `complete` was false: nothing may be dropped before the end */
  create(keepAll?: boolean): State;
  add(state: State, rows: SelectedRows, earlier: EarlierRows): void;
  /** How it is computed from the stored sums of a whole segment instead of its rows. */
  readonly sums?: SumsOf<State> | undefined;
  clone(state: State): State;
  /** Memory of a state, estimated. */
  bytes(state: State): number;
  /** How two states over different chunks become one; left out by sections that look at earlier rows, only need the
   * newest, or are never part of a question's first scan. */
  readonly exchange?: Exchange<State> | undefined;
  /** Called once before a state is cached: drops what later chunks do not need. */
  compact?(state: State): void;
  /** False when a compacted state had dropped too much for the following chunks: everything is computed again. */
  complete?(state: State): boolean;
}

export interface SumsOf<State> {
  readonly grouping: Grouping;
  /** False, and nothing added, when the sums do not tell enough: then the rows are read. */
  add(state: State, sums: SumRows, segment: FactChunk, earlier: readonly FactChunk[]): boolean;
}

/** A state on its way from another thread. */
export interface Exchange<State> {
  /** As plain values and typed arrays, which belong to the caller. */
  pack(state: State): unknown;
  merge(state: State, packed: never): void;
}

/** The rows that a state already has, for sections that must not count the same thing in two chunks. */
export interface EarlierRows {
  readonly chunks: readonly FactChunk[];
  /** Selected rows of one of these chunks; valid until the next call. */
  rowsOf(chunk: FactChunk): SelectedRows;
}
