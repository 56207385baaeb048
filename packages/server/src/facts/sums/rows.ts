import type { SumChunk, SumTotals } from '../chunk.ts';
import { isZero } from '../decode/numbers.ts';
import { widen } from '../decode/packed.ts';
import { type SelectedRows, selectedRows } from '../rows.ts';
import type { Workspace } from '../workspace.ts';
import type { SumColumn } from './groupings.ts';

/** The groups of a segment's stored sums, as rows: dimensions see no difference, counts are sums. Valid like `SelectedRows`. */
export interface SumRows extends SelectedRows {
  readonly own: SumChunk;
  readonly totals: SumTotals;
  sums(name: SumColumn): Float64Array;
  /** Whether it is 0 in every group. */
  isZero(name: SumColumn): boolean;
}

export function sumRows(own: SumChunk, workspace: Workspace): SumRows {
  const { chunk, totals, stored } = own;
  const rows = selectedRows(chunk, { count: chunk.rowCount, rows: null }, workspace);
  return {
    ...rows,
    own,
    totals,
    isZero: (name) => isZero(stored(name)),
    sums: (name) =>
      rows.once(`sums:${name}`, () => {
        const values = workspace.doubles(`sums:${name}`, chunk.rowCount);
        widen(stored(name).column, chunk.rowCount, values);
        return values;
      }),
  };
}
