import { useElementSize } from '@mantine/hooks';
import { useCallback, useMemo, useRef, useState } from 'react';
import { usePhone } from '../use-phone.ts';
import { fittedColumns } from './fitted-columns.ts';
import { orderRows, toggled, unfold } from './rows.ts';
import { TableGrid } from './table-grid.tsx';
import { TableList } from './table-list.tsx';
import type { DataTableProps } from './types.ts';

const TWO_LINE_WIDTH = 480;
/** Without focusable rows, the arrow keys scroll the box itself. */
const SCROLL_BOX = { className: 'table-box', role: 'group', tabIndex: 0 } as const;
const NONE_OPEN: ReadonlySet<string> = new Set();

/**
 * Rows of data; only those in view are in the document. Keep `columns` and `rows` the same objects while nothing changes
 * (`useMemo`). Most pages want `TablePanel`, which adds head, states and files.
 *
 *     <DataTable
 *       label={t('models.table')}
 *       columns={columns}                        // ids, widths, cells, order, totals, exported values
 *       rows={models}
 *       rowKey={(row) => row.model}
 *       rowName={(row) => row.model}
 *       narrow={(row) => ({ main: row.model, value: formatCost(row.cost) })}
 *       {...sorted}                              // const [sort, onSort] = useTableSort(['model', 'cost'], …)
 *       onOpen={open} openKey={openModel} keys
 *     />
 */
export function DataTable<R>(props: DataTableProps<R>) {
  const { columns: given, rows, rowKey, below, sort = null, maxHeight, twoLineBelow = TWO_LINE_WIDTH } = props;
  const columns = useMemo(() => fittedColumns(given, rows, below), [given, rows, below]);
  const { ref, width } = useElementSize();
  const phone = usePhone();
  const [openRows, setOpenRows] = useState(NONE_OPEN);
  const kept = useRef<string | null>(null);
  const order = useCallback((some: readonly R[]) => orderRows(columns, some, sort), [columns, sort]);
  const shownRows = useMemo(() => unfold(rows, rowKey, below, openRows, order), [rows, rowKey, below, openRows, order]);
  const onFold = (key: string) => setOpenRows((open) => toggled(open, key));
  const { onOpen, canOpen } = props;
  const body = {
    ...props,
    columns,
    ...(onOpen === undefined || canOpen === undefined
      ? {}
      : { onOpen: (row: R) => (canOpen(row) ? onOpen(row) : onFold(rowKey(row))) }),
    shownRows,
    width,
    openRows,
    onFold,
    kept,
  };
  return (
    <div
      ref={ref}
      {...(maxHeight === undefined ? {} : { ...SCROLL_BOX, 'aria-label': props.label, style: { maxHeight } })}
    >
      {width > 0 && (phone || width < twoLineBelow ? <TableList {...body} /> : <TableGrid {...body} />)}
    </div>
  );
}
