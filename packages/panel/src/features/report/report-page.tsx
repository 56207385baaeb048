import { useEffect, useMemo, useRef, useState } from 'react';
import { fromQuery, mapSource } from '../../platform/api/data-source.ts';
import { useServices } from '../../platform/api/services.ts';
import { useAddress } from '../../platform/browser/address.ts';
import { formatCount } from '../../platform/format/format.ts';
import { dayRange, timeOfDay } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { useKeyNames } from '../../platform/queries/queries.ts';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useCopied } from '../../ui/controls/copy.tsx';
import { CoverageNote } from '../../ui/feedback/coverage-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { UnpricedNote } from '../../ui/feedback/unpriced-note.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Page } from '../../ui/page/page.tsx';
import { ExportMenu } from '../../ui/table/export-menu.tsx';
import { TablePanel } from '../../ui/table/table-panel.tsx';
import { useTableSort } from '../../ui/table/use-table-sort.ts';
import { usePrinting } from '../../ui/use-printing.ts';
import { budgetChoices } from './budgets/budget-names.ts';
import { BudgetsPanel } from './budgets/budgets-panel.tsx';
import { DailyChart } from './daily-chart.tsx';
import { Movers } from './movers.tsx';
import { monthName, monthOf, periodName } from './period.ts';
import { PrintTable } from './print-table.tsx';
import { ReportBar } from './report-bar.tsx';
import { KIND_LABELS, narrowReport, REPORT_SORTS, reportColumns } from './report-columns.tsx';
import { reportFileColumns, reportLines } from './report-file.ts';
import { ReportFilterButton, ReportFilterChips } from './report-filters.tsx';
import { reportForecasts } from './report-forecast.ts';
import { type ReportRow, reportRows, reportTotal } from './report-rows.ts';
import { ReportRules } from './report-rules.tsx';
import { REPORT_ADDRESS } from './report-search.ts';
import { ReportStats } from './report-stats.tsx';
import { type Reported, useReport, useReportOptions } from './use-report.ts';

/** A month or other days compared with those before, for the screen, paper and spreadsheets. */
export function ReportPage() {
  const { t, locale } = useText();
  const { search, change } = useReportAddress();
  const panelZone = useTimeZone();
  const [filtering, setFiltering] = useState(false);
  const options = useReportOptions(search, filtering);
  const query = useReport(search, !options.waiting);
  const source = fromQuery(query);
  const names = useReportNames();
  const printing = usePrinting();
  const [copied, copy] = useCopied();
  const [sort, onSort] = useTableSort(REPORT_SORTS, { column: 'share', direction: 'desc' });
  const { data } = source;
  const view = useMemo(() => (data === undefined ? undefined : viewOf(data, names)), [data, names]);
  const columns = useMemo(
    () => (view === undefined ? [] : reportColumns({ t, ...view.search, total: view.total })),
    [t, view],
  );
  const { by, parts, measure, zone } = view?.search ?? search;
  const commands = (
    <>
      <Button kind="quiet" onClick={() => copy(location.href)}>
        <Icon name={copied ? 'check' : 'link'} />
        {t(copied ? 'common.copied' : 'report.copyLink')}
      </Button>
      <Button kind="quiet" onClick={() => print()}>
        {t('report.print')}
      </Button>
    </>
  );
  const title = parts === null ? t(KIND_LABELS[by]) : `${t(KIND_LABELS[by])} → ${t(KIND_LABELS[parts])}`;
  return (
    <Page
      title={t('nav.report')}
      state={<CollectorStatus />}
      actions={commands}
      updated={t('analytics.updatedOnce', { time: timeOfDay(source.atMs, panelZone) })}
      refresh={{ busy: source.busy, onRefresh: source.retry }}
    >
      <ReportBar
        search={search}
        onChange={change}
        filter={
          <ReportFilterButton
            search={search}
            options={options}
            onChange={change}
            open={filtering}
            onOpen={setFiltering}
          />
        }
        commands={<span className="only-narrow row">{commands}</span>}
      />
      <ReportFilterChips search={search} options={options} onChange={change} />
      {zone !== panelZone && (
        <Note
          tone="wait"
          fact={t('report.otherZone', { zone })}
          action={
            <Button kind="quiet" onClick={() => change({ zone: panelZone })}>
              {t('report.useZone', { zone: panelZone })}
            </Button>
          }
        />
      )}
      <CoverageNote coverage={data?.answer.coverage} />
      <UnpricedNote requests={view?.total.now.unpriced} />
      <h2 className="report-title">{data === undefined ? <>&nbsp;</> : headline(data)}</h2>
      <ReportStats total={view?.total} forecast={view?.total.forecast} />
      <DailyChart source={source} search={search} onChange={change} />
      <BudgetsPanel
        choices={budgetChoices(names.keyNames, data?.answer.breakdown, data?.search ?? search)}
        zone={search.zone}
      />
      {view !== undefined && <Movers rows={view.rows} measure={measure} />}
      {/* The table of the screen stays, hidden, with the rows that are open in it. */}
      {printing && view !== undefined && <PrintTable title={title} columns={columns} rows={view.rows} sort={sort} />}
      <TablePanel
        title={title}
        subtitle={view === undefined ? '' : formatCount(view.rows.length)}
        source={mapSource(source, () => view?.rows ?? [])}
        empty={{ title: t('analytics.empty'), text: t('report.emptyText') }}
        errorTitle={t('analytics.loadFailed')}
        unsupported={{ title: t('analytics.old'), text: t('analytics.oldText') }}
        columns={columns}
        rowKey={rowKey}
        rowName={({ name }) => name}
        narrow={(row) =>
          view === undefined ? { main: row.name } : narrowReport(row, { t, measure, total: view.total })
        }
        below={partsOf}
        sort={sort}
        onSort={onSort}
        keys
        totalLabel={t('analytics.total')}
        expectedRows={10}
        actions={
          view !== undefined && (
            <ExportMenu
              name={`report-${periodName(view.search.period)}`}
              columns={reportFileColumns(by, parts, measure, view.total.now)}
              rows={reportLines(view.rows, view.total)}
              square
            />
          )
        }
      />
      <ReportRules basisDays={view?.total.forecast?.basisDays} running={view?.total.forecast !== undefined} />
    </Page>
  );

  function headline({ range, answer: { breakdown }, search: shown }: Reported): string {
    const days = (fromMs: number, toMs: number) => dayRange(fromMs, toMs - 1, shown.zone, locale);
    const own = days(range.fromMs, range.toMs);
    const name = shown.period.kind === 'month' ? `${monthName(shown.period.month, locale)} (${own})` : own;
    const { compare_from_ms: from, compare_to_ms: to } = breakdown ?? {};
    const before = from === undefined || to === undefined ? '' : days(from, to);
    return t(before === '' ? 'report.about' : 'report.compared', { period: name, before, zone: shown.zone });
  }
}

const rowKey = ({ key }: ReportRow): string => key;
const partsOf = ({ parts }: ReportRow) => parts;

function viewOf(reported: Reported, names: ReturnType<typeof useReportNames>) {
  const { answer, search } = reported;
  const { breakdown } = answer;
  if (breakdown === undefined) return undefined;
  const forecasts = reportForecasts(reported);
  return {
    search,
    rows: reportRows(breakdown, search.by, search.parts, names, (row) => forecasts?.of(row)),
    total: { ...reportTotal(breakdown), forecast: forecasts?.total },
  };
}

function useReportNames() {
  const { t } = useText();
  const keyNames = useKeyNames();
  const masker = useMasker();
  return useMemo(
    () => ({
      keyNames,
      masker,
      none: {
        client_key: t('analytics.noKey'),
        model: t('report.noModel'),
        account: t('analytics.noAccount'),
        provider: t('report.noProvider'),
      },
      others: (count: number) => t('analytics.others', { count }),
    }),
    [keyNames, masker, t],
  );
}

/** The address, with the running month and the zone of the panel where it has none. */
function useReportAddress() {
  const { search: read, change } = useAddress(REPORT_ADDRESS);
  const { client } = useServices();
  const panelZone = useTimeZone();
  const before = useRef(panelZone);
  const zone = read.zone === '' ? panelZone : read.zone;
  const month = monthOf(client.now(), zone);
  const search = useMemo(
    () => ({ ...read, zone, period: read.period ?? ({ kind: 'month', month } as const) }),
    [read, zone, month],
  );
  useEffect(() => {
    const isChanged = before.current !== panelZone;
    before.current = panelZone;
    if (isChanged) change({ zone: panelZone }, true);
    else if (read.period === null || read.zone === '') change({ period: search.period, zone }, true);
  }, [read, search, zone, panelZone, change]);
  return { search, change };
}
