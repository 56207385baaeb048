import type { TextKey } from '../../../platform/i18n/index.ts';

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
  | 'rate'
  | ExtraColumnId;

/** Hidden unless chosen. */
type ExtraColumnId =
  | 'pattern'
  | 'running'
  | 'endpoint'
  | 'authIndex'
  | 'project'
  | 'executor'
  | 'trace'
  | 'clientIp'
  | 'forwardedFor'
  | 'agent';

export interface Column {
  readonly id: ColumnId;
  readonly label: TextKey;
  /** Fixed width in px, so that a refresh never moves a column; null = a share of the rest. */
  readonly width: number | null;
  readonly right?: boolean;
}

const COLUMNS: readonly Column[] = [
  { id: 'time', label: 'column.time', width: 82 },
  { id: 'status', label: 'column.status', width: 76 },
  { id: 'source', label: 'column.source', width: 272 },
  { id: 'model', label: 'column.model', width: null },
  { id: 'effort', label: 'column.effort', width: 120 },
  { id: 'input', label: 'column.input', width: 58, right: true },
  { id: 'output', label: 'column.output', width: 56, right: true },
  { id: 'cached', label: 'tokens.cacheRead', width: 84, right: true },
  { id: 'cost', label: 'column.cost', width: 70, right: true },
  { id: 'ttft', label: 'column.ttft', width: 68, right: true },
  { id: 'elapsed', label: 'column.elapsed', width: 74, right: true },
  { id: 'rate', label: 'column.rate', width: 60, right: true },
];

const EXTRA_COLUMNS: readonly Column[] = [
  { id: 'pattern', label: 'column.pattern', width: 76 },
  { id: 'running', label: 'column.running', width: 104, right: true },
  { id: 'endpoint', label: 'column.endpoint', width: 180 },
  { id: 'authIndex', label: 'column.authIndex', width: 128 },
  { id: 'project', label: 'column.project', width: 132 },
  { id: 'executor', label: 'column.executor', width: 112 },
  { id: 'trace', label: 'column.trace', width: 148 },
  { id: 'clientIp', label: 'column.clientIp', width: 120 },
  { id: 'forwardedFor', label: 'column.forwardedFor', width: 148 },
  { id: 'agent', label: 'column.agent', width: 160 },
];

export const ALL_COLUMNS: readonly Column[] = [...COLUMNS, ...EXTRA_COLUMNS];
export const COLUMN_IDS: readonly ColumnId[] = ALL_COLUMNS.map((column) => column.id);
export const USUAL_COLUMNS: readonly ColumnId[] = COLUMNS.map((column) => column.id);
/** Identifies the client: shown with masking off. */
export const CLIENT_COLUMNS: readonly ColumnId[] = ['clientIp', 'forwardedFor', 'agent'];
/** Always shown. */
export const FIXED_COLUMNS: readonly ColumnId[] = ['time', 'status', 'model'];

/** Shown after the model instead of `source`, when only its first part fits. */
const ACCOUNT: Column = { id: 'account', label: 'column.account', width: null };

/** Order in which columns are hidden when the table gets narrow. */
const DROP_ORDER: readonly ColumnId[] = ['rate', 'effort', 'cached', 'ttft', 'input', 'output', 'cost'];
/** Minimum width of the model name, px. */
const MODEL_MIN = 148;
/** A table narrower than this shows rows of two lines instead. */
export const TWO_LINE_WIDTH = 480;
/** Times of several days include the date: the widest is `30 Sept 23:58:29`, or `12月30日 23:58:29`. */
const DATED_TIME_WIDTH = 144;

/**
 * Columns that fit into a table of this width. The source column shrinks to the account alone before the last number columns are
 * hidden; additionally chosen columns are hidden last.
 */
export function visibleColumns(
  width: number,
  dated: boolean,
  chosen: readonly ColumnId[] = USUAL_COLUMNS,
): readonly Column[] {
  let columns = ALL_COLUMNS.filter((column) => FIXED_COLUMNS.includes(column.id) || chosen.includes(column.id)).map(
    (column) => (column.id === 'time' && dated ? { ...column, width: DATED_TIME_WIDTH } : column),
  );
  const needed = () => columns.reduce((sum, column) => sum + (column.width ?? MODEL_MIN), 0) + 8;
  const extras = EXTRA_COLUMNS.map((column) => column.id).reverse();
  for (const id of [...DROP_ORDER, ...extras]) {
    if (needed() <= width) return columns;
    if (id === 'ttft' && columns.some((column) => column.id === 'source')) {
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
