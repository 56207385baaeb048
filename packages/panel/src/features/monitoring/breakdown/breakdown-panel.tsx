import type { Summary } from '@manager/core/contract/monitoring/sections';
import { Group } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { createPortal } from 'react-dom';
import type { DataSource } from '../../../platform/api/data-source.ts';
import type { UrlSearch } from '../../../platform/browser/url-search.ts';
import { useHref } from '../../../platform/browser/use-href.ts';
import { formatCount } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { useAliases, useClientKeys } from '../../../platform/queries/queries.ts';
import { usePricing } from '../../../platform/requests/use-pricing.ts';
import { readSort, type TableSort, writeSort } from '../../../platform/sort.ts';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { SourceView } from '../../../ui/feedback/source-view.tsx';
import { ExportMenu } from '../../../ui/table/export-menu.tsx';
import { exportColumns, orderRows } from '../../../ui/table/rows.ts';
import { SkeletonRows } from '../../../ui/table/skeleton-rows.tsx';
import {
  changedUrl,
  FAILURE_GROUPS,
  type FailureGroup,
  type MonitoringSearch,
  type MonitoringTab,
} from '../monitoring-search.ts';
import type { Overview, OverviewQuery } from '../overview/use-overview.ts';
import { failureGroups } from './failure-groups.ts';
import { FAILURE_SORTS, FailureTable, failureColumns, GROUP_LABELS } from './failure-table.tsx';
import { accountLines, keyLines, type Line, statModelLines } from './line.ts';
import { LINE_SORTS, type LineContext, lineColumns } from './line-columns.tsx';
import { LineTable, sumsById } from './line-table.tsx';

type LineTab = Exclude<MonitoringTab, 'realtime' | 'failures'>;

interface PartProps {
  readonly source: DataSource<Overview>;
  readonly compared: Overview | undefined;
  readonly search: MonitoringSearch;
  readonly onChange: (next: Partial<MonitoringSearch>, replace?: boolean) => void;
  readonly rowHeight: number;
  readonly empty: ReactNode;
  /** Right end of the panel's header. */
  readonly slot: HTMLElement | null;
}

interface BreakdownProps extends Omit<PartProps, 'source' | 'compared'> {
  readonly overview: OverviewQuery;
  readonly comparison: OverviewQuery;
}

/** The answer of the open tab as a source; null if it belongs to another tab. */
function sourceOf(overview: OverviewQuery, tab: MonitoringTab): DataSource<Overview> {
  return {
    data: overview.data?.tab === tab ? overview.data : undefined,
    error: overview.error,
    atMs: overview.atMs === 0 ? null : overview.atMs,
    busy: overview.busy,
    retry: overview.part.refresh,
  };
}

/** Accounts, client keys, models or failures of the range. */
export function Breakdown({ overview, comparison, ...props }: BreakdownProps) {
  const { tab } = props.search;
  const part = { ...props, source: sourceOf(overview, tab), compared: sourceOf(comparison, tab).data };
  if (tab === 'failures') return <Failures {...part} />;
  return tab === 'realtime' ? null : <Lines {...part} tab={tab} />;
}

const LINES: Readonly<Record<LineTab, (overview: Overview) => readonly Line[]>> = {
  accounts: ({ answer }) => accountLines(answer),
  keys: ({ answer }) => keyLines(answer),
  models: ({ answer }) => statModelLines(answer),
};

const LINE_SORT: TableSort = { column: 'cost', direction: 'desc' };
const NO_LINES: readonly Line[] = [];

function Lines({
  tab,
  source,
  compared,
  search,
  onChange,
  rowHeight,
  empty,
  slot,
}: PartProps & { readonly tab: LineTab }) {
  const { t, locale } = useText();
  const masker = useMasker();
  const aliases = useAliases();
  const zone = useTimeZone();
  const keys = useClientKeys();
  const pricing = usePricing(tab === 'models').data;
  const { data } = source;
  const lines = useMemo(() => (data === undefined ? NO_LINES : LINES[tab](data)), [data, tab]);
  const before = useMemo(() => (compared === undefined ? null : sumsById(LINES[tab](compared))), [compared, tab]);
  const summary: Summary | undefined = data?.answer.summary;
  const sort = readSort(search.sort, LINE_SORTS, LINE_SORT);
  const context = useMemo<LineContext | null>(() => {
    if (summary === undefined) return null;
    return {
      t,
      zone,
      locale,
      masker,
      aliases,
      keys,
      summary,
      rates: search.status === 'all',
      before,
      isPriced: (model) =>
        pricing === undefined
          ? null
          : pricing.book.plan({ analyticsModel: model, billingModel: model, requestedModel: model, serviceTier: '' })
              .priced,
      onShow: (line, status) => {
        const shown = requestsOf(line, search);
        if (shown !== null) onChange({ ...shown, status: statusOf(search, status) });
      },
    };
  }, [t, zone, locale, masker, aliases, keys, summary, before, pricing, search, onChange]);
  const href = useRequestsHref(search);
  const label = t(TAB_TITLES[tab]);
  return (
    <>
      {slot !== null &&
        context !== null &&
        createPortal(<LinesExport name={tab} lines={lines} context={context} tab={tab} sort={sort} />, slot)}
      <SourceView source={source} loading={<SkeletonRows count={10} />} errorTitle={t('monitoring.tabFailed')}>
        {() =>
          context === null || lines.length === 0 ? (
            empty
          ) : (
            <LineTable
              tab={tab}
              label={label}
              lines={lines}
              context={context}
              href={href}
              sort={sort}
              onSort={(next) => onChange({ sort: writeSort(next, LINE_SORT) ?? '', page: 1 })}
              rowHeight={rowHeight}
              paging={search}
              onPage={(next) => onChange(next)}
            />
          )
        }
      </SourceView>
    </>
  );
}

interface Filtering {
  readonly filter: ((of: MonitoringSearch) => MonitoringSearch) | null;
}

/** The list of the requests of a row; null = they have no filter. */
const requestsOf = ({ filter }: Filtering, search: MonitoringSearch): MonitoringSearch | null =>
  filter === null ? null : { ...filter(search), tab: 'realtime', sort: '', page: 1 };

function useRequestsHref(search: MonitoringSearch): (line: Filtering) => string | null {
  const href = useHref();
  return (line) => {
    const shown = requestsOf(line, search);
    return shown === null ? null : href({ to: '.', search: (before: UrlSearch) => changedUrl(shown, before) });
  };
}

/** Linking to the requests of a row keeps the status filter. */
const statusOf = (search: MonitoringSearch, status: MonitoringSearch['status']): MonitoringSearch['status'] =>
  status === 'all' ? search.status : status;

const TAB_TITLES = { accounts: 'monitoring.accounts', keys: 'monitoring.keys', models: 'monitoring.models' } as const;

function LinesExport({
  name,
  lines,
  context,
  tab,
  sort,
}: {
  readonly name: string;
  readonly lines: readonly Line[];
  readonly context: LineContext;
  readonly tab: LineTab;
  readonly sort: TableSort;
}) {
  const columns = useMemo(() => lineColumns(tab, context), [tab, context]);
  const rows = useMemo(() => orderRows(columns, lines, sort), [columns, lines, sort]);
  return <ExportMenu name={name} columns={exportColumns(columns)} rows={rows} square />;
}

const FAILURE_SORT: TableSort = { column: 'failed', direction: 'desc' };

function Failures({ source, search, onChange, rowHeight, empty, slot }: PartProps) {
  const { t, locale } = useText();
  const masker = useMasker();
  const zone = useTimeZone();
  const { data } = source;
  const by = search.group;
  const groups = useMemo(() => (data === undefined ? null : failureGroups(data.answer, by)), [data, by]);
  const sort = readSort(search.sort, FAILURE_SORTS, FAILURE_SORT);
  const counted = groups?.counted ?? 0;
  const sampled =
    groups === null || groups.total === counted
      ? null
      : t('monitoring.newestFailures', { value: formatCount(counted), all: formatCount(groups.total) });
  const context = useMemo(
    () => ({
      t,
      masker,
      zone,
      locale,
      counted,
      onShow: (line: Filtering) => {
        const shown = requestsOf(line, search);
        if (shown !== null) onChange(shown);
      },
    }),
    [t, masker, zone, locale, counted, onChange, search],
  );
  const href = useRequestsHref(search);
  const columns = useMemo(() => failureColumns(by, context), [by, context]);
  return (
    <>
      {slot !== null &&
        groups !== null &&
        createPortal(
          <ExportMenu
            name="failures"
            columns={exportColumns(columns)}
            rows={orderRows(columns, groups.lines, sort)}
            square
          />,
          slot,
        )}
      <Group p="8px 12px" className="panel-line">
        <span className="small ink-3">{t('monitoring.groupBy')}</span>
        <Segmented<FailureGroup>
          label={t('monitoring.groupBy')}
          value={by}
          options={FAILURE_GROUPS.map((value) => ({ value, label: t(GROUP_LABELS[value]) }))}
          onChange={(group) => onChange({ group, sort: '', page: 1 })}
        />
        {sampled !== null && <span className="small ink-2">{sampled}</span>}
      </Group>
      <SourceView source={source} loading={<SkeletonRows count={8} />} errorTitle={t('monitoring.tabFailed')}>
        {() =>
          groups === null || groups.lines.length === 0 ? (
            empty
          ) : (
            <FailureTable
              by={by}
              label={t('monitoring.failures')}
              lines={groups.lines}
              totalLabel={t(sampled === null ? 'tokens.total' : 'monitoring.newest', { value: formatCount(counted) })}
              context={context}
              href={href}
              sort={sort}
              onSort={(next) => onChange({ sort: writeSort(next, FAILURE_SORT) ?? '', page: 1 })}
              rowHeight={rowHeight}
              paging={search}
              onPage={(next) => onChange(next)}
            />
          )
        }
      </SourceView>
    </>
  );
}
