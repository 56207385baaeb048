import type { BreakdownKind } from '@manager/core/contract/monitoring/breakdown';
import { FORECAST_MIN_DAYS } from '@manager/core/forecast/month-forecast';
import {
  costColumn,
  formatCompact,
  formatCostSum,
  formatCount,
  formatShare,
  NONE,
} from '../../platform/format/format.ts';
import type { TextKey, Translate } from '../../platform/i18n/index.ts';
import { ChangeText } from '../../ui/display/change-text.tsx';
import { ShareBar } from '../../ui/display/share-bar.tsx';
import { moneyCells } from '../../ui/table/money-column.ts';
import type { NarrowRow, TableColumn } from '../../ui/table/types.ts';
import { changeOf, forecastIn, measured, type ReportRow, type ReportSums, shareOf, verdictOf } from './report-rows.ts';
import type { ReportMeasure } from './report-search.ts';

export const KIND_LABELS = {
  client_key: 'report.key',
  model: 'report.model',
  account: 'report.account',
  provider: 'report.provider',
} as const satisfies Record<BreakdownKind, TextKey>;

export const MEASURE_LABELS = {
  cost: 'stat.cost',
  requests: 'stat.requests',
  tokens: 'stat.tokens',
} as const satisfies Record<ReportMeasure, TextKey>;

interface ColumnContext {
  readonly t: Translate;
  readonly by: BreakdownKind;
  readonly measure: ReportMeasure;
  readonly total: Pick<ReportRow, 'now' | 'before' | 'forecast'>;
}

export const REPORT_SORTS = [
  'name',
  'requests',
  'input',
  'cached',
  'output',
  'reasoning',
  'tokens',
  'cost',
  'share',
  'before',
  'change',
  'forecast',
];

const costOf = ({ now }: Pick<ReportRow, 'now'>) => measured(now, 'cost');
const costBefore = ({ before }: Pick<ReportRow, 'before'>) => (before === null ? null : measured(before, 'cost'));

/** How a row differs from the range before, judged by the rule of the page. */
export function RowChange({
  row,
  measure,
}: {
  readonly row: Pick<ReportRow, 'now' | 'before'>;
  readonly measure: ReportMeasure;
}) {
  const change = changeOf(row, measure);
  if (change.kind === 'none') return <span className="ink-3">{NONE}</span>;
  return <ChangeText change={change} verdict={verdictOf(row, measure)} />;
}

/** The same columns on screen and on paper. */
export function reportColumns({ t, by, measure, total }: ColumnContext): readonly TableColumn<ReportRow>[] {
  const count = (
    id: keyof ReportSums & string,
    label: TextKey,
    show: (value: number) => string,
    size: Pick<TableColumn<ReportRow>, 'width' | 'priority'>,
  ): TableColumn<ReportRow> => ({
    id,
    label: t(label),
    right: true,
    cell: ({ now }) => show(now[id]),
    title: ({ now }) => (show === formatCompact ? formatCount(now[id]) : undefined),
    sort: ({ now }) => now[id],
    total: show(total.now[id]),
    ...size,
  });
  const beforeText = (sums: ReportSums | null) =>
    sums === null ? NONE : measure === 'requests' ? formatCount(sums.calls) : formatCompact(sums.tokens);
  return [
    {
      id: 'name',
      label: t(KIND_LABELS[by]),
      width: null,
      minWidth: 150,
      cell: ({ name }) => <span className="ellipsis">{name}</span>,
      title: ({ name }) => name,
      sort: ({ name }) => name,
    },
    { ...count('calls', 'stat.requests', formatCount, { width: 84 }), id: 'requests' },
    count('input', 'report.input', formatCompact, { width: 108, priority: 5 }),
    count('cached', 'report.cached', formatCompact, { width: 76, priority: 6 }),
    count('output', 'tokens.output', formatCompact, { width: 76, priority: 7 }),
    count('reasoning', 'tokens.reasoning', formatCompact, { width: 84, priority: 8 }),
    count('tokens', 'stat.tokens', formatCompact, { width: 76, priority: 2 }),
    {
      id: 'cost',
      label: t('stat.cost'),
      width: 96,
      ...moneyCells(costOf, { total: measured(total.now, 'cost') }),
      sort: costOf,
    },
    {
      id: 'share',
      label: t('report.share'),
      width: 120,
      priority: 3,
      cell: (row) => {
        const share = shareOf(row, total.now, measure);
        return <ShareBar share={share} text={formatShare(share)} />;
      },
      sort: (row) => shareOf(row, total.now, measure),
      sortFirst: 'desc',
    },
    measure === 'cost'
      ? {
          id: 'before',
          label: t('report.before'),
          width: 96,
          priority: 4,
          ...moneyCells(costBefore, { total: total.before === null ? null : measured(total.before, 'cost') }),
          sort: costBefore,
        }
      : {
          id: 'before',
          label: t('report.before'),
          width: 96,
          priority: 4,
          right: true,
          cell: ({ before }) => beforeText(before),
          sort: ({ before }) => (before === null ? null : measured(before, measure)),
          total: beforeText(total.before),
        },
    {
      id: 'change',
      label: t('report.change'),
      width: 132,
      priority: 1,
      right: true,
      cell: (row) => <RowChange row={row} measure={measure} />,
      sort: (row) => {
        const change = changeOf(row, measure);
        if (change.kind === 'new') return Number.POSITIVE_INFINITY;
        return change.kind === 'none' ? null : change.value;
      },
      total: <RowChange row={total} measure={measure} />,
    },
    ...(total.forecast === undefined ? [] : [forecastColumn({ t, measure, total })]),
  ];
}

/** Of a running month. */
function forecastColumn({ t, measure, total }: Omit<ColumnContext, 'by'>): TableColumn<ReportRow> {
  const ownForecast = (row: Pick<ReportRow, 'now' | 'forecast'>) => forecastIn(row, measure);
  const column: Pick<TableColumn<ReportRow>, 'id' | 'label' | 'width' | 'priority' | 'sort' | 'title'> = {
    id: 'forecast',
    label: t('report.rowForecast'),
    width: 96,
    priority: 4,
    sort: ownForecast,
    title: ({ forecast }) =>
      forecast === null ? t('report.forecastMissing', { count: FORECAST_MIN_DAYS }) : undefined,
  };
  if (measure === 'cost') {
    const { fitted, ...cells } = moneyCells(ownForecast, { total: ownForecast(total) });
    // Parts have no forecast, which is nothing unknown.
    const shown = (cell: TableColumn<ReportRow>['cell']) => (row: ReportRow) =>
      row.forecast === undefined ? '' : cell(row);
    return {
      ...column,
      ...cells,
      cell: shown(cells.cell),
      fitted: (rows) => {
        const { cell = cells.cell, ...rest } = fitted?.(rows) ?? {};
        return { ...rest, cell: shown(cell) };
      },
    };
  }
  const show = (value: number | null) =>
    value === null ? NONE : (measure === 'requests' ? formatCount : formatCompact)(Math.round(value));
  return {
    ...column,
    right: true,
    cell: (row) => (row.forecast === undefined ? '' : show(ownForecast(row))),
    total: show(ownForecast(total)),
  };
}

export function narrowReport(row: ReportRow, { t, measure, total }: Omit<ColumnContext, 'by'>): NarrowRow {
  return {
    main: row.name,
    mainBelow: t('report.requestsOf', { count: row.now.calls, value: formatCompact(row.now.calls) }),
    value: measureText(row.now, measure),
    valueBelow: (
      <>
        {formatShare(shareOf(row, total.now, measure))} <RowChange row={row} measure={measure} />
      </>
    ),
  };
}

/** `≥$513.97` where unpriced requests are missing from the cost, as in the tiles of other pages. */
export function measureText(sums: ReportSums, measure: ReportMeasure): string {
  const value = measured(sums, measure);
  if (value === null) return NONE;
  if (measure === 'cost') return atLeast(value, sums.unpriced);
  return measure === 'requests' ? formatCount(value) : formatCompact(value);
}

/** US dollars with cents: sums of a month. */
export const costText = (usd: number): string => costColumn([usd])(usd);

/** The same as a lower bound, where some requests have no price. */
export const atLeast = (usd: number, unpriced: number | undefined): string =>
  formatCostSum(usd, unpriced, costColumn([usd]));
