import type { ColumnSize } from './columns.ts';

/**
 * Roles of the elements of a table whose rows are laid out as grids: a browser takes them away from elements with another
 * `display` than that of a table.
 */
export const ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;

/**
 * Columns of all rows, as `grid-template-columns`. Each row is a grid of its own, so a row that comes or goes moves no other one.
 *
 * @param taken px of a column before the others
 */
export function gridColumns(columns: readonly ColumnSize[], taken = 0): string {
  const shares = columns.some((column) => column.width === null);
  const tracks = columns.map(({ width }) => {
    if (width === null) return 'minmax(0, 1fr)';
    // With fixed columns alone all of them share what is left.
    return shares ? `${width}px` : `minmax(${width}px, ${width}fr)`;
  });
  return [...(taken > 0 ? [`${taken}px`] : []), ...tracks].join(' ');
}
