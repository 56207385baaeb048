import type { Summary } from '@manager/core/contract/monitoring/sections';
import { type ReactNode, useMemo } from 'react';
import { type DataSource, mapSource } from '../../../platform/api/data-source.ts';
import { useAddressHref } from '../../../platform/browser/address.ts';
import { formatCount } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { TablePanel } from '../../../ui/table/table-panel.tsx';
import type { TableSelection } from '../../../ui/table/types.ts';
import { useTableSort } from '../../../ui/table/use-table-sort.ts';
import type { AnalyticsTab, RankMeasure } from '../analytics-search.ts';
import { ANALYTICS_ADDRESS } from '../analytics-search.ts';
import { RankChoice } from '../choices.tsx';
import type { Money } from '../money.ts';
import { useAnalyticsUrl } from '../use-analytics-url.ts';
import { useUnsupported } from '../use-unsupported.ts';
import { narrowUsage, USAGE_SORTS, usageColumns } from './usage-columns.tsx';
import type { UsageRow } from './usage-rows.ts';
import { useExportedName } from './use-exported-name.ts';

interface UsageTableProps<R extends UsageRow> {
  readonly kind: Extract<AnalyticsTab, 'models' | 'apiKeys' | 'credentials'>;
  readonly title: string;
  readonly nameLabel: string;
  readonly detailLabel: string | null;
  readonly source: DataSource<{ readonly rows: readonly R[]; readonly summary: Summary | undefined }>;
  readonly by: RankMeasure;
  readonly onBy: (by: RankMeasure) => void;
  readonly zone: string;
  readonly money: Money;
  readonly empty: { readonly title: string; readonly text: ReactNode; readonly action?: ReactNode };
  readonly file: string;
  readonly openKey: string;
  readonly onOpen: (row: R) => void;
  readonly selection?: TableSelection;
  readonly times: boolean;
}

/** All rows of one kind with the total of the same answer. */
export function UsageTable<R extends UsageRow>(props: UsageTableProps<R>) {
  const { kind, source, by, zone, money, nameLabel, detailLabel, times } = props;
  const { t, locale } = useText();
  const unsupported = useUnsupported();
  const rates = useAnalyticsUrl().search.scope.status === 'all';
  const exportedName = useExportedName(kind);
  const summary = source.data?.summary;
  const columns = useMemo(
    () => usageColumns<R>({ t, zone, locale, money, by, summary, nameLabel, detailLabel, exportedName, rates, times }),
    [t, zone, locale, money, by, summary, nameLabel, detailLabel, exportedName, rates, times],
  );
  const hrefTo = useAddressHref(ANALYTICS_ADDRESS);
  const [sort, onSort] = useTableSort(USAGE_SORTS, { column: 'share', direction: 'desc' });
  const count = source.data?.rows.length ?? 0;
  return (
    <TablePanel
      title={props.title}
      subtitle={source.data === undefined ? '' : formatCount(count)}
      source={mapSource(source, ({ rows }) => rows)}
      empty={props.empty}
      errorTitle={t('analytics.loadFailed')}
      unsupported={unsupported}
      columns={columns}
      rowKey={rowKey}
      rowName={(row) => row.name}
      narrow={(row) => narrowUsage(row, { t, money, by, summary })}
      sort={sort}
      onSort={onSort}
      href={(row) => hrefTo({ open: row.key })}
      onOpen={props.onOpen}
      openKey={props.openKey === '' ? null : props.openKey}
      keys
      totalLabel={t('analytics.total')}
      actions={<RankChoice value={by} onChange={props.onBy} />}
      exportName={props.file}
      expectedRows={10}
      {...(props.selection === undefined ? {} : { selection: props.selection })}
    />
  );
}

const rowKey = (row: UsageRow): string => row.key;
