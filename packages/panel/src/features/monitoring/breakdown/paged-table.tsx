import { useMemo } from 'react';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { Pager, type Paging } from '../../../ui/table/pager.tsx';
import { pageOf } from '../../../ui/table/pages.ts';
import { orderRows } from '../../../ui/table/rows.ts';
import type { DataTableProps } from '../../../ui/table/types.ts';
import { PAGE_SIZES } from '../monitoring-search.ts';

export interface PagingProps {
  readonly paging: Paging;
  readonly onPage: (next: Partial<Paging>) => void;
}

const [SMALLEST] = PAGE_SIZES;

/** A paged table; its sums cover all pages. One that fits the smallest page has no pager. */
export function PagedTable<R>({ paging, onPage, ...table }: DataTableProps<R> & PagingProps) {
  const { columns, rows, sort = null } = table;
  const ordered = useMemo(() => orderRows(columns, rows, sort), [columns, rows, sort]);
  const page = useMemo(() => pageOf(ordered, paging.page, paging.pageSize), [ordered, paging]);
  return (
    <>
      <DataTable {...table} rows={page.rows} />
      {rows.length > SMALLEST && (
        <div className="table-foot">
          <Pager page={page} count={rows.length} size={paging.pageSize} sizes={PAGE_SIZES} onChange={onPage} />
        </div>
      )}
    </>
  );
}
