/** Determines which columns a table of a given width shows. */
export interface ColumnSize {
  /** Fixed width in px, so that a refresh never moves a column; null = a share of the rest. */
  readonly width: number | null;
  /** Minimum width of a column without a fixed one, px. */
  readonly minWidth?: number;
  /** Absent = always visible. Columns with higher numbers are hidden first when the table gets narrow. */
  readonly priority?: number;
}

const DEFAULT_MIN_WIDTH = 140;
/** Additional outer padding of the first and last cell, px. */
const OUTER = 8;

function neededWidth(columns: readonly ColumnSize[]): number {
  return columns.reduce((sum, column) => sum + (column.width ?? column.minWidth ?? DEFAULT_MIN_WIDTH), OUTER);
}

/** Columns that fit into `width` px beside `taken` px of others; the order never changes. */
export function fittingColumns<C extends ColumnSize>(columns: readonly C[], width: number, taken = 0): readonly C[] {
  let kept = columns;
  while (neededWidth(kept) + taken > width) {
    const first = kept.reduce((highest, column) => Math.max(highest, column.priority ?? 0), 0);
    if (first === 0) break;
    // Of two with the same number the right one is hidden.
    const index = kept.findLastIndex((column) => column.priority === first);
    kept = kept.filter((_, position) => position !== index);
  }
  return kept;
}
