import type { FactChunk } from './chunk.ts';
import type { FactColumn } from './columns.ts';
import { gatherCodes } from './decode/codes.ts';
import { isZero } from './decode/numbers.ts';
import { type Exceptions, gather, type PackedColumn, widen } from './decode/packed.ts';
import type { Selection } from './kernels/selection.ts';
import { SUMMANDS } from './segment/derived.ts';
import type { Workspace } from './workspace.ts';

/**
 * The selected rows of one chunk for the sections of a scan: one entry per selected row, in the order of event ids.
 * Columns are extracted once and shared by all sections. Arrays are valid until the next chunk and may be longer than
 * `count`; only this module writes to them. All are of one type, so that loops over them are compiled for it.
 */
export interface SelectedRows {
  readonly chunk: FactChunk;
  readonly selection: Selection;
  readonly count: number;
  readonly workspace: Workspace;
  /** Values as in `FACT_COLUMNS`: `optional` ones are 0 for unknown, else the value + 1. */
  numbers(column: FactColumn): Float64Array;
  eventIds(): Float64Array;
  codes(columns: readonly FactColumn[]): RowCodes;
  /** A value that several sections need of these rows, computed once. Each name belongs to one maker. */
  once<Value>(name: string, make: () => Value): Value;
}

/** The tuple of each selected row. */
export interface RowCodes {
  /** Tuples of the whole chunk; some may not occur among the selected rows. */
  readonly count: number;
  readonly codes: Uint32Array;
  readonly symbols: readonly Uint32Array[];
  /** Text of a tuple, the same in every chunk. */
  nameOf(code: number): string;
}

/** Below this share of a chunk it is faster to search the exceptions of the rows than to apply all of them. */
const SPARSE_SHARE = 1 / 16;

export function selectedRows(chunk: FactChunk, selection: Selection, workspace: Workspace): SelectedRows {
  const { count } = selection;
  const numbers = new Map<FactColumn | null, Float64Array>();
  const codes = new Map<string, RowCodes>();
  const shared = new Map<string, unknown>();

  /** @param column null = the event ids */
  function take(column: FactColumn | null): Float64Array {
    const known = numbers.get(column);
    if (known !== undefined) return known;
    const { column: own, isRest } = chunk.stored(column);
    const summands = isRest && column !== null ? (SUMMANDS[column] ?? []) : [];
    const taken = summands.length === 0 ? takeOwn(column, own) : addUp(column, own, summands);
    numbers.set(column, taken);
    return taken;
  }

  function takeOwn(column: FactColumn | null, own: PackedColumn): Float64Array {
    const taken = workspace.doubles(`numbers:${column}`, chunk.rowCount);
    const { rows } = selection;
    if (rows === null) widen(own, chunk.rowCount, taken);
    else if (own.exceptions === null) gather(own, rows, count, taken);
    else if (count < chunk.rowCount * SPARSE_SHARE) gatherSparse(own, own.exceptions, rows, count, taken);
    else {
      const all = workspace.doubles('whole column', chunk.rowCount);
      widen(own, chunk.rowCount, all);
      gather({ base: 0, values: all, exceptions: null }, rows, count, taken);
    }
    return taken;
  }

  /** A column that mostly equals the sum of others, see `SUMMANDS`. */
  function addUp(column: FactColumn | null, own: PackedColumn, summands: readonly FactColumn[]): Float64Array {
    const parts = summands.filter((summand) => !isZero(chunk.stored(summand))).map(take);
    const [first] = parts;
    if (isZero({ column: own, isRest: false }) && first !== undefined && parts.length === 1) return first;
    const sum = takeOwn(column, own);
    for (const part of parts) addAll(sum, part, count);
    return sum;
  }

  function codesOf(columns: readonly FactColumn[]): RowCodes {
    const key = columns.join();
    const known = codes.get(key);
    if (known !== undefined) return known;
    const { count: tuples, codes: own, symbols, nameOf } = chunk.combination(columns);
    const taken = workspace.words(`codes:${key}`, chunk.rowCount);
    if (own === null) taken.fill(0, 0, count);
    else gatherCodes(own, selection.rows, count, taken);
    const made: RowCodes = { count: tuples, codes: taken, symbols, nameOf };
    codes.set(key, made);
    return made;
  }

  function once<Value>(name: string, make: () => Value): Value {
    if (!shared.has(name)) shared.set(name, make());
    return shared.get(name) as Value;
  }

  return { chunk, selection, count, workspace, numbers: take, eventIds: () => take(null), codes: codesOf, once };
}

/** The rows and the rows of the exceptions both ascend. */
function gatherSparse(
  own: PackedColumn,
  exceptions: Exceptions,
  rows: Uint32Array,
  count: number,
  into: Float64Array,
): void {
  gather(own, rows, count, into);
  let index = 0;
  for (let at = 0; at < exceptions.rows.length; at++) {
    const row = exceptions.rows[at] ?? 0;
    while (index < count && (rows[index] ?? 0) < row) index++;
    if (index === count) return;
    if (rows[index] === row) into[index] = (into[index] ?? 0) + (exceptions.added[at] ?? 0);
  }
}

function addAll(values: Float64Array, summands: Float64Array, count: number): void {
  for (let index = 0; index < count; index++) values[index] = (values[index] ?? 0) + (summands[index] ?? 0);
}
