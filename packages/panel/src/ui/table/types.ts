import type { ReactNode } from 'react';
import type { SortDirection, SortValue, TableSort } from '../../platform/sort.ts';
import type { ColumnSize } from './columns.ts';
import type { ExportValue } from './export.ts';

export interface TableColumn<R> extends ColumnSize {
  /** Used in the address when sorted by it, and in exported files. */
  readonly id: string;
  readonly label: string;
  /** Tooltip of the header; default: the label. */
  readonly hint?: string;
  /** Right-aligned numbers. */
  readonly right?: boolean;
  readonly cell: (row: R) => ReactNode;
  /** What depends on all rows, child rows included: it takes the place of `cell` and `total`. */
  readonly fitted?: (rows: readonly R[]) => Partial<Pick<TableColumn<R>, 'cell' | 'total'>>;
  /** Full text of a cell that may end in an ellipsis, exact number behind a shortened one. */
  readonly title?: (row: R) => string | undefined;
  /** Real value (never a masked one) to sort by; `true` = rows arrive sorted. Absent = not sortable. */
  readonly sort?: ((row: R) => SortValue) | true;
  /** Direction of the first click; default: numbers from the largest, texts from A. */
  readonly sortFirst?: SortDirection;
  /** Cell of the totals row. */
  readonly total?: ReactNode;
  /** Value in exported files, masked as on screen; absent = not exported. */
  readonly exported?: (row: R) => ExportValue;
}

/** A row on a narrow screen: time and status | what and whose | the number, two lines each. */
export interface NarrowRow {
  readonly lead?: ReactNode;
  readonly leadBelow?: ReactNode;
  /** For a status of some words. */
  readonly wideLead?: boolean;
  readonly main: ReactNode;
  readonly mainBelow?: ReactNode;
  readonly value?: ReactNode;
  readonly valueBelow?: ReactNode;
  /** More lines over the whole width; needs `narrowHeight`. */
  readonly more?: ReactNode;
  /** Controls at the end; clicks on them do not open the row. */
  readonly action?: ReactNode;
}

export interface TableSelection {
  readonly keys: ReadonlySet<string>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
}

export interface DataTableProps<R> {
  readonly label: string;
  readonly columns: readonly TableColumn<R>[];
  /** In any order when the sorted column has a value, else in display order. */
  readonly rows: readonly R[];
  readonly rowKey: (row: R) => string;
  /** Name of a row for screen readers: its checkbox, its expand button. */
  readonly rowName: (row: R) => string;
  /** Row on a narrow screen. */
  readonly narrow: (row: R) => NarrowRow;
  /** px of a row on a narrow screen with more than two lines. */
  readonly narrowHeight?: (row: R) => number;
  /** Below this width a table has two-line rows on wide screens too, px; 0 = never. */
  readonly twoLineBelow?: number;
  readonly sort?: TableSort | null;
  readonly onSort?: (sort: TableSort) => void;
  /** px: 28 (default), 36, or 56 where a second line is needed. */
  readonly rowHeight?: number | ((row: R) => number);
  /** Click, Enter or Space on a row. */
  readonly onOpen?: (row: R) => void;
  /** Address of what a row opens: the row is a link then, for other tabs and copies. null = this row leads nowhere. */
  readonly href?: ((row: R) => string | null) | undefined;
  /** Rows without this expand instead. Absent = no child row opens. */
  readonly canOpen?: (row: R) => boolean;
  /** Row whose drawer is open: j and k then step through it. */
  readonly openKey?: string | null;
  readonly selection?: TableSelection;
  /** Child rows, shown when expanded. */
  readonly below?: (row: R) => readonly R[];
  /** j, k, x act on this table: for the main table of a page only. */
  readonly keys?: boolean;
  /** First cell of the totals row; absent = no such row. */
  readonly totalLabel?: string;
  /** Scrolls in a box of this height, px; absent = rows scroll with the page. */
  readonly maxHeight?: number;
  /** Rows near the end scrolled into view. */
  readonly onEnd?: () => void;
  /** Number of rows, loaded or not. */
  readonly rowCount?: number;
  /** Rows that have just arrived. */
  readonly fresh?: ReadonlySet<string>;
}
