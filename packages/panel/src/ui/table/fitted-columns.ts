import type { TableColumn } from './types.ts';

/** Columns with what depends on all rows. */
export function fittedColumns<R>(
  columns: readonly TableColumn<R>[],
  rows: readonly R[],
  below?: (row: R) => readonly R[],
): readonly TableColumn<R>[] {
  if (!columns.some(({ fitted }) => fitted !== undefined)) return columns;
  const all = below === undefined ? rows : rows.flatMap((row) => [row, ...below(row)]);
  return columns.map((column) => (column.fitted === undefined ? column : { ...column, ...column.fitted(all) }));
}
