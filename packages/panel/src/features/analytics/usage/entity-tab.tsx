import type { AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import { type ReactNode, useMemo } from 'react';
import { type DataSource, fromQuery, mapSource } from '../../../platform/api/data-source.ts';
import { formatCompact, formatCount, formatDuration, formatShare } from '../../../platform/format/format.ts';
import { dateAndTime } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { failureRate } from '../../../platform/requests/usage-sums.ts';
import { CoverageNote } from '../../../ui/feedback/coverage-note.tsx';
import { EmptyState } from '../../../ui/feedback/states.tsx';
import type { TableSelection } from '../../../ui/table/types.ts';
import { DetailDrawer, Facts } from '../detail-drawer.tsx';
import { useEmpty } from '../empty-text.tsx';
import { includeOf } from '../question.ts';
import type { TabProps } from '../tab-props.ts';
import { type Answered, useAnalytics } from '../use-scope.ts';
import { type EntityKind, type EntityRow, RowParts } from './row-parts.tsx';
import { ranked, unitCost } from './usage-rows.ts';
import { UsageStats } from './usage-stats.tsx';
import { UsageTable } from './usage-table.tsx';
import { useNaming } from './use-naming.ts';

/** Client keys or accounts: the answer, and its rows. */
export function useEntities<R extends EntityRow>(
  { search, zone, options }: TabProps,
  kind: EntityKind,
  rowsOf: (answer: AnalyticsResponse, naming: ReturnType<typeof useNaming>) => readonly R[],
): { readonly source: DataSource<Answered>; readonly rows: readonly R[] } {
  const source = fromQuery(
    useAnalytics({
      part: kind,
      scope: search.scope,
      zone,
      granularity: 'auto',
      known: options.selectors?.api_key_hashes,
      enabled: !options.waiting,
      include: (cut) => includeOf(kind, cut),
    }),
  );
  const { data } = source;
  const naming = useNaming();
  const rows = useMemo(() => (data === undefined ? [] : rowsOf(data.answer, naming)), [data, naming, rowsOf]);
  return { source, rows };
}

interface EntityTabProps<R extends EntityRow> {
  readonly tab: TabProps;
  readonly kind: EntityKind;
  readonly source: DataSource<Answered>;
  readonly rows: readonly R[];
  /** All of them, and one of them. */
  readonly title: string;
  readonly label: string;
  readonly detailLabel: string | null;
  readonly file: string;
  readonly selection?: TableSelection;
  /** Between the numbers and the table. */
  readonly children?: ReactNode;
  readonly drawer: (row: R, answered: Answered) => EntityDetail;
}

/** All rows of one kind, and one of them in detail. */
export function EntityTab<R extends EntityRow>(props: EntityTabProps<R>) {
  const { tab, source, rows, label } = props;
  const { search, change, zone, money, slot } = tab;
  const { t } = useText();
  const { data } = source;
  const empty = useEmpty(search.scope, (next) => change({ scope: next }));
  const open = rows.find(({ key }) => key === search.open);
  const close = () => change({ open: '' });
  const step = (direction: 1 | -1) => {
    const order = ranked(rows, search.by);
    const next = order[order.findIndex(({ key }) => key === search.open) + direction];
    if (next !== undefined) change({ open: next.key }, true);
  };
  return (
    <>
      <CoverageNote coverage={data?.answer.coverage} />
      <UsageStats source={source} money={money} short />
      {props.children}
      <UsageTable
        kind={props.kind}
        title={props.title}
        nameLabel={label}
        detailLabel={props.detailLabel}
        source={mapSource(source, ({ answer }) => ({ rows, summary: answer.summary }))}
        by={search.by}
        onBy={(next) => change({ by: next })}
        zone={zone}
        money={money}
        empty={empty}
        file={props.file}
        openKey={search.open}
        onOpen={(row) => change({ open: row.key }, search.open !== '')}
        times
        {...(props.selection === undefined ? {} : { selection: props.selection })}
      />
      {search.open !== '' &&
        data !== undefined &&
        (open === undefined ? (
          <DetailDrawer slot={slot} label={label} title={label} onClose={close}>
            <EmptyState title={t('analytics.notInRange')} text={t('analytics.notInRangeText')} />
          </DetailDrawer>
        ) : (
          <EntityDrawer
            tab={tab}
            kind={props.kind}
            label={label}
            row={open}
            onStep={step}
            onClose={close}
            {...props.drawer(open, data)}
          />
        ))}
    </>
  );
}

interface EntityDetail {
  readonly subtitle: ReactNode;
  readonly foot: ReactNode;
  /** Before its models. */
  readonly above?: ReactNode;
}

interface EntityDrawerProps extends EntityDetail {
  readonly tab: TabProps;
  readonly kind: EntityKind;
  readonly label: string;
  readonly row: EntityRow;
  readonly onStep: (step: 1 | -1) => void;
  readonly onClose: () => void;
}

function EntityDrawer({ tab, kind, row, above, ...drawer }: EntityDrawerProps) {
  const { search, zone, money, slot } = tab;
  const { t, locale } = useText();
  return (
    <DetailDrawer {...drawer} slot={slot} title={row.name}>
      <section>
        <Facts
          facts={[
            [t('analytics.requests'), formatCount(row.calls)],
            [t('analytics.failureRate'), formatShare(search.scope.status === 'all' ? failureRate(row) : null)],
            [`${t('analytics.cost')}${money.mark}`, money.sum(row.cost, row.unpriced)],
            [`${t('analytics.unitCost')}${money.mark}`, money.sum(unitCost(row) ?? 0, row.unpriced)],
            [t('analytics.tokens'), formatCompact(row.tokens)],
            [t('stat.cacheHits'), formatShare(row.hitRate)],
            [t('analytics.meanLatency'), formatDuration(row.latencyMs)],
            [t('analytics.lastSeen'), dateAndTime(row.lastSeenMs, zone, locale)],
          ]}
        />
      </section>
      {above}
      <RowParts tab={tab} kind={kind} row={row} />
    </DetailDrawer>
  );
}
