import type { Summary } from '@manager/core/contract/monitoring/sections';
import { Link } from '@tanstack/react-router';
import { formatCompact, formatCostSum, formatCount, formatShare, NONE } from '../../../platform/format/format.ts';
import { unpricedSearch } from '../../../platform/requests/event-cost.ts';
import { successRate, type UsageSums } from '../../../platform/requests/usage-sums.ts';
import type { SortValue } from '../../../platform/sort.ts';
import { changeText, relativeChange } from '../../../platform/wording/changes.ts';
import { CopyButton } from '../../../ui/controls/copy.tsx';
import { DOLLARS, sumColumns } from '../../../ui/table/sum-columns.tsx';
import type { NarrowRow, TableColumn } from '../../../ui/table/types.ts';
import type { MonitoringSearch, MonitoringTab } from '../monitoring-search.ts';
import type { Line } from './line.ts';
import { lineName, type NameContext, sortName } from './names.ts';

export interface LineContext extends NameContext {
  readonly zone: string;
  readonly locale: string;
  /** Sums of range and filters, for the totals row; equal to the tiles. */
  readonly summary: Summary;
  /** False where a filter leaves only failed or only successful requests, so that a success rate is meaningless. */
  readonly rates: boolean;
  /** Rows of the comparison range, by id; null = no comparison. */
  readonly before: ReadonlyMap<string, UsageSums> | null;
  /** Whether a model has a price; null = unknown. */
  readonly isPriced: (model: string) => boolean | null;
  /** Shows the requests of a row. */
  readonly onShow: (line: Line, status: MonitoringSearch['status']) => void;
}

type LineTab = Exclude<MonitoringTab, 'realtime' | 'failures'>;

const FIRST = { accounts: 'field.account', keys: 'field.key', models: 'field.model' } as const;

export function lineColumns(tab: LineTab, context: LineContext): readonly TableColumn<Line>[] {
  const { t, rates, before } = context;
  const column = sumColumns<Line>({ ...context, money: DOLLARS });
  const change = (id: string, label: string, value: (sums: UsageSums) => number): TableColumn<Line>[] => {
    if (before === null) return [];
    // What is left out depends on the range.
    const of = (line: Line): number | null => {
      const old = before.get(line.id);
      return old === undefined ? null : value(line) - value(old);
    };
    return [
      {
        id,
        label,
        hint: t('monitoring.comparedHint'),
        width: 76,
        right: true,
        priority: 2,
        cell: (line) => {
          if (line.source.kind === 'rest') return NONE;
          const old = before.get(line.id);
          if (old === undefined) return <span className="tag">{t('change.new')}</span>;
          return <span className="ink-2">{changeText(relativeChange(value(line), value(old)), t)}</span>;
        },
        sort: of,
        exported: of,
      },
    ];
  };
  const columns: readonly TableColumn<Line>[] = [
    {
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
    },
    column.number('requests', {
      width: 96,
      cell: (line) => <ShowCount line={line} count={line.calls} status="all" context={context} />,
    }),
    ...change('requestsChange', t('monitoring.requestsChange'), ({ calls }) => calls),
    ...(rates
      ? [column.rate('succeeded', { id: 'success', label: t('monitoring.success'), width: 76, priority: 2 })]
      : []),
    column.number('failed', {
      width: 72,
      priority: 3,
      cell: (line) => <ShowCount line={line} count={line.failed} status="failed" context={context} />,
    }),
    column.number('input', { width: 64, priority: 7 }),
    column.number('output', { width: 64, priority: 7 }),
    column.number('cached', { width: 88, priority: 8 }),
    ...(tab === 'models' ? [column.number('hits', { width: 104, priority: 3 })] : []),
    column.number('tokens', { width: 72, priority: 4 }),
    column.cost({ width: 104 }),
    ...change('costChange', t('monitoring.costChange'), ({ cost }) => cost),
    ...(tab === 'models'
      ? [
          {
            id: 'price',
            label: t('monitoring.price'),
            width: 104,
            priority: 4,
            cell: (line: Line) => <PriceState line={line} context={context} />,
            sort: (line: Line) => pricedState(line, context),
            exported: (line: Line) => pricedState(line, context),
          },
        ]
      : [
          column.number('latency', { label: t('monitoring.meanLatency'), width: 76, priority: 6, total: null }),
          column.lastSeen({ width: 152, priority: 5 }),
        ]),
  ];
  return columns.map((one) => ({ ...one, ...(typeof one.sort === 'function' ? { sort: restLast(one.sort) } : {}) }));
}

/** What is not listed has no place among what is. */
const restLast =
  (sort: (line: Line) => SortValue) =>
  (line: Line): SortValue =>
    line.source.kind === 'rest' ? null : sort(line);

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
function pricedState({ source, cost }: Line, { isPriced }: LineContext): boolean | null {
  if (source.kind !== 'model') return null;
  return cost > 0 ? true : isPriced(source.row.model);
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
  const { t } = context;
  return {
    main,
    mainBelow: (
      <>
        {aside !== '' && `${aside} · `}
        {t('monitoring.narrowRequests', {
          requests: formatCompact(line.calls),
          share: formatShare(context.rates ? successRate(line) : null),
        })}
      </>
    ),
    value: formatCostSum(line.cost, line.unpriced),
    valueBelow: t('event.tokensShort', { tokens: formatCompact(line.tokens) }),
  };
}
