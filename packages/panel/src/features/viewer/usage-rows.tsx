import type { ViewerAnalytics } from '@manager/core/contract/viewer-links/viewer';
import { formatCompact, formatCostSum, formatCount, formatShare } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import type { Translate } from '../../platform/i18n/index.ts';
import { type UsageSums, usageSums } from '../../platform/requests/usage-sums.ts';
import { ShareBar } from '../../ui/display/share-bar.tsx';
import { DOLLARS, sumColumns } from '../../ui/table/sum-columns.tsx';
import type { NarrowRow, TableColumn } from '../../ui/table/types.ts';

/** A model or a client key with its sums. */
export interface ViewerRow extends UsageSums {
  readonly id: string;
  readonly name: string;
  /** Of all requests of the range. */
  readonly share: number;
}

export const USAGE_SORTS = ['name', 'requests', 'share', 'failed', 'input', 'output', 'tokens', 'cost_usd'];

export function viewerRows(
  { models = [], keys = [], summary }: ViewerAnalytics,
  nameOf: (hash: string) => string,
  t: Translate,
): { readonly models: readonly ViewerRow[]; readonly keys: readonly ViewerRow[] } {
  const all = summary?.calls ?? 0;
  const row = (id: string, name: string, counted: Parameters<typeof usageSums>[0]): ViewerRow => ({
    ...usageSums(counted),
    id,
    name,
    share: all === 0 ? 0 : counted.calls / all,
  });
  return {
    models: models.map((sums) => row(sums.model, sums.model === '' ? t('report.noModel') : shown(sums.model), sums)),
    keys: keys.map((sums) => row(sums.api_key_hash, nameOf(sums.api_key_hash), sums)),
  };
}

interface ColumnContext {
  readonly t: Translate;
  readonly zone: string;
  readonly locale: string;
}

export function usageColumns(nameLabel: string, context: ColumnContext): readonly TableColumn<ViewerRow>[] {
  const { t } = context;
  const column = sumColumns<ViewerRow>({ ...context, summary: undefined, money: DOLLARS });
  return [
    {
      id: 'name',
      label: nameLabel,
      width: null,
      minWidth: 140,
      cell: ({ name }) => name,
      title: ({ name }) => name,
      sort: ({ name }) => name,
      exported: ({ name }) => name,
    },
    column.number('requests', { width: 96, priority: 1 }),
    {
      id: 'share',
      label: t('analytics.shareRequests'),
      width: 128,
      priority: 3,
      cell: ({ share }) => <ShareBar share={share} text={formatShare(share)} />,
      sort: ({ share }) => share,
      exported: ({ share }) => share,
    },
    column.number('failed', { width: 96, priority: 2 }),
    column.number('input', { label: t('stat.input'), width: 96, priority: 4 }),
    column.number('output', { label: t('stat.output'), width: 96, priority: 4 }),
    column.number('tokens', { width: 96, priority: 2 }),
    column.cost({ id: 'cost_usd', width: 104 }),
  ];
}

export const narrowUsage = (row: ViewerRow, t: Translate): NarrowRow => ({
  main: row.name,
  mainBelow: `${t('report.requestsOf', { count: row.calls, value: formatCount(row.calls) })} · ${formatShare(row.share)}`,
  value: formatCostSum(row.cost, row.unpriced),
  valueBelow: formatCompact(row.tokens),
});
