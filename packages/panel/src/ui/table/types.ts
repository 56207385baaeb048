import type { ReactNode } from 'react';
import type { SortDirection, SortValue, TableSort } from '../../platform/sort.ts';
import type { ColumnSize } from './columns.ts';
import type { ExportValue } from './export.ts';

export interface TableColumn<R> extends ColumnSize {
  /** Stands in the address when the table is ordered by it, and in exported files. */
  readonly id: string;
  readonly label: string;
  /** What the head says on hover; default: the label. */
  readonly hint?: string;
  /** Numbers. */
  readonly right?: boolean;
  readonly cell: (row: R) => ReactNode;
  /** Full text of a cell that may end in an ellipsis, exact number behind a shortened one. */
  readonly title?: (row: R) => string | undefined;
  /** Real value (never a masked one) that rows are ordered by; `true` = they arrive in order. Absent = no order by it. */
  readonly sort?: ((row: R) => SortValue) | true;
  /** Direction of the first press; default: numbers from the largest, texts from A. */
  readonly sortFirst?: SortDirection;
  /** Cell of the totals row. */
  readonly total?: ReactNode;
  /** Value in exported files, masked as on screen; absent = the column is in none. */
  readonly exported?: (row: R) => ExportValue;
}

/** A row on a narrow screen: time and status | what and whose | the number, two lines each. */
export interface NarrowRow {
  readonly lead?: ReactNode;
  readonly leadBelow?: ReactNode;
  readonly main: ReactNode;
  readonly mainBelow?: ReactNode;
  readonly value?: ReactNode;
  readonly valueBelow?: ReactNode;
  /** More lines over the whole width; needs `narrowHeight`. */
  readonly more?: ReactNode;
  /** Controls at the end, outside of what opens the row. */
  readonly action?: ReactNode;
}

export interface TableSelection {
  readonly keys: ReadonlySet<string>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
}

export interface DataTableProps<R> {
  readonly label: string;
  readonly columns: readonly TableColumn<R>[];
  /** In any order when the sorted column has a value, else as they shall stand. */
  readonly rows: readonly R[];
  readonly rowKey: (row: R) => string;
  /** Name of a row for screen readers: its checkbox, its fold. */
  readonly rowName: (row: R) => string;
  /** Row on a narrow screen. */
  readonly narrow: (row: R) => NarrowRow;
  /** px of a row on a narrow screen that holds more than two lines. */
  readonly narrowHeight?: (row: R) => number;
  /** A table with less room than this has two-line rows on wide screens too, px; 0 = never. */
  readonly twoLineBelow?: number;
  readonly sort?: TableSort | null;
  readonly onSort?: (sort: TableSort) => void;
  /** px: 28 (default), 36, or 56 where a second line is needed. */
  readonly rowHeight?: number | ((row: R) => number);
  /** Click, Enter or Space on a row. */
  readonly onOpen?: (row: R) => void;
  /** Where a row has nothing to open, it unfolds instead. Without this, no row below another one opens. */
  readonly canOpen?: (row: R) => boolean;
  /** Row whose drawer is open: j and k then step through it. */
  readonly openKey?: string | null;
  readonly selection?: TableSelection;
  /** Rows below a row, shown when it is unfolded. */
  readonly below?: (row: R) => readonly R[];
  /** j, k, x act on this table: for the main table of a page only. */
  readonly keys?: boolean;
  /** First cell of the totals row; absent = no such row. */
  readonly totalLabel?: string;
  /** A box of its own with this height, px; absent = rows scroll with the page. */
  readonly maxHeight?: number;
  /** Rows near the end came into view. */
  readonly onEnd?: () => void;
  /** Rows that exist, loaded or not. */
  readonly rowCount?: number;
  /** Rows that have just arrived. */
  readonly fresh?: ReadonlySet<string>;
}
