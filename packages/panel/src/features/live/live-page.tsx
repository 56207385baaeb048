import type { EventRow } from '@manager/core/contract/monitoring';
import { useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useAliases, useStatus } from '../../api/queries.ts';
import { collectorState } from '../../app/collector-state.ts';
import { CollectorLive, LastEventAge } from '../../app/header-parts.tsx';
import { useMasker } from '../../app/masking.ts';
import { Page } from '../../app/page.tsx';
import { usePreferences, useTimeZone } from '../../app/preferences.ts';
import { useServices } from '../../app/services.ts';
import { useShortcuts } from '../../app/shortcuts.ts';
import type { UrlSearch } from '../../app/url-search.ts';
import { useText } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { CoverageNote } from '../../ui/coverage-note.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Note } from '../../ui/note.tsx';
import { RANGE_LABELS } from '../../ui/range/labels.ts';
import { resolveRange } from '../../ui/range/range.ts';
import { failureText, technicalLine } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Chips } from './chips.tsx';
import type { CellContext } from './event-cells.tsx';
import { EventDrawer, useDocked } from './event-drawer.tsx';
import { displayEntries } from './event-list.ts';
import { FilterBar } from './filter-bar.tsx';
import { FilterMenu } from './filter-menu.tsx';
import { FoundState } from './found-state.tsx';
import { LiveActions, LiveNarrowActions } from './live-header.tsx';
import { countFilters } from './live-search.ts';
import { LiveStats } from './live-stats.tsx';
import { LiveTable } from './live-table.tsx';
import { useEventByHash } from './use-event-by-hash.ts';
import { useLiveEvents } from './use-live-events.ts';
import { useLiveQuestion } from './use-live-question.ts';
import { useLiveRefresh } from './use-live-refresh.ts';
import { useLiveSummary } from './use-live-summary.ts';
import { useLiveUrl } from './use-live-url.ts';

/** Scrolled further than this, new rows wait for the reader, px. */
const READING_PX = 120;
const DAY_MS = 86_400_000;

function focusRow(hash: string): void {
  requestAnimationFrame(() => {
    const row = document.querySelector(`[data-row="${CSS.escape(hash)}"]`);
    if (row instanceof HTMLElement) row.focus({ preventScroll: true });
  });
}

export function LivePage() {
  const { t, locale } = useText();
  const { client } = useServices();
  const { search, change, openEvent, closeEvent } = useLiveUrl();
  const url: UrlSearch = useSearch({ strict: false });
  const { eventHash } = useParams({ strict: false });
  const zone = useTimeZone();
  const masker = useMasker();
  const aliases = useAliases();
  const docked = useDocked();
  const { liveRefreshSeconds } = usePreferences();
  const status = useStatus();
  const scroller = useRef<HTMLElement>(null);
  const searchInput = useRef<HTMLInputElement>(null);
  const [menuOpen, setMenuOpen] = useState(false);
  /** Row under the keyboard, by hash. */
  const [active, setActive] = useState<string | null>(null);
  const [reveal, setReveal] = useState<{ readonly hash: string } | null>(null);

  const range = resolveRange(search.range, client.now(), zone);
  const dated = range.toMs - range.fromMs > DAY_MS + 60_000;
  const question = useLiveQuestion(search, zone, menuOpen);
  const events = useLiveEvents({
    key: question.key,
    buildQuery: question.buildQuery,
    isReading: () => (scroller.current?.scrollTop ?? 0) > READING_PX,
    enabled: !question.waiting,
  });
  const live = useLiveSummary({ key: question.key, buildQuery: question.buildQuery, enabled: !question.waiting });
  const refreshParts = useLiveRefresh({
    key: question.key,
    parts: [live.part, events.part],
    intervalMs: liveRefreshSeconds * 1000,
    paused: !range.moving || menuOpen,
  });
  const entries = useMemo(() => displayEntries(events.list), [events.list]);
  const rows = useMemo(() => entries.flatMap((entry) => (entry.kind === 'row' ? [entry.row] : [])), [entries]);
  const loadedEvent = rows.find((row) => row.event_hash === eventHash) ?? null;
  const found = useEventByHash(loadedEvent === null ? eventHash : undefined, url.at?.[0]);
  const context: CellContext = useMemo(
    () => ({ aliases, masker, zone, locale, dated }),
    [aliases, masker, zone, locale, dated],
  );

  // New rows that waited are taken as soon as the reader is back at the top.
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
    // Back leads out of the drawer, not through every event that was looked at.
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
    f: () => change({ ...search, status: search.status === 'failed' ? 'all' : 'failed' }),
    j: stepDown,
    k: stepUp,
    // Without a drawer the arrows scroll the page.
    ...(eventHash === undefined ? {} : { ArrowDown: stepDown, ArrowUp: stepUp }),
    Escape: close,
  });

  const failure = failureText(status.error);
  const state = collectorState(status.data);
  const filters = countFilters(search);
  const rangeName = t(RANGE_LABELS[search.range.name]);
  const scope = filters === 0 ? rangeName : `${rangeName} · ${t('filter.count', { count: filters })}`;
  const actions = { rows, atMs: events.atMs, busy: events.busy, onRefresh: refresh };
  return (
    <Page
      title={t('nav.monitoring')}
      state={<CollectorLive />}
      actions={<LiveActions {...actions} />}
      narrowActions={<LiveNarrowActions {...actions} />}
      bodyRef={scroller}
      docked={docked}
      drawer={
        eventHash !== undefined && (
          <EventDrawer
            event={loadedEvent ?? found.data ?? null}
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
      {status.data === undefined && status.error !== null && (
        <Note
          tone="bad"
          fact={t('error.status')}
          action={<Button onClick={() => void status.refetch()}>{t('common.tryAgain')}</Button>}
        >
          {t(failure.key, failure.values)} <span className="mono ink-3">{technicalLine(status.error, zone)}</span>
        </Note>
      )}
      <FilterBar
        search={search}
        onChange={change}
        searchInput={searchInput}
        menuOpen={menuOpen}
        onMenu={setMenuOpen}
        menu={
          <FilterMenu
            search={search}
            onChange={change}
            selectors={question.selectors}
            aliases={aliases}
            masker={masker}
          />
        }
      />
      <div className="only-narrow row small" style={{ justifyContent: 'space-between' }}>
        <Status tone={state.tone}>{t(state.label)}</Status>
        <LastEventAge lastEventMs={state.lastEventMs} known={status.data !== undefined} />
      </div>
      <Chips
        search={search}
        onChange={change}
        aliases={aliases}
        masker={masker}
        zone={zone}
        selectors={question.selectors}
      />
      <CoverageNote coverage={live.coverage} />
      <LiveStats
        live={live}
        scope={scope}
        onFailed={search.status === 'failed' ? null : () => change({ ...search, status: 'failed' })}
      />
      {pendingCount > 0 && (
        <div className="new-rows">
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
        </div>
      )}
      <LiveTable
        events={events}
        entries={entries}
        search={search}
        onChange={change}
        rangeName={rangeName}
        context={context}
        scroller={scroller}
        reveal={reveal}
        openHash={eventHash ?? null}
        activeHash={eventHash ?? active}
        onOpen={open}
        onActive={(event) => setActive(event.event_hash)}
      />
    </Page>
  );
}
