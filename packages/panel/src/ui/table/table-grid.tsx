import { type CSSProperties, type ReactNode, useCallback, useMemo, useRef } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { ROW_HEIGHTS, usePreferences } from '../../platform/preferences/preferences.ts';
import { nextSort } from '../../platform/sort.ts';
import { Icon } from '../icons.tsx';
import { fittingColumns } from './columns.ts';
import { gridColumns, ROLES } from './grid-rows.ts';
import { RowLink } from './row-link.tsx';
import type { ShownRow, TableBodyProps } from './rows.ts';
import { SelectAll, SelectRow } from './select-box.tsx';
import type { DataTableProps, TableColumn } from './types.ts';
import { useRangeSelect } from './use-range-select.ts';
import { useRowFocus } from './use-row-focus.ts';
import { scrollingAncestor, useVirtualRows } from './use-virtual-rows.ts';

const HEAD_HEIGHT = 28;
const SELECT_WIDTH = 36;
/** Up to this number all rows are visible at once, so the totals are below them. */
const SHORT_TABLE = 20;

/** Rows in columns; only visible ones are in the document. */
export function TableGrid<R>(props: TableBodyProps<R>) {
  const oneLine = ROW_HEIGHTS[usePreferences().density];
  const { columns, shownRows, width, selection, rowHeight = oneLine, totalLabel } = props;
  const table = useRef<HTMLTableElement>(null);
  const taken = selection === undefined ? 0 : SELECT_WIDTH;
  const fitting = useMemo(() => fittingColumns(columns, width, taken), [columns, width, taken]);
  const heightOf = useCallback(
    (index: number) => {
      const row = shownRows[index]?.row;
      if (typeof rowHeight === 'number') return rowHeight;
      return row === undefined ? oneLine : rowHeight(row);
    },
    [shownRows, rowHeight, oneLine],
  );
  const totals = totalLabel !== undefined;
  // As high as the rows that it adds up.
  const totalsHeight = typeof rowHeight === 'number' ? rowHeight : oneLine;
  const totalsBelow = totals && shownRows.length <= SHORT_TABLE;
  const virtual = useVirtualRows({
    count: shownRows.length,
    scroller: () => scrollingAncestor(table.current),
    rowHeight: heightOf,
    rowKey: useCallback((index: number) => shownRows[index]?.key ?? String(index), [shownRows]),
    headHeight: totals && !totalsBelow ? HEAD_HEIGHT + totalsHeight : HEAD_HEIGHT,
    onEnd: props.onEnd,
  });
  const select = useRangeSelect(selection, shownRows);
  const { rowProps, hrefOf } = useRowFocus(props, shownRows, virtual, table);
  const totalsRow = totals && (
    <TotalsRow label={totalLabel} columns={fitting} selectable={selection !== undefined} height={totalsHeight} />
  );
  const headRows = totals && !totalsBelow ? 2 : 1;
  return (
    <table
      ref={table}
      className="data virtual"
      {...ROLES.table}
      style={{ '--columns': gridColumns(fitting, taken) } as CSSProperties}
      aria-label={props.label}
      aria-rowcount={(props.rowCount ?? shownRows.length) + headRows + (totalsBelow ? 1 : 0)}
    >
      <thead {...ROLES.group}>
        <tr {...ROLES.row} aria-rowindex={1}>
          {selection !== undefined && (
            <th {...ROLES.head} scope="col" className="select-cell">
              <SelectAll selection={selection} rows={props.rows} rowKey={props.rowKey} />
            </th>
          )}
          {fitting.map((column) => (
            <HeadCell key={column.id} column={column} {...props} />
          ))}
        </tr>
        {headRows === 2 && totalsRow}
      </thead>
      <tbody {...ROLES.group} className="rows" {...virtual.holder}>
        {virtual.items.map(({ index, key, style }) => {
          const shown = shownRows[index];
          if (shown === undefined) return null;
          return (
            <tr
              key={key}
              {...ROLES.row}
              aria-rowindex={index + headRows + 1}
              style={style}
              {...rowProps(shown)}
              {...(shown.depth === 1 ? { 'data-below': '' } : {})}
            >
              {selection !== undefined && (
                <td {...ROLES.cell} className="select-cell">
                  {shown.depth === 0 && (
                    <SelectRow
                      name={props.rowName(shown.row)}
                      checked={selection.keys.has(shown.key)}
                      onToggle={(range) => select(shown.key, range)}
                    />
                  )}
                </td>
              )}
              {fitting.map((column, position) => (
                <td
                  key={column.id}
                  {...ROLES.cell}
                  className={column.right ? 'right' : undefined}
                  title={column.title?.(shown.row)}
                >
                  {position > 0 ? (
                    column.cell(shown.row)
                  ) : props.below !== undefined ? (
                    <FoldCell shown={shown} {...props}>
                      <RowLink href={hrefOf(shown)}>{column.cell(shown.row)}</RowLink>
                    </FoldCell>
                  ) : (
                    <RowLink href={hrefOf(shown)}>{column.cell(shown.row)}</RowLink>
                  )}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
      {totalsBelow && <tfoot {...ROLES.group}>{totalsRow}</tfoot>}
    </table>
  );
}

function HeadCell<R>({
  column,
  sort = null,
  onSort,
}: { readonly column: TableColumn<R> } & Pick<DataTableProps<R>, 'sort' | 'onSort'>) {
  const className = column.right ? 'right' : undefined;
  const title = column.hint ?? column.label;
  if (column.sort === undefined || onSort === undefined) {
    return (
      <th {...ROLES.head} scope="col" className={className} title={title}>
        {column.label}
      </th>
    );
  }
  const direction = sort?.column === column.id ? sort.direction : null;
  const first = column.sortFirst ?? (column.right ? 'desc' : 'asc');
  const ariaSort = direction === null ? 'none' : direction === 'asc' ? 'ascending' : 'descending';
  return (
    <th {...ROLES.head} scope="col" className={className} title={title} aria-sort={ariaSort}>
      <button type="button" className="sort-head" onClick={() => onSort(nextSort(sort, column.id, first))}>
        <span className="ellipsis">{column.label}</span>
        {direction !== null && <Icon name={direction === 'asc' ? 'arrowUp' : 'arrowDown'} />}
      </button>
    </th>
  );
}

/** Expands or collapses the child rows, in the first cell. */
function FoldCell<R>({
  shown,
  children,
  rowName,
  openRows,
  onFold,
}: Pick<TableBodyProps<R>, 'rowName' | 'openRows' | 'onFold'> & {
  readonly shown: ShownRow<R>;
  readonly children: ReactNode;
}) {
  const { t } = useText();
  const open = openRows.has(shown.key);
  return (
    <span className="row fold-cell" style={{ gap: 0 }}>
      {shown.foldable ? (
        <button
          type="button"
          className="fold"
          aria-expanded={open}
          aria-label={t('grid.fold', { name: rowName(shown.row) })}
          onClick={() => onFold(shown.key)}
        >
          <Icon name={open ? 'chevronDown' : 'chevronRight'} />
        </button>
      ) : (
        <span className="fold" />
      )}
      <span className="ellipsis">{children}</span>
    </span>
  );
}

function TotalsRow<R>({
  label,
  columns,
  selectable,
  height,
}: {
  readonly label: string;
  readonly columns: readonly TableColumn<R>[];
  readonly selectable: boolean;
  /** px. */
  readonly height: number;
}) {
  return (
    <tr {...ROLES.row} className="totals-row" style={{ height }}>
      {selectable && <td {...ROLES.cell} />}
      {columns.map((column, position) => (
        <td key={column.id} {...ROLES.cell} className={column.right ? 'right' : undefined}>
          {position === 0 ? label : column.total}
        </td>
      ))}
    </tr>
  );
}
