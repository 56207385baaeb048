import type { Summary } from '@manager/core/contract/monitoring/sections';
import type { ReactNode } from 'react';
import {
  costColumn,
  formatCompact,
  formatCount,
  formatDuration,
  formatShare,
  knownCost,
  NONE,
} from '../../platform/format/format.ts';
import { dateAndTime, isoWithOffset } from '../../platform/format/time.ts';
import type { TextKey, Translate } from '../../platform/i18n/index.ts';
import { unpricedTitle } from '../../platform/requests/sum-texts.ts';
import { failureRate, successRate, type UsageSums } from '../../platform/requests/usage-sums.ts';
import { SuccessRate } from '../display/status.tsx';
import { moneyCells } from './money-column.ts';
import type { TableColumn } from './types.ts';

interface ColumnsContext {
  readonly t: Translate;
  readonly zone: string;
  readonly locale: string;
  /** Of the same answer as the rows, for the totals row. */
  readonly summary: Summary | undefined;
  readonly money: {
    /** Format of all costs of a column. */
    readonly column: typeof costColumn;
    /** Behind the name of the column. */
    readonly mark: string;
  };
}

/** Costs in US dollars. */
export const DOLLARS = { column: costColumn, mark: '' } as const;

interface NumberColumn {
  readonly label: TextKey;
  readonly value: (row: UsageSums) => number | null;
  readonly show: (value: number) => string;
  readonly total: (summary: Summary) => number | null;
}

const NUMBERS = {
  requests: { label: 'stat.requests', value: (row) => row.calls, show: formatCount, total: (sum) => sum.total_calls },
  failed: { label: 'stat.failed', value: (row) => row.failed, show: formatCount, total: (sum) => sum.failure_calls },
  input: { label: 'column.input', value: (row) => row.input, show: formatCompact, total: (sum) => sum.input_tokens },
  output: {
    label: 'column.output',
    value: (row) => row.output,
    show: formatCompact,
    total: (sum) => sum.output_tokens,
  },
  cached: {
    label: 'tokens.cacheRead',
    value: (row) => row.cached,
    show: formatCompact,
    total: (sum) => sum.cached_tokens + sum.cache_read_tokens,
  },
  tokens: { label: 'stat.tokens', value: (row) => row.tokens, show: formatCompact, total: (sum) => sum.total_tokens },
  hits: {
    label: 'stat.cacheHits',
    value: (row) => row.hitRate,
    show: formatShare,
    total: (sum) => (sum.input_tokens === 0 ? null : sum.cache_hit_rate),
  },
  latency: {
    label: 'analytics.latency',
    value: (row) => row.latencyMs,
    show: formatDuration,
    total: (sum) => sum.average_latency_ms,
  },
} as const satisfies Record<string, NumberColumn>;

/** What the page decides: width and priority, and what it shows in another way. */
type OwnPart<R> = Pick<TableColumn<R>, 'width'> & Partial<TableColumn<R>>;

/**
 * Columns of models, client keys, accounts and providers, the same on every page. A page picks those it has room for:
 *
 *     const column = sumColumns<Line>({ t, zone, locale, summary, money });
 *     return [name, column.number('requests', { width: 96 }), column.cost({ width: 104 })];
 */
export function sumColumns<R extends UsageSums>({ t, zone, locale, summary, money }: ColumnsContext) {
  const base = { right: true } as const;
  return {
    number(name: keyof typeof NUMBERS, own: OwnPart<R>): TableColumn<R> {
      const { label, value, show, total }: NumberColumn = NUMBERS[name];
      const text = (known: number | null): ReactNode =>
        known === null ? <span className="ink-3">{NONE}</span> : show(known);
      return {
        ...base,
        id: name,
        label: t(label),
        cell: (row) => text(value(row)),
        title: (row) => (show === formatCompact ? formatCount(value(row)) : undefined),
        sort: value,
        total: summary && text(total(summary)),
        exported: value,
        ...own,
      };
    },

    rate(of: 'succeeded' | 'failed', own: OwnPart<R> & Pick<TableColumn<R>, 'id' | 'label'>): TableColumn<R> {
      const rate = of === 'failed' ? failureRate : successRate;
      const shown = (row: Pick<UsageSums, 'calls' | 'failed'>) => (
        <SuccessRate rate={successRate(row)} failed={of === 'failed'} />
      );
      return {
        ...base,
        cell: shown,
        sort: rate,
        total: summary && shown({ calls: summary.total_calls, failed: summary.failure_calls }),
        exported: rate,
        ...own,
      };
    },

    cost(own: OwnPart<R>): TableColumn<R> {
      const known = ({ cost, unpriced }: R) => knownCost(cost, unpriced);
      return {
        ...base,
        id: 'cost',
        label: `${t('stat.cost')}${money.mark}`,
        ...moneyCells(known, {
          column: money.column,
          total: summary && knownCost(summary.total_cost, summary.unpriced_calls),
        }),
        title: ({ unpriced }) => unpricedTitle(unpriced, t),
        sort: known,
        exported: known,
        ...own,
      };
    },

    lastSeen(own: OwnPart<R>): TableColumn<R> {
      return {
        ...base,
        id: 'lastSeen',
        label: t('analytics.lastSeen'),
        cell: ({ lastSeenMs }) => <span className="ink-2">{dateAndTime(lastSeenMs, zone, locale)}</span>,
        sort: ({ lastSeenMs }) => lastSeenMs,
        exported: ({ lastSeenMs }) => (lastSeenMs === null ? null : isoWithOffset(lastSeenMs, zone)),
        ...own,
      };
    },
  };
}
