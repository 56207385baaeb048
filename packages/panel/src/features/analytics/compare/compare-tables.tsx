import { type ReactNode, useCallback, useMemo } from 'react';
import type { DataSource } from '../../../platform/api/data-source.ts';
import { formatCompact, formatCount, knownCost, NONE } from '../../../platform/format/format.ts';
import { type TextKey, useText } from '../../../platform/i18n/index.ts';
import { unpricedTitle } from '../../../platform/requests/sum-texts.ts';
import { changeText, relativeChange, signed } from '../../../platform/wording/changes.ts';
import type { Verdict } from '../../../platform/wording/judge-change.ts';
import { VerdictWord } from '../../../ui/display/change-text.tsx';
import { TablePanel } from '../../../ui/table/table-panel.tsx';
import type { TableColumn } from '../../../ui/table/types.ts';
import type { ComparePart, RankMeasure } from '../analytics-search.ts';
import { RankChoice } from '../choices.tsx';
import type { Money } from '../money.ts';
import { useUnsupported } from '../use-unsupported.ts';
import { barShare, differenceOf, type MetricRow, type PairRow, pairTotal, type Sides } from './compare-view.ts';

const BAR_WIDTH = 80;
/** Both tables have room for their bars at 1,440 px. */
const SIDE_WIDTH = 88;

const BAR_FILLS = { better: 'ok-fill', worse: 'bad-fill', neutral: 'bar' } as const;

/** Less to the left, more to the right; colored by the verdict. `share`: −1 to 1. */
function DiffBar({ share, verdict = 'neutral' }: { readonly share: number; readonly verdict?: Verdict }) {
  const width = Math.max(share === 0 ? 0 : 1, Math.abs(share) * (BAR_WIDTH / 2));
  return (
    <svg className="diff-bar" width={BAR_WIDTH} height={12} viewBox={`0 0 ${BAR_WIDTH} 12`} aria-hidden="true">
      <path d={`M${BAR_WIDTH / 2} 0v12`} stroke="var(--line-strong)" />
      <rect
        x={share < 0 ? BAR_WIDTH / 2 - width : BAR_WIDTH / 2}
        y={2}
        width={width}
        height={8}
        fill={`var(--${BAR_FILLS[verdict]})`}
      />
    </svg>
  );
}

/** The columns of both sides; A is the one that is looked at. */
function sideColumns<R extends Sides<number | null>>(
  width: number,
  text: (row: R, side: 'a' | 'b') => string,
  lacking: (row: R, side: 'a' | 'b') => string | undefined,
  total?: (side: 'a' | 'b') => string,
): readonly TableColumn<R>[] {
  return (['a', 'b'] as const).map((side) => ({
    id: side,
    label: side.toUpperCase(),
    width,
    right: true,
    cell: (row) => (side === 'a' ? <span className="medium">{text(row, side)}</span> : text(row, side)),
    title: (row) => lacking(row, side),
    total: total?.(side),
    exported: (row) => row[side],
  }));
}

/** Every measure of both sides. */
export function MetricTable({
  source,
  money,
}: {
  readonly source: DataSource<readonly MetricRow[]>;
  readonly money: Money;
}) {
  const { t } = useText();
  const unsupported = useUnsupported();
  const columns = useMemo<readonly TableColumn<MetricRow>[]>(() => {
    const name = (row: MetricRow) => `${t(row.label)}${row.cost ? money.mark : ''}`;
    return [
      { id: 'metric', label: t('compare.metric'), width: null, minWidth: 144, cell: name, exported: (row) => row.id },
      ...sideColumns<MetricRow>(
        SIDE_WIDTH,
        (row, side) => row.texts[side],
        (row, side) => unpricedTitle(row.unpriced[side], t),
      ),
      {
        id: 'difference',
        label: t('compare.difference'),
        width: SIDE_WIDTH,
        priority: 2,
        right: true,
        cell: (row) => row.difference ?? NONE,
        exported: (row) => (row.a === null || row.b === null ? null : row.a - row.b),
      },
      {
        id: 'change',
        label: t('compare.change'),
        width: 68,
        right: true,
        cell: (row) => (row.change.kind === 'points' ? NONE : changeText(row.change, t)),
        exported: (row) => (row.change.kind === 'relative' || row.change.kind === 'points' ? row.change.value : null),
      },
      {
        id: 'bar',
        label: t('compare.lessMore'),
        width: 96,
        priority: 3,
        cell: (row) => <DiffBar share={barShare(row.change)} verdict={row.verdict} />,
      },
      {
        id: 'verdict',
        label: '',
        width: 64,
        priority: 1,
        cell: (row) => <VerdictWord verdict={row.verdict} />,
      },
    ];
  }, [t, money]);
  return (
    <TablePanel
      title={t('compare.metrics')}
      source={source}
      empty={{ title: t('analytics.empty'), text: t('compare.emptyText') }}
      errorTitle={t('analytics.loadFailed')}
      unsupported={unsupported}
      columns={columns}
      rowKey={(row) => row.id}
      rowName={(row) => t(row.label)}
      narrow={(row) => ({
        main: t(row.label),
        mainBelow: `B ${row.texts.b}`,
        value: row.texts.a,
        valueBelow: (
          <>
            {changeText(row.change, t)} <VerdictWord verdict={row.verdict} />
          </>
        ),
      })}
      exportName="comparison"
      expectedRows={12}
    />
  );
}

const TITLES = {
  cost: 'compare.costParts',
  requests: 'compare.requestParts',
  tokens: 'compare.tokenParts',
} as const satisfies Record<RankMeasure, TextKey>;

const PART_NAMES = {
  models: 'analytics.model',
  keys: 'analytics.key',
  accounts: 'analytics.account',
  providers: 'analytics.provider',
} as const satisfies Record<ComparePart, TextKey>;

/** Parts of the difference. */
export function PairTable({
  part,
  choice,
  source,
  by,
  onBy,
  money,
  exportedName,
}: {
  readonly part: ComparePart;
  /** The control for `part`. */
  readonly choice: ReactNode;
  readonly source: DataSource<readonly PairRow[]>;
  readonly by: RankMeasure;
  readonly onBy: (by: RankMeasure) => void;
  readonly money: Money;
  readonly exportedName: (row: { readonly name: string; readonly plainName: string }) => string;
}) {
  const { t } = useText();
  const unsupported = useUnsupported();
  const { data: rows } = source;
  const total = useMemo(() => pairTotal(rows ?? []), [rows]);
  const format = useMemo(() => {
    if (by !== 'cost') return by === 'tokens' ? formatCompact : formatCount;
    return money.column([...(rows ?? []), total].flatMap(({ a, b }) => [a, b]));
  }, [by, money, rows, total]);
  const text = useCallback(
    (row: Pick<PairRow, 'a' | 'b' | 'unpriced'>, side: 'a' | 'b'): string => {
      const value = row[side];
      if (value === null) return NONE;
      return format(by === 'cost' ? knownCost(value, row.unpriced[side]) : value);
    },
    [by, format],
  );
  const columns = useMemo<readonly TableColumn<PairRow>[]>(() => {
    const lacking = (row: PairRow, side: 'a' | 'b') =>
      by === 'cost' ? unpricedTitle(row.unpriced[side], t) : undefined;
    const most = Math.max(0, ...(rows ?? []).map((row) => Math.abs(differenceOf(row))));
    const difference = (one: number | null, other: number | null): string => {
      const more = (one ?? 0) - (other ?? 0);
      return signed(more, format(Math.abs(more)));
    };
    return [
      {
        id: 'name',
        label: t(PART_NAMES[part]),
        width: null,
        minWidth: 120,
        cell: (row) => row.name,
        title: (row) => row.name,
        exported: exportedName,
      },
      ...sideColumns<PairRow>(SIDE_WIDTH, text, lacking, (side) => text(total, side)),
      {
        id: 'difference',
        label: t('compare.difference'),
        width: SIDE_WIDTH,
        priority: 1,
        right: true,
        cell: (row) => difference(row.a, row.b),
        total: difference(total.a, total.b),
        exported: differenceOf,
      },
      {
        id: 'bar',
        label: t('compare.lessMore'),
        width: 96,
        priority: 2,
        cell: (row) => <DiffBar share={most === 0 ? 0 : differenceOf(row) / most} />,
      },
    ];
  }, [t, part, by, rows, format, text, total, exportedName]);
  return (
    <TablePanel
      title={t(TITLES[by])}
      source={source}
      empty={{ title: t('analytics.empty'), text: t('compare.emptyText') }}
      errorTitle={t('analytics.loadFailed')}
      unsupported={unsupported}
      columns={columns}
      rowKey={(row) => row.key}
      rowName={(row) => row.name}
      narrow={(row) => ({
        main: row.name,
        mainBelow: `B ${text(row, 'b')}`,
        value: text(row, 'a'),
        valueBelow: changeText(relativeChange(row.a ?? 0, row.b ?? 0), t),
      })}
      totalLabel={t('analytics.total')}
      actions={
        <>
          {choice}
          <RankChoice value={by} onChange={onBy} />
        </>
      }
      exportName="comparison-parts"
      expectedRows={6}
    />
  );
}
