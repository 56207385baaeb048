import type { Summary } from '@manager/core/contract/monitoring/sections';
import type { ReactNode } from 'react';
import { formatCompact, formatCount, formatShare, knownCost, NONE } from '../../../platform/format/format.ts';
import type { Translate } from '../../../platform/i18n/index.ts';
import { ShareBar } from '../../../ui/display/share-bar.tsx';
import { moneyCells } from '../../../ui/table/money-column.ts';
import { sumColumns } from '../../../ui/table/sum-columns.tsx';
import type { NarrowRow, TableColumn } from '../../../ui/table/types.ts';
import type { RankMeasure } from '../analytics-search.ts';
import type { Money } from '../money.ts';
import { rankText, rankTotal, shareOf, type UsageRow, unitCost } from './usage-rows.ts';

export const USAGE_SORTS = [
  'name',
  'detail',
  'requests',
  'share',
  'failure_rate',
  'tokens',
  'output_tokens',
  'cost_usd',
  'cost_per_1000_usd',
  'cache_hit_rate',
  'latency_ms',
  'last_seen',
];

interface ColumnContext {
  readonly t: Translate;
  readonly zone: string;
  readonly locale: string;
  readonly money: Money;
  readonly by: RankMeasure;
  /** From the same answer as the rows. */
  readonly summary: Summary | undefined;
  /** Header of the first column. */
  readonly nameLabel: string;
  /** Header of the second, null = the rows have none. */
  readonly detailLabel: string | null;
  /** Name in files, masked like the screen. */
  readonly exportedName: (row: UsageRow) => string;
  /** False where a filter leaves only failed or only successful requests. */
  readonly rates: boolean;
  /** Lists of models have neither latency nor last use. */
  readonly times: boolean;
  readonly lead?: (row: UsageRow) => ReactNode;
}

const SHARES = {
  cost: 'analytics.shareCost',
  requests: 'analytics.shareRequests',
  tokens: 'analytics.shareTokens',
} as const;

export const shareLabel = (by: RankMeasure) => SHARES[by];

/** One set of columns for models, client keys and accounts, so that tables look alike. */
export function usageColumns<R extends UsageRow>(context: ColumnContext): readonly TableColumn<R>[] {
  const { t, money, by, summary, nameLabel, detailLabel, exportedName, rates, times } = context;
  const whole = rankTotal(summary, by);
  const column = sumColumns<R>(context);
  const all: readonly (TableColumn<R> | false)[] = [
    {
      id: 'name',
      label: nameLabel,
      width: null,
      minWidth: 150,
      cell: (row) => (
        <span style={{ gap: 6 }} className="row">
          {context.lead?.(row)}
          <span className="ellipsis">{row.name}</span>
        </span>
      ),
      title: (row) => row.name,
      sort: (row) => row.plainName,
      exported: exportedName,
    },
    detailLabel !== null && {
      id: 'detail',
      label: detailLabel,
      width: 120,
      priority: 6,
      cell: (row) => row.detail || NONE,
      title: (row) => row.detail,
      sort: (row) => row.detail,
      exported: (row) => row.detail,
    },
    {
      id: 'share',
      label: t(shareLabel(by)),
      width: 132,
      priority: 3,
      cell: (row) => {
        const share = shareOf(row, whole, by);
        return <ShareBar share={share} text={formatShare(share)} />;
      },
      sort: (row) => shareOf(row, whole, by),
      sortFirst: 'desc',
      exported: (row) => shareOf(row, whole, by),
    },
    column.number('requests', { width: 96 }),
    rates &&
      column.rate('failed', {
        id: 'failure_rate',
        label: t('analytics.failedShort'),
        hint: t('analytics.failureRate'),
        width: 68,
        priority: 2,
        title: ({ failed }) => t('analytics.failedCount', { count: failed, value: formatCount(failed) }),
      }),
    column.number('tokens', { width: 80, priority: 1 }),
    column.number('output', { id: 'output_tokens', label: t('tokens.output'), width: 80, priority: 8 }),
    column.cost({ id: 'cost_usd', width: 116 }),
    column.cost({
      id: 'cost_per_1000_usd',
      label: t('analytics.unitCostShort'),
      hint: `${t('analytics.unitCost')}${money.mark}`,
      width: 100,
      priority: 5,
      ...moneyCells(knownUnitCost, {
        column: money.column,
        total: summary && knownCost(summary.average_cost_per_call * 1_000, summary.unpriced_calls),
      }),
      title: () => undefined,
      sort: unitCost,
      exported: knownUnitCost,
    }),
    column.number('hits', { id: 'cache_hit_rate', width: 84, priority: 4 }),
    times && column.number('latency', { id: 'latency_ms', hint: t('analytics.meanLatency'), width: 76, priority: 7 }),
    times && column.lastSeen({ id: 'last_seen', width: 144, priority: 9 }),
  ];
  return all.filter((column) => column !== false);
}

const knownUnitCost = (row: UsageRow) => knownCost(unitCost(row) ?? 0, row.unpriced);

export function narrowUsage(
  row: UsageRow,
  { t, money, by, summary }: Pick<ColumnContext, 't' | 'money' | 'by' | 'summary'>,
): NarrowRow {
  const share = shareOf(row, rankTotal(summary, by), by);
  return {
    main: row.name,
    mainBelow: [
      row.detail,
      t('analytics.requestsOf', { count: row.calls, value: formatCompact(row.calls) }),
      row.failed > 0 ? t('analytics.failedCount', { count: row.failed, value: formatCompact(row.failed) }) : '',
    ]
      .filter((part) => part !== '')
      .join(' · '),
    value: rankText(row, by, money),
    valueBelow: formatShare(share),
  };
}
