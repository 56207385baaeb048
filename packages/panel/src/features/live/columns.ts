import type { TextKey } from '../../i18n/index.ts';

export type ColumnId =
  | 'time'
  | 'status'
  | 'source'
  | 'account'
  | 'model'
  | 'effort'
  | 'input'
  | 'output'
  | 'cached'
  | 'cost'
  | 'ttft'
  | 'elapsed'
  | 'rate';

export interface Column {
  readonly id: ColumnId;
  readonly label: TextKey;
  /** Fixed width in px, so that a refresh never moves a column; null = takes a share of the rest. */
  readonly width: number | null;
  readonly right?: boolean;
}

const COLUMNS: readonly Column[] = [
  { id: 'time', label: 'column.time', width: 82 },
  { id: 'status', label: 'column.status', width: 76 },
  { id: 'source', label: 'column.source', width: 272 },
  { id: 'model', label: 'column.model', width: null },
  { id: 'effort', label: 'column.effort', width: 128 },
  { id: 'input', label: 'column.input', width: 58, right: true },
  { id: 'output', label: 'column.output', width: 56, right: true },
  { id: 'cached', label: 'column.cached', width: 60, right: true },
  { id: 'cost', label: 'column.cost', width: 68, right: true },
  { id: 'ttft', label: 'column.ttft', width: 68, right: true },
  { id: 'elapsed', label: 'column.elapsed', width: 74, right: true },
  { id: 'rate', label: 'column.rate', width: 60, right: true },
];

/** Stands behind the model in the place of `source`, when only its first part fits. */
const ACCOUNT: Column = { id: 'account', label: 'column.account', width: null };

/** What goes first when the table gets narrow. */
const DROP_ORDER: readonly ColumnId[] = ['rate', 'effort', 'cached', 'ttft', 'input', 'output', 'cost'];
/** Least room for the model name, px. */
const MODEL_MIN = 154;
/** A table narrower than this shows rows of two lines instead. */
export const TWO_LINE_WIDTH = 480;
/** Times of several days carry the date. */
const DATED_TIME_WIDTH = 132;

/**
 * Columns that fit into a table of this width. The source column shrinks to the account alone before the last columns
 * of numbers go.
 */
export function visibleColumns(width: number, dated: boolean): readonly Column[] {
  let columns = COLUMNS.map((column) =>
    column.id === 'time' && dated ? { ...column, width: DATED_TIME_WIDTH } : column,
  );
  const needed = () => columns.reduce((sum, column) => sum + (column.width ?? MODEL_MIN), 0) + 8;
  for (const id of DROP_ORDER) {
    if (needed() <= width) return columns;
    if (id === 'ttft') {
      columns = columns.flatMap((column) => {
        if (column.id === 'source') return [];
        return column.id === 'model' ? [column, ACCOUNT] : [column];
      });
      if (needed() <= width) return columns;
    }
    columns = columns.filter((column) => column.id !== id);
  }
  return columns;
}
