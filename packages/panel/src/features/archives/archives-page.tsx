import { Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataSource, fromQuery } from '../../platform/api/data-source.ts';
import { useAddress } from '../../platform/browser/address.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { timeOfDay } from '../../platform/format/time.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { useStatus } from '../../platform/queries/queries.ts';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { TabLinks } from '../../ui/controls/tabs.tsx';
import { DrawerSkeleton } from '../../ui/dialog/drawer-skeleton.tsx';
import { SourceAge } from '../../ui/feedback/source-view.tsx';
import { EmptyState, ErrorState, UnsupportedState } from '../../ui/feedback/states.tsx';
import { Page } from '../../ui/page/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import {
  ARCHIVES_ADDRESS,
  type ArchivesSearch,
  readArchivesSearch,
  TABS,
  type Tab,
  writeArchivesSearch,
} from './archives-search.ts';
import { CreateTab } from './create-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { ProblemNote } from './refusal-note.tsx';
import { RunDialogs } from './runs/run-dialogs.tsx';
import { RunDrawer } from './runs/run-drawer.tsx';
import type { Wish } from './runs/run-foot.tsx';
import { RunsTab } from './runs/runs-tab.tsx';
import { useRunWork } from './runs/use-run-work.ts';
import { StorageTab } from './storage/storage-tab.tsx';
import { isForeign, isWatched, reread, useMaintenance, useRun, useRuns } from './use-archives.ts';
import type { Maintenance, NewRun } from './wire.ts';

/** Why the database is large, and how to shrink it without losing anything unconfirmed. */
export function ArchivesPage() {
  const { t } = useText();
  const zone = useTimeZone();
  const queries = useQueryClient();
  const status = useStatus();
  const { search, change } = useAddress(ARCHIVES_ADDRESS);
  const docked = useMediaQuery('(min-width: 1360px)', false, { getInitialValueInEffect: false });
  const [unwatched, setUnwatched] = useState('');
  const [wish, setWish] = useState<Wish | null>(null);
  const { probe, maintenance } = useMaintenance(unwatched);
  const known = maintenance.data;
  const runs = useRuns(search, unwatched, known !== undefined && search.tab === 'runs');
  const open = useRun(known === undefined ? '' : search.run, unwatched);
  const work = useRunWork();

  const refresh = () => {
    if (probe.data === true) reread(queries);
    else void probe.refetch();
    void status.refetch();
  };
  const close = () => change({ run: '' });
  useShortcuts({ r: refresh, ...(search.run === '' ? {} : { Escape: close }) });

  const act = (one: Wish) => {
    setUnwatched('');
    void work.act(one.run, one.command, one.stage);
  };
  const create = async (wanted: NewRun) => {
    const run = await work.create(wanted);
    if (run !== null) change({ run: run.id });
  };
  const source = fromQuery(maintenance);
  return (
    <Page
      title={t('nav.archives')}
      state={<CollectorStatus />}
      actions={<SourceAge source={source} />}
      updated={t('archives.updated', {
        time: timeOfDay(source.atMs, zone),
        seconds: known !== undefined && isWatched(known, unwatched) ? 5 : 60,
      })}
      refresh={{ busy: maintenance.isFetching, onRefresh: refresh }}
      docked={docked}
      tabs={<Tabs tab={search.tab} />}
      drawer={
        search.run !== '' &&
        known !== undefined && (
          <RunDrawer
            answer={open.data ?? null}
            maintenance={known}
            docked={docked}
            commands={{
              busy: work.busy !== null,
              unwatched,
              onWatch: setUnwatched,
              // Verification changes nothing, and a run that is held deletes nothing: no confirmation.
              onWish: (next) => (next.command === 'verify' || next.command === 'hold' ? act(next) : setWish(next)),
            }}
            onClose={close}
          >
            <MissingRun query={open} />
          </RunDrawer>
        )
      }
    >
      {known === undefined ? (
        <Unready probe={probe} maintenance={maintenance} />
      ) : (
        <>
          {work.problem !== null && <ProblemNote problem={work.problem} maintenance={known} onForget={work.forget} />}
          {search.tab === 'overview' && (
            <OverviewTab maintenance={known} unwatched={unwatched} onWatch={setUnwatched} />
          )}
          {search.tab === 'create' && (
            <CreateTab
              maintenance={known}
              busy={work.busy !== null}
              unwatched={unwatched}
              onWatch={setUnwatched}
              onCreate={(wanted) => void create(wanted)}
            />
          )}
          {search.tab === 'runs' && <RunsTab query={runs} search={search} onChange={change} />}
          {search.tab === 'storage' && <StorageTab source={{ ...source, data: known }} />}
        </>
      )}
      <RunDialogs wish={wish} onConfirm={act} onClose={() => setWish(null)} />
    </Page>
  );
}

const TAB_LABELS: Readonly<Record<Tab, TextKey>> = {
  overview: 'archives.tabOverview',
  create: 'archives.tabCreate',
  runs: 'archives.tabRuns',
  storage: 'archives.tabStorage',
};

function Tabs({ tab }: Pick<ArchivesSearch, 'tab'>) {
  const { t } = useText();
  return (
    <TabLinks label={t('archives.tabs')} chosen={tab}>
      {TABS.map((name) => (
        <Link
          key={name}
          to="/usage-maintenance"
          search={(before: UrlSearch) => writeArchivesSearch({ ...readArchivesSearch(before), tab: name }, before)}
          className="tab"
          // The router matches by path alone, which all tabs share.
          activeOptions={{ exact: true, includeSearch: true }}
          activeProps={{ 'aria-current': undefined }}
          {...(name === tab ? { 'aria-current': 'page' as const } : {})}
        >
          {t(TAB_LABELS[name])}
        </Link>
      ))}
    </TabLinks>
  );
}

/** Without data: loading, failed, or a server without archives. */
function Unready({
  probe,
  maintenance,
}: {
  readonly probe: ReturnType<typeof useMaintenance>['probe'];
  readonly maintenance: ReturnType<typeof useMaintenance>['maintenance'];
}) {
  const { t } = useText();
  const error = maintenance.error ?? probe.error;
  const failed: DataSource<Maintenance> = fromQuery(maintenance);
  if (probe.data === false || isForeign(error)) {
    return (
      <section className="panel">
        <UnsupportedState title={t('archives.foreign')} text={t('archives.foreignText')} />
      </section>
    );
  }
  if (error !== null) {
    return (
      <section className="panel">
        <ErrorState
          title={t('archives.failedToLoad')}
          error={error}
          onRetry={probe.error === null ? failed.retry : () => void probe.refetch()}
        />
      </section>
    );
  }
  return (
    <section className="panel" aria-busy="true">
      <Stack gap="lg" pt="lg" className="panel-body">
        {[320, 240, 400, 280, 360].map((width) => (
          <div key={width} className="skeleton" style={{ width, maxWidth: '100%' }} />
        ))}
      </Stack>
    </section>
  );
}

/** Placeholder of a run that is loading, missing, or failed to load. */
function MissingRun({ query }: { readonly query: ReturnType<typeof useRun> }) {
  const { t } = useText();
  if (query.data === null) return <EmptyState title={t('archiveRefusal.notFound')} text={t('archives.goneText')} />;
  if (query.error !== null) {
    return <ErrorState title={t('archives.runFailed')} error={query.error} onRetry={() => void query.refetch()} />;
  }
  return <DrawerSkeleton />;
}
