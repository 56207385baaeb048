import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { Group } from '@mantine/core';
import { useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useServices } from '../../platform/api/services.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { ROW_HEIGHTS, usePreferences, useTimeZone } from '../../platform/preferences/preferences.ts';
import { useKeyNames, useStatus } from '../../platform/queries/queries.ts';
import { RANGE_LABELS, rangeText } from '../../platform/range/labels.ts';
import { resolveRange } from '../../platform/range/range.ts';
import { filterLabels } from '../../platform/requests/filter-labels.ts';
import { countFilters } from '../../platform/requests/request-filters.ts';
import { collectorState } from '../../ui/collector/collector-state.ts';
import { CollectorStatus, LastEventAge } from '../../ui/collector/collector-status.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Status } from '../../ui/display/status.tsx';
import { CoverageNote } from '../../ui/feedback/coverage-note.tsx';
import { UnpricedNote } from '../../ui/feedback/unpriced-note.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PageFrame } from '../../ui/page/page.tsx';
import { Chips } from '../../ui/requests/chips.tsx';
import { FilterMenu } from '../../ui/requests/filter-menu.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { EventDrawer, useDocked } from './drawer/event-drawer.tsx';
import { FoundState } from './drawer/found-state.tsx';
import { linkedEvent, useEventByHash } from './drawer/use-event-by-hash.ts';
import { ExportDialog } from './export/export-dialog.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { CellContext } from './list/event-cells.tsx';
import { displayEntries } from './list/event-list.ts';
import { useEvents } from './list/use-events.ts';
import { useView } from './list/view-preferences.ts';
import { MonitoringActions, MonitoringNarrowActions } from './monitoring-header.tsx';
import { MonitoringPanel } from './monitoring-panel.tsx';
import { bothCoverage } from './overview/both-coverage.ts';
import { OverviewStats } from './overview/overview-stats.tsx';
import { OverviewTimeline } from './overview/overview-timeline.tsx';
import { RangeNotes } from './overview/range-notes.tsx';
import { StatusFailure } from './overview/status-failure.tsx';
import { useComparison, useOverview } from './overview/use-overview.ts';
import { useMonitoringQuestion } from './use-monitoring-question.ts';
import { useMonitoringRefresh } from './use-monitoring-refresh.ts';
import { useMonitoringUrl } from './use-monitoring-url.ts';

/** Scrolled further than this, new rows wait for the reader, px. */
const READING_PX = 120;
const DAY_MS = 86_400_000;

function focusRow(hash: string): void {
  requestAnimationFrame(() => {
    const row = document.querySelector(`[data-row="${CSS.escape(hash)}"]`);
    if (row instanceof HTMLElement) row.focus({ preventScroll: true });
  });
}

export function MonitoringPage() {
  const { t, locale } = useText();
  const { client } = useServices();
  const { search, change, openEvent, closeEvent } = useMonitoringUrl();
  const url: UrlSearch = useSearch({ strict: false });
  const { eventHash } = useParams({ strict: false });
  const zone = useTimeZone();
  const masker = useMasker();
  const keyNames = useKeyNames();
  const docked = useDocked();
  const { liveRefreshSeconds } = usePreferences();
  const status = useStatus();
  const view = useView(search);
  const scroller = useRef<HTMLElement>(null);
  const searchInput = useRef<HTMLInputElement>(null);
  const [menuOpen, setMenuOpen] = useState(false);
  const [rareOpen, setRareOpen] = useState(false);
  const [viewOpen, setViewOpen] = useState(false);
  const [exporting, setExporting] = useState(false);
  /** Row under the keyboard, by hash. */
  const [active, setActive] = useState<string | null>(null);
  /** Whether the first numbers are there. */
  const [filled, setFilled] = useState(false);
  const [reveal, setReveal] = useState<{ readonly hash: string } | null>(null);

  const { tab } = search;
  const tight = docked && eventHash !== undefined;
  const realtime = tab === 'realtime';
  const comparing = search.compare.kind !== 'none';
  const range = resolveRange(search.range, client.now(), zone);
  const dated = range.toMs - range.fromMs > DAY_MS + 60_000;
  // Menu values wait for what the page shows, and, with at most three requests at once, for a drawer or a comparison.
  const spare = filled && (realtime ? eventHash === undefined && !comparing : true);
  const question = useMonitoringQuestion(search, zone, { wanted: menuOpen || spare, rareWanted: menuOpen && rareOpen });
  const events = useEvents({
    key: question.key,
    buildQuery: question.buildQuery,
    isReading: () => (scroller.current?.scrollTop ?? 0) > READING_PX,
    enabled: !question.waiting && realtime,
  });
  const entries = useMemo(() => displayEntries(events.list), [events.list]);
  const rows = useMemo(() => entries.flatMap((entry) => (entry.kind === 'row' ? [entry.row] : [])), [entries]);
  const loadedEvent = useMemo(() => rows.find((row) => row.event_hash === eventHash) ?? null, [rows, eventHash]);
  const linked = loadedEvent === null ? linkedEvent(eventHash, url.at?.[0]) : null;
  const asked = { key: question.key, tab, enabled: !question.waiting };
  const overview = useOverview({ ...asked, buildQuery: question.buildQuery, linked });
  // The other requests may return it too.
  const answered = overview.data !== undefined || overview.error !== null;
  const listed = !realtime || events.loaded || events.error !== null;
  const found = useEventByHash(linked, answered && listed);
  useEffect(() => {
    if (answered && listed) setFilled(true);
  }, [answered, listed]);
  // A fourth request would be one too many: the comparison waits until an event from a link is closed.
  const crowded = realtime && linked !== null && found.data?.alone !== false;
  const comparison = useComparison({
    ...asked,
    enabled: asked.enabled && !crowded,
    buildQuery: question.buildCompared,
    compare: search.compare,
  });
  const refreshParts = useMonitoringRefresh({
    key: question.key,
    parts: [overview.part, ...(realtime ? [events.part] : []), ...(comparing ? [comparison.part] : [])],
    intervalMs: liveRefreshSeconds * 1000,
    paused: !range.moving || menuOpen || viewOpen || exporting,
  });
  const context: CellContext = useMemo(
    () => ({ keyNames, masker, zone, locale, dated }),
    [keyNames, masker, zone, locale, dated],
  );
  const labels = filterLabels(search, {
    t,
    locale,
    keyNames,
    masker,
    zone,
    selectors: question.selectors,
    rare: question.rare,
    loaded: rows,
  });

  // New rows that waited are shown as soon as the reader is back at the top.
  const { pendingCount, showPending } = events;
  useEffect(() => {
    const box = scroller.current;
    if (box === null || pendingCount === 0) return;
    const onScroll = () => {
      if (box.scrollTop < 8) showPending();
    };
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => box.removeEventListener('scroll', onScroll);
  }, [pendingCount, showPending]);

  const open = (event: EventRow) => {
    setActive(event.event_hash);
    // Back closes the drawer, and does not step through every event that was open.
    openEvent(event.event_hash, event.timestamp_ms, eventHash !== undefined);
  };
  const close = () => {
    if (eventHash === undefined) return;
    closeEvent();
    focusRow(eventHash);
  };
  const step = (direction: 1 | -1) => {
    const index = rows.findIndex((row) => row.event_hash === (eventHash ?? active));
    const next = rows[index < 0 ? 0 : index + direction];
    if (next === undefined) return;
    setReveal({ hash: next.event_hash });
    if (eventHash !== undefined) open(next);
    else {
      setActive(next.event_hash);
      focusRow(next.event_hash);
    }
  };
  const refresh = () => {
    refreshParts();
    void status.refetch();
  };
  const stepDown = () => step(1);
  const stepUp = () => step(-1);
  useShortcuts({
    '/': () => searchInput.current?.focus(),
    r: refresh,
    c: () => {
      if (!tight) setViewOpen(true);
    },
    f: () => change({ status: search.status === 'failed' ? 'all' : 'failed' }),
    j: stepDown,
    k: stepUp,
    // Without a drawer the arrows scroll the page.
    ...(eventHash === undefined ? {} : { ArrowDown: stepDown, ArrowUp: stepUp }),
    Escape: close,
  });

  const state = collectorState(status.data);
  const filters = countFilters(search);
  const rangeName = t(RANGE_LABELS[search.range.name]);
  const scope = filters === 0 ? rangeName : `${rangeName} · ${t('filter.count', { count: filters })}`;
  const span = search.range.name === 'all' ? rangeName : rangeText(range, zone, locale);
  const scopeLines = [`${span} (${zone})`, ...labels.filter(({ key }) => key !== 'range').map(({ label }) => label)];
  const actions = {
    atMs: overview.atMs === 0 ? null : overview.atMs,
    busy: overview.busy || events.busy,
    onRefresh: refresh,
    onExport: () => setExporting(true),
  };
  const sums = overview.data?.answer.summary;
  return (
    <PageFrame
      title={t('nav.monitoring')}
      state={<CollectorStatus />}
      actions={<MonitoringActions {...actions} />}
      narrowActions={<MonitoringNarrowActions {...actions} />}
      bodyRef={scroller}
      docked={docked}
      drawer={
        eventHash !== undefined && (
          <EventDrawer
            event={loadedEvent ?? found.data?.row ?? null}
            context={context}
            docked={docked}
            onStep={rows.length > 1 ? step : null}
            onClose={close}
            onSearch={(next) => change(next(search))}
          >
            <FoundState found={found} />
          </EventDrawer>
        )
      }
    >
      <StatusFailure />
      <RangeNotes range={range} />
      <FilterBar
        search={search}
        onChange={change}
        searchInput={searchInput}
        menuOpen={menuOpen}
        onMenu={setMenuOpen}
        tight={tight}
        menu={
          <FilterMenu
            search={search}
            onChange={change}
            selectors={question.selectors}
            rare={{ options: question.rare, open: rareOpen, onOpen: setRareOpen }}
            keyNames={keyNames}
            masker={masker}
          />
        }
      />
      <div className="only-narrow row small" style={{ justifyContent: 'space-between' }}>
        <Status tone={state.tone}>{t(state.label)}</Status>
        <LastEventAge lastEventMs={state.lastEventMs} known={status.data !== undefined} />
      </div>
      <Chips search={search} labels={labels} onChange={change} />
      <UnpricedNote requests={overview.data?.answer.summary?.unpriced_calls} />
      <CoverageNote
        coverage={bothCoverage(
          overview.data?.answer.coverage,
          comparing ? comparison.data?.answer.coverage : undefined,
        )}
      />
      <OverviewStats
        overview={overview}
        before={comparing ? (comparison.data?.answer.summary ?? null) : null}
        scope={scope}
        scopeLines={scopeLines}
        search={search}
        onChange={change}
      />
      <OverviewTimeline
        overview={overview}
        compared={comparing ? comparison.data : undefined}
        search={search}
        onChange={change}
      />
      {pendingCount > 0 && (
        <Group justify="center" pos="sticky" top={0} h={0} my={-6} style={{ zIndex: 3 }}>
          <Button
            kind="primary"
            onClick={() => {
              showPending();
              scroller.current?.scrollTo({ top: 0 });
            }}
          >
            <Icon name="arrowUp" />
            {t('table.newRows', { count: pendingCount })}
          </Button>
        </Group>
      )}
      <MonitoringPanel
        search={search}
        onChange={change}
        overview={overview}
        comparison={comparison}
        selectors={filters === 0 ? question.selectors : undefined}
        events={events}
        entries={entries}
        rangeName={rangeName}
        context={context}
        scroller={scroller}
        reveal={reveal}
        openHash={eventHash ?? null}
        activeHash={eventHash ?? active}
        onOpen={open}
        onActive={(event) => setActive(event.event_hash)}
        view={view}
        viewOpen={viewOpen}
        onView={setViewOpen}
        rowHeight={ROW_HEIGHTS[view.density]}
      />
      <ExportDialog
        opened={exporting}
        onClose={() => setExporting(false)}
        total={sums?.total_calls ?? null}
        scope={scope}
        buildQuery={question.buildQuery}
      />
    </PageFrame>
  );
}
