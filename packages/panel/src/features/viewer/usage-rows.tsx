import type { ViewerAnalytics } from '@manager/core/contract/viewer-links/viewer';
import { formatCompact, formatCostSum, formatCount, formatShare } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import type { Translate } from '../../platform/i18n/index.ts';
import { ShareBar } from '../../ui/display/share-bar.tsx';
import type { NarrowRow, TableColumn } from '../../ui/table/types.ts';

/** A model or a client key with its sums. */
export interface ViewerRow {
  readonly id: string;
  readonly name: string;
  readonly calls: number;
  readonly failed: number;
  readonly input: number;
  readonly output: number;
  readonly tokens: number;
  readonly cost: number;
  readonly unpriced: number;
  /** Of all requests of the range. */
  readonly share: number;
}

export const USAGE_SORTS = ['name', 'requests', 'share', 'failed', 'input', 'output', 'tokens', 'cost_usd'];

type Sums = Pick<
  NonNullable<ViewerAnalytics['models']>[number],
  'calls' | 'failure_calls' | 'input_tokens' | 'output_tokens' | 'total_tokens' | 'cost' | 'unpriced_calls'
>;

export function viewerRows(
  { models = [], keys = [], summary }: ViewerAnalytics,
  nameOf: (hash: string) => string,
  t: Translate,
): { readonly models: readonly ViewerRow[]; readonly keys: readonly ViewerRow[] } {
  const all = summary?.calls ?? 0;
  const row = (id: string, name: string, sums: Sums): ViewerRow => ({
    id,
    name,
    calls: sums.calls,
    failed: sums.failure_calls,
    input: sums.input_tokens,
    output: sums.output_tokens,
    tokens: sums.total_tokens,
    cost: sums.cost,
    unpriced: sums.unpriced_calls ?? 0,
    share: all === 0 ? 0 : sums.calls / all,
  });
  return {
    models: models.map((sums) => row(sums.model, sums.model === '' ? t('report.noModel') : shown(sums.model), sums)),
    keys: keys.map((sums) => row(sums.api_key_hash, nameOf(sums.api_key_hash), sums)),
  };
}

export function usageColumns(nameLabel: string, t: Translate): readonly TableColumn<ViewerRow>[] {
  const count = (
    id: string,
    label: string,
    measure: (row: ViewerRow) => number,
    priority: number,
    format = formatCompact,
  ): TableColumn<ViewerRow> => ({
    id,
    label,
    width: 96,
    right: true,
    priority,
    cell: (row) => format(measure(row)),
    title: (row) => formatCount(measure(row)),
    sort: measure,
    exported: measure,
  });
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
    count('requests', t('stat.requests'), ({ calls }) => calls, 1, formatCount),
    {
      id: 'share',
      label: t('analytics.shareRequests'),
      width: 128,
      priority: 3,
      cell: ({ share }) => <ShareBar share={share} text={formatShare(share)} />,
      sort: ({ share }) => share,
      exported: ({ share }) => share,
    },
    count('failed', t('stat.failed'), ({ failed }) => failed, 2, formatCount),
    count('input', t('stat.input'), ({ input }) => input, 4),
    count('output', t('stat.output'), ({ output }) => output, 4),
    count('tokens', t('stat.tokens'), ({ tokens }) => tokens, 2),
    {
      id: 'cost_usd',
      label: t('stat.cost'),
      width: 104,
      right: true,
      cell: ({ cost, unpriced }) => formatCostSum(cost, unpriced),
      sort: ({ cost }) => cost,
      exported: ({ cost }) => cost,
    },
  ];
}

export const narrowUsage = (row: ViewerRow, t: Translate): NarrowRow => ({
  main: row.name,
  mainBelow: `${formatCount(row.calls)} ${t('stat.requests').toLowerCase()} · ${formatShare(row.share)}`,
  value: formatCostSum(row.cost, row.unpriced),
  valueBelow: formatCompact(row.tokens),
});
