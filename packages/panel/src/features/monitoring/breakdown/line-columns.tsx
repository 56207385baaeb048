import type { Summary } from '@manager/core/contract/monitoring/sections';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  formatCompact,
  formatCost,
  formatCostSum,
  formatCount,
  formatDuration,
  formatShare,
  knownCost,
  NONE,
} from '../../../platform/format/format.ts';
import { dateAndTime, isoWithOffset } from '../../../platform/format/time.ts';
import type { Translate } from '../../../platform/i18n/index.ts';
import { unpricedSearch } from '../../../platform/requests/event-cost.ts';
import { unpricedTitle } from '../../../platform/requests/sum-texts.ts';
import { changeText, relativeChange } from '../../../platform/wording/changes.ts';
import { CopyButton } from '../../../ui/controls/copy.tsx';
import { SuccessRate } from '../../../ui/display/status.tsx';
import type { NarrowRow, TableColumn } from '../../../ui/table/types.ts';
import type { MonitoringSearch, MonitoringTab } from '../monitoring-search.ts';
import { cachedOf, type Line, type LineSums } from './line.ts';
import { lineName, type NameContext, sortName } from './names.ts';

export interface LineContext extends NameContext {
  readonly t: Translate;
  readonly zone: string;
  readonly locale: string;
  /** Sums of range and filters, for the totals row; equal to the tiles. */
  readonly summary: Summary;
  /** False where a filter leaves only failed or only successful requests, so that a success rate is meaningless. */
  readonly rates: boolean;
  /** Rows of the comparison range, by id; null = no comparison. */
  readonly before: ReadonlyMap<string, LineSums> | null;
  /** Whether a model has a price; null = unknown. */
  readonly isPriced: (model: string) => boolean | null;
  /** Shows the requests of a row. */
  readonly onShow: (line: Line, status: MonitoringSearch['status']) => void;
}

type LineTab = Exclude<MonitoringTab, 'realtime' | 'failures'>;

const FIRST = { accounts: 'field.account', keys: 'field.key', models: 'field.model' } as const;

export function lineColumns(tab: LineTab, context: LineContext): readonly TableColumn<Line>[] {
  const { t, zone, locale, summary, rates, before } = context;
  const number = (
    id: string,
    label: string,
    width: number,
    priority: number | undefined,
    value: (sums: LineSums) => number | null,
    show: (value: number) => string,
    total?: number,
  ): TableColumn<Line> => ({
    id,
    label,
    width,
    right: true,
    ...(priority === undefined ? {} : { priority }),
    cell: ({ sums }) => known(value(sums), show),
    title: ({ sums }) => (show === formatCompact ? formatCount(value(sums)) : undefined),
    sort: ({ sums }) => value(sums),
    ...(total === undefined ? {} : { total: show(total) }),
    exported: ({ sums }) => value(sums),
  });
  const name: TableColumn<Line> = {
    id: 'name',
    label: t(FIRST[tab]),
    width: null,
    minWidth: tab === 'accounts' ? 224 : 168,
    cell: (line) => <LineName line={line} context={context} />,
    title: (line) => {
      const { main, aside } = lineName(line, context);
      return aside === '' ? main : `${main} · ${aside}`;
    },
    sort: (line) => sortName(line, context.aliases),
    exported: (line) => lineName(line, context).main,
  };
  const calls: TableColumn<Line> = {
    ...number('requests', t('stat.requests'), 96, undefined, (sums) => sums.calls, formatCount, summary.total_calls),
    cell: (line) => <ShowCount line={line} count={line.sums.calls} status="all" context={context} />,
  };
  const failed: TableColumn<Line> = {
    ...number('failed', t('stat.failed'), 72, 3, (sums) => sums.failure_calls, formatCount, summary.failure_calls),
    cell: (line) => <ShowCount line={line} count={line.sums.failure_calls} status="failed" context={context} />,
  };
  const success: TableColumn<Line> = {
    ...number(
      'success',
      t('monitoring.success'),
      76,
      2,
      (sums) => sums.success_rate,
      formatShare,
      summary.total_calls === 0 ? undefined : summary.success_rate,
    ),
    cell: ({ sums }) => <SuccessRate rate={sums.success_rate} />,
  };
  const latency = number(
    'latency',
    t('monitoring.meanLatency'),
    76,
    6,
    (s) => s.average_latency_ms ?? null,
    formatDuration,
  );
  const lastSeen: TableColumn<Line> = {
    id: 'lastSeen',
    label: t('monitoring.lastSeen'),
    width: 152,
    right: true,
    priority: 5,
    cell: ({ sums }) => <span className="ink-2">{dateAndTime(sums.last_seen_ms, zone, locale)}</span>,
    sort: ({ sums }) => sums.last_seen_ms ?? null,
    exported: ({ sums }) => (sums.last_seen_ms === undefined ? null : isoWithOffset(sums.last_seen_ms, zone)),
  };
  const price: TableColumn<Line> = {
    id: 'price',
    label: t('monitoring.price'),
    width: 104,
    priority: 4,
    cell: (line) => <PriceState line={line} context={context} />,
    sort: (line) => pricedState(line, context),
    exported: (line) => pricedState(line, context),
  };
  const hits = number(
    'hits',
    t('stat.cacheHits'),
    104,
    tab === 'models' ? 3 : 9,
    (sums) => sums.cache_hit_rate ?? null,
    formatShare,
    summary.cache_hit_rate,
  );
  const change = (id: string, label: string, value: (sums: LineSums) => number): TableColumn<Line> => {
    const of = (line: Line): number | null => {
      const old = before?.get(line.id);
      return old === undefined ? null : value(line.sums) - value(old);
    };
    return {
      id,
      label,
      hint: t('monitoring.comparedHint'),
      width: 76,
      right: true,
      priority: 2,
      cell: (line) => {
        const old = before?.get(line.id);
        if (old === undefined) return <span className="tag">{t('change.new')}</span>;
        return <span className="ink-2">{changeText(relativeChange(value(line.sums), value(old)), t)}</span>;
      },
      sort: of,
      exported: of,
    };
  };
  return [
    name,
    calls,
    ...(before === null ? [] : [change('requestsChange', t('monitoring.requestsChange'), (sums) => sums.calls)]),
    ...(rates ? [success] : []),
    failed,
    number('input', t('column.input'), 64, 7, (s) => s.input_tokens ?? null, formatCompact, summary.input_tokens),
    number('output', t('column.output'), 64, 7, (s) => s.output_tokens ?? null, formatCompact, summary.output_tokens),
    number(
      'cached',
      t('tokens.cacheRead'),
      88,
      8,
      cachedOf,
      formatCompact,
      summary.cached_tokens + summary.cache_read_tokens,
    ),
    ...(tab === 'models' ? [hits] : []),
    number('tokens', t('stat.tokens'), 72, 4, (sums) => sums.total_tokens, formatCompact, summary.total_tokens),
    {
      ...number(
        'cost',
        t('stat.cost'),
        116,
        undefined,
        ({ cost, unpriced_calls: n }) => knownCost(cost, n),
        formatCost,
      ),
      cell: ({ sums }) => formatCostSum(sums.cost, sums.unpriced_calls),
      title: ({ sums }) => unpricedTitle(sums.unpriced_calls, t),
      total: formatCostSum(summary.total_cost, summary.unpriced_calls),
    },
    ...(before === null ? [] : [change('costChange', t('monitoring.costChange'), (sums) => sums.cost)]),
    ...(tab === 'models' ? [price] : [latency, lastSeen]),
  ];
}

/** Sortable columns, by their names in the address. */
export const LINE_SORTS: readonly string[] = [
  'name',
  'requests',
  'requestsChange',
  'success',
  'failed',
  'input',
  'output',
  'cached',
  'hits',
  'tokens',
  'cost',
  'costChange',
  'price',
  'latency',
  'lastSeen',
];

function known(value: number | null, show: (value: number) => string): ReactNode {
  return value === null ? <span className="ink-3">{NONE}</span> : show(value);
}

function LineName({ line, context }: { readonly line: Line; readonly context: LineContext }) {
  const { main, aside } = lineName(line, context);
  const key = line.source.kind === 'key' ? context.keys.get(line.source.row.api_key_hash) : undefined;
  return (
    <span className="row">
      <span className="ellipsis">
        {main}
        {aside !== '' && <span className="ink-3"> {aside}</span>}
      </span>
      {key !== undefined && <CopyButton text={key} label={context.t('monitoring.wholeKey')} />}
    </span>
  );
}

/** A number that links to the requests it counts. */
function ShowCount({
  line,
  count,
  status,
  context,
}: {
  readonly line: Line;
  readonly count: number;
  readonly status: MonitoringSearch['status'];
  readonly context: LineContext;
}) {
  const tone = status === 'failed' && count > 0 ? 'tone-bad' : undefined;
  if (line.filter === null || count === 0) return <span className={tone}>{formatCount(count)}</span>;
  return (
    <button
      type="button"
      className={`stat-link ${tone ?? ''}`}
      aria-label={context.t(status === 'failed' ? 'monitoring.showFailedOf' : 'monitoring.showOf', {
        value: formatCount(count),
        name: lineName(line, context).main,
      })}
      onClick={() => context.onShow(line, status)}
    >
      {formatCount(count)}
    </button>
  );
}

/** A model with a cost has a price, if only under its resolved name. */
function pricedState({ source, sums }: Line, { isPriced }: LineContext): boolean | null {
  if (source.kind !== 'model') return null;
  return sums.cost > 0 ? true : isPriced(source.row.model);
}

function PriceState({ line, context }: { readonly line: Line; readonly context: LineContext }) {
  const priced = pricedState(line, context);
  if (priced === null || line.source.kind !== 'model') return <span className="ink-3">{NONE}</span>;
  if (priced) return <span className="ink-2">{context.t('monitoring.priced')}</span>;
  return (
    <Link to="/model-prices" search={unpricedSearch(line.source.row.model)} className="link">
      {context.t('monitoring.noPrice')}
    </Link>
  );
}

/** A row on a phone. */
export function narrowLine(line: Line, context: LineContext): NarrowRow {
  const { main, aside } = lineName(line, context);
  const { sums } = line;
  const { t } = context;
  return {
    main,
    mainBelow: (
      <>
        {aside !== '' && `${aside} · `}
        {t('monitoring.narrowRequests', {
          requests: formatCompact(sums.calls),
          share: formatShare(context.rates ? sums.success_rate : null),
        })}
      </>
    ),
    value: formatCostSum(sums.cost, sums.unpriced_calls),
    valueBelow: t('event.tokensShort', { tokens: formatCompact(sums.total_tokens) }),
  };
}
