import { useCallback, useMemo } from 'react';
import type { UsageSums } from '../../../platform/requests/usage-sums.ts';
import type { TableSort } from '../../../platform/sort.ts';
import type { MonitoringTab } from '../monitoring-search.ts';
import type { Line } from './line.ts';
import { type LineContext, lineColumns, narrowLine } from './line-columns.tsx';
import { lineName } from './names.ts';
import { PagedTable, type PagingProps } from './paged-table.tsx';

/** Rows of the comparison range by id, including child rows. */
export function sumsById(lines: readonly Line[]): ReadonlyMap<string, UsageSums> {
  return new Map(lines.flatMap((line) => [line, ...line.below]).map((line) => [line.id, line]));
}

interface LineTableProps extends PagingProps {
  readonly tab: Exclude<MonitoringTab, 'realtime' | 'failures'>;
  readonly label: string;
  readonly lines: readonly Line[];
  readonly context: LineContext;
  readonly href: (line: Line) => string | null;
  readonly sort: TableSort;
  readonly onSort: (sort: TableSort) => void;
  readonly rowHeight: number;
}

const idOf = (line: Line): string => line.id;
const canOpen = (line: Line): boolean => line.filter !== null;
const belowOf = (line: Line): readonly Line[] => line.below;

/** All accounts, client keys or models of the range with their sums. */
export function LineTable({
  tab,
  label,
  lines,
  context,
  href,
  sort,
  onSort,
  rowHeight,
  paging,
  onPage,
}: LineTableProps) {
  const columns = useMemo(() => lineColumns(tab, context), [tab, context]);
  return (
    <PagedTable
      paging={paging}
      onPage={onPage}
      label={label}
      columns={columns}
      rows={lines}
      rowKey={idOf}
      rowName={useCallback((line: Line) => lineName(line, context).main, [context])}
      narrow={useCallback((line: Line) => narrowLine(line, context), [context])}
      sort={sort}
      onSort={onSort}
      rowHeight={rowHeight}
      href={href}
      onOpen={(line) => context.onShow(line, 'all')}
      canOpen={canOpen}
      {...(tab === 'models' ? {} : { below: belowOf })}
      keys
      totalLabel={context.t('tokens.total')}
    />
  );
}
