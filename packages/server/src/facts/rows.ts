import type { FactChunk } from './chunk.ts';
import type { FactColumn } from './columns.ts';
import type { Combination } from './kernels/combinations.ts';
import type { Selection } from './kernels/selection.ts';
import type { NumberColumn } from './segment/integers.ts';
import type { Workspace } from './workspace.ts';

/**
 * The selected rows of one chunk as the sections of a pass see them: one entry a selected row, in the order of event ids.
 * Columns are taken out once and shared by all sections. Arrays are valid until the next chunk and may be longer than
 * `count`; only this module writes to them. All of one kind, so that loops over them are compiled for that kind.
 */
export interface SelectedRows {
  readonly chunk: FactChunk;
  readonly selection: Selection;
  readonly count: number;
  readonly workspace: Workspace;
  /** Values as `FACT_COLUMNS` says: `optional` ones are 0 for unknown, else the value + 1. */
  numbers(column: FactColumn): Float64Array;
  eventIds(): Float64Array;
  codes(columns: readonly FactColumn[]): RowCodes;
}

/** The tuple of each selected row. */
export interface RowCodes {
  /** Tuples of the whole chunk; not each of them must occur among the selected rows. */
  readonly count: number;
  readonly codes: Uint32Array;
  readonly symbols: readonly Uint32Array[];
  /** Text of a tuple, the same in every chunk. */
  nameOf(code: number): string;
}

/** Below this share of a chunk, single rows are fetched; above it, whole columns are widened, which is faster per row. */
const SPARSE_SHARE = 1 / 16;

export function selectedRows(chunk: FactChunk, selection: Selection, workspace: Workspace): SelectedRows {
  const { count } = selection;
  const numbers = new Map<string, Float64Array>();
  const codes = new Map<string, RowCodes>();
  const sparse = selection.rows !== null && count < chunk.rowCount * SPARSE_SHARE;

  function take(name: string, { base, values }: NumberColumn): Float64Array {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    const taken = workspace.doubles(`numbers:${name}`, chunk.rowCount);
    if (values === null) {
      taken.fill(base, 0, count);
    } else if (selection.rows === null) {
      taken.set(values);
      if (base !== 0) addBase(taken, base, count);
    } else if (sparse) {
      for (let index = 0; index < count; index++) taken[index] = base + (values[selection.rows[index] ?? 0] ?? 0);
    } else {
      const all = workspace.doubles('whole column', chunk.rowCount);
      all.set(values);
      gatherDoubles(all, selection.rows, count, base, taken);
    }
    numbers.set(name, taken);
    return taken;
  }

  function codesOf(columns: readonly FactColumn[]): RowCodes {
    const key = columns.join();
    const known = codes.get(key);
    if (known !== undefined) return known;
    const taken = takeCodes(key, chunk.combination(columns));
    codes.set(key, taken);
    return taken;
  }

  function takeCodes(key: string, combination: Combination): RowCodes {
    const taken = workspace.words(`codes:${key}`, chunk.rowCount);
    if (combination.codes === null) taken.fill(0, 0, count);
    else if (selection.rows === null) taken.set(combination.codes);
    else if (sparse) {
      for (let index = 0; index < count; index++) taken[index] = combination.codes[selection.rows[index] ?? 0] ?? 0;
    } else {
      const all = workspace.words('whole codes', chunk.rowCount);
      all.set(combination.codes);
      gatherWords(all, selection.rows, count, taken);
    }
    const { count: tuples, symbols, nameOf } = combination;
    return { count: tuples, codes: taken, symbols, nameOf };
  }

  return {
    chunk,
    selection,
    count,
    workspace,
    numbers: (column) => numbers.get(column) ?? take(column, chunk.numbers(column)),
    eventIds: () => take('event_id', chunk.eventIds()),
    codes: codesOf,
  };
}

function addBase(values: Float64Array, base: number, count: number): void {
  for (let index = 0; index < count; index++) values[index] = (values[index] ?? 0) + base;
}

function gatherDoubles(all: Float64Array, rows: Uint32Array, count: number, base: number, into: Float64Array): void {
  for (let index = 0; index < count; index++) into[index] = base + (all[rows[index] ?? 0] ?? 0);
}

function gatherWords(all: Uint32Array, rows: Uint32Array, count: number, into: Uint32Array): void {
  for (let index = 0; index < count; index++) into[index] = all[rows[index] ?? 0] ?? 0;
}
