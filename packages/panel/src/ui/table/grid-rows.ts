import type { ColumnSize } from './columns.ts';

/**
 * Roles of the elements of a table whose rows are grids: browsers drop the implicit roles when `display` is not that of a table.
 */
export const ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;

/**
 * Columns of all rows, as `grid-template-columns`. Each row is its own grid, so that adding or removing a row moves no other.
 * `taken` = px of a column before the others.
 */
export function gridColumns(columns: readonly ColumnSize[], taken = 0): string {
  const shares = columns.some((column) => column.width === null);
  const tracks = columns.map(({ width }) => {
    if (width === null) return 'minmax(0, 1fr)';
    // If all columns are fixed, they share the remaining width.
    return shares ? `${width}px` : `minmax(${width}px, ${width}fr)`;
  });
  return [...(taken > 0 ? [`${taken}px`] : []), ...tracks].join(' ');
}
