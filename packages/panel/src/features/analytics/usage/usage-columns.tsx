import type { Summary } from '@manager/core/contract/monitoring/sections';
import type { ReactNode } from 'react';
import {
  formatCompact,
  formatCount,
  formatDuration,
  formatShare,
  knownCost,
  NONE,
} from '../../../platform/format/format.ts';
import { dateAndTime, isoWithOffset } from '../../../platform/format/time.ts';
import type { Translate } from '../../../platform/i18n/index.ts';
import { unpricedTitle } from '../../../platform/requests/sum-texts.ts';
import { ShareBar } from '../../../ui/display/share-bar.tsx';
import { SuccessRate } from '../../../ui/display/status.tsx';
import type { NarrowRow, TableColumn } from '../../../ui/table/types.ts';
import type { RankMeasure } from '../analytics-search.ts';
import type { Money } from '../money.ts';
import { failureRate, rankText, rankTotal, shareOf, type UsageRow, unitCost } from './usage-rows.ts';

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
  const { t, zone, locale, money, by, summary, nameLabel, detailLabel, exportedName, rates, times } = context;
  const whole = rankTotal(summary, by);
  const costLabel = `${t('analytics.cost')}${money.mark}`;
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
    {
      id: 'requests',
      label: t('analytics.requests'),
      width: 96,
      right: true,
      cell: (row) => formatCount(row.calls),
      sort: (row) => row.calls,
      total: summary === undefined ? null : formatCount(summary.total_calls),
      exported: (row) => row.calls,
    },
    rates && {
      id: 'failure_rate',
      label: t('analytics.failedShort'),
      hint: t('analytics.failureRate'),
      width: 68,
      priority: 2,
      right: true,
      cell: (row) => <FailureRate row={row} />,
      title: (row) => t('analytics.failedCount', { count: row.failed, value: formatCount(row.failed) }),
      sort: (row) => failureRate(row),
      total:
        summary === undefined ? null : (
          <FailureRate row={{ calls: summary.total_calls, failed: summary.failure_calls }} />
        ),
      exported: (row) => failureRate(row),
    },
    {
      id: 'tokens',
      label: t('analytics.tokens'),
      width: 80,
      priority: 1,
      right: true,
      cell: (row) => formatCompact(row.tokens),
      title: (row) => formatCount(row.tokens),
      sort: (row) => row.tokens,
      total: summary === undefined ? null : formatCompact(summary.total_tokens),
      exported: (row) => row.tokens,
    },
    {
      id: 'output_tokens',
      label: t('tokens.output'),
      width: 80,
      priority: 8,
      right: true,
      cell: (row) => formatCompact(row.output),
      title: (row) => formatCount(row.output),
      sort: (row) => row.output,
      total: summary === undefined ? null : formatCompact(summary.output_tokens),
      exported: (row) => row.output,
    },
    {
      id: 'cost_usd',
      label: costLabel,
      width: 116,
      right: true,
      cell: (row) => money.sum(row.cost, row.unpriced),
      title: (row) => unpricedTitle(row.unpriced, t),
      sort: (row) => row.cost,
      total: summary === undefined ? null : money.sum(summary.total_cost, summary.unpriced_calls),
      exported: (row) => knownCost(row.cost, row.unpriced),
    },
    {
      id: 'cost_per_1000_usd',
      label: t('analytics.unitCostShort'),
      hint: `${t('analytics.unitCost')}${money.mark}`,
      width: 100,
      priority: 5,
      right: true,
      cell: (row) => money.sum(unitCost(row) ?? 0, row.unpriced),
      sort: (row) => unitCost(row),
      total: summary === undefined ? null : money.sum(summary.average_cost_per_call * 1_000, summary.unpriced_calls),
      exported: (row) => knownCost(unitCost(row) ?? 0, row.unpriced),
    },
    {
      id: 'cache_hit_rate',
      label: t('stat.cacheHits'),
      width: 84,
      priority: 4,
      right: true,
      cell: (row) => formatShare(row.hitRate),
      sort: (row) => row.hitRate,
      total: summary === undefined || summary.input_tokens === 0 ? null : formatShare(summary.cache_hit_rate),
      exported: (row) => row.hitRate,
    },
    times && {
      id: 'latency_ms',
      label: t('analytics.latency'),
      hint: t('analytics.meanLatency'),
      width: 76,
      priority: 7,
      right: true,
      cell: (row) => formatDuration(row.latencyMs),
      sort: (row) => row.latencyMs,
      total: summary === undefined ? null : formatDuration(summary.average_latency_ms),
      exported: (row) => row.latencyMs,
    },
    times && {
      id: 'last_seen',
      label: t('analytics.lastSeen'),
      width: 144,
      priority: 9,
      right: true,
      cell: (row) => dateAndTime(row.lastSeenMs, zone, locale),
      sort: (row) => row.lastSeenMs,
      exported: (row) => (row.lastSeenMs === null ? null : isoWithOffset(row.lastSeenMs, zone)),
    },
  ];
  return all.filter((column) => column !== false);
}

function FailureRate({ row }: { readonly row: Pick<UsageRow, 'calls' | 'failed'> }) {
  const rate = failureRate(row);
  return <SuccessRate rate={rate === null ? null : 1 - rate} failed />;
}

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
