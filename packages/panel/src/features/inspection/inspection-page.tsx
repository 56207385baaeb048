import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import { Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useRef, useState } from 'react';
import { fromQuery } from '../../platform/api/data-source.ts';
import { useServices } from '../../platform/api/services.ts';
import { useAddress } from '../../platform/browser/address.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { AccountTabs } from '../../ui/accounts/account-tabs.tsx';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { DrawerSkeleton } from '../../ui/dialog/drawer-skeleton.tsx';
import { SourceView } from '../../ui/feedback/source-view.tsx';
import { EmptyState } from '../../ui/feedback/states.tsx';
import { Page } from '../../ui/page/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { type Batch, batchOf, type CommandBatch } from './batch.ts';
import { BatchDialog } from './batch-dialog.tsx';
import { FailureNote } from './failure-note.tsx';
import { InspectionFilterBar } from './filter-bar.tsx';
import type { InspectionTab } from './inspection-search.ts';
import { INSPECTION_ADDRESS } from './inspection-search.ts';
import { OutcomePanel } from './outcome-panel.tsx';
import { ResultDrawer } from './results/result-drawer.tsx';
import { ResultList } from './results/result-list.tsx';
import { filterResults, isActionable } from './results/result-view.ts';
import { useResetCredits } from './results/use-reset-credits.ts';
import { HistoryPanel } from './runs/history-panel.tsx';
import { LogPanel } from './runs/log-panel.tsx';
import { RunBar } from './runs/run-bar.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { SettingsSummary } from './settings-summary.tsx';
import { InspectionStats } from './stats.tsx';
import { openSuggestions } from './suggestions.ts';
import { SuggestionsDialog } from './suggestions-dialog.tsx';
import { useInspection } from './use-inspection.ts';

const NONE: ReadonlySet<string> = new Set();
const NO_RESULTS: readonly InspectionResult[] = [];

/** Which accounts do not work, and what to do about them. */
export function InspectionPage() {
  const { t, locale } = useText();
  const { search, change } = useAddress(INSPECTION_ADDRESS);
  const { client } = useServices();
  const zone = useTimeZone();
  const masker = useMasker();
  const docked = useMediaQuery('(min-width: 1360px)', false, { getInitialValueInEffect: false });
  const inspection = useInspection(search.run, search.allRuns);
  const { runs, detail, shownId, active, doing, run } = inspection;
  const searchInput = useRef<HTMLInputElement>(null);
  const [selected, setSelected] = useState(NONE);
  const [asked, setAsked] = useState<CommandBatch | null>(null);
  const [askedAll, setAskedAll] = useState(false);

  const all = detail.data?.results ?? NO_RESULTS;
  const credits = useResetCredits(all, run !== undefined && !run.active);
  const rows = useMemo(() => filterResults(all, search), [all, search]);
  const threshold = run?.settings.usedPercentThreshold ?? null;
  const context = useMemo(
    () => ({ t, locale, zone, masker, credits, threshold, now: client.now }),
    [t, locale, zone, masker, credits, threshold, client],
  );
  // Selected results that are hidden or decided by now are skipped.
  const chosen = rows.filter((result) => selected.has(String(result.id)) && isActionable(result));
  const suggestions = openSuggestions(all).length;
  const open = all.find(({ id }) => String(id) === search.result) ?? null;
  const blocked =
    active !== undefined
      ? t('inspection.blockedRun')
      : doing !== null
        ? t('inspection.blockedBusy')
        : run !== undefined && run.status !== 'completed'
          ? t('inspection.blockedStatus')
          : null;

  const refresh = () => {
    void runs.refetch();
    if (shownId !== '') void detail.refetch();
  };
  const start = () => {
    if (active !== undefined || doing !== null) return;
    setSelected(NONE);
    void inspection.start().then((started) => {
      if (started) change({ run: '', result: '', tab: 'results' });
    });
  };
  const act = (batch: Batch) => {
    // The batch takes as long as the gateway needs; the page shows its state.
    void inspection.act(shownId, batch).then((done) => {
      if (done) setSelected(NONE);
    });
  };
  const close = () => change({ result: '' });
  useShortcuts({
    r: refresh,
    s: start,
    '/': () => searchInput.current?.focus(),
    ...(search.result === '' ? {} : { Escape: close }),
  });

  const source = fromQuery(detail);
  const nothingYet = runs.data !== undefined && shownId === '';
  return (
    <Page
      title={t('nav.inspection')}
      state={<CollectorStatus />}
      refresh={{ busy: runs.isFetching || detail.isFetching, onRefresh: refresh }}
      tabs={<AccountTabs view="health" />}
      docked={docked}
      drawer={
        search.result !== '' && (
          <ResultDrawer
            result={open}
            context={context}
            docked={docked}
            blocked={blocked}
            onCommand={(result, command) => setAsked(batchOf(all, [result], command))}
            onClose={close}
          >
            <MissingResult loading={detail.data === undefined && detail.error === null} />
          </ResultDrawer>
        )
      }
    >
      {inspection.failure !== null && <FailureNote failure={inspection.failure} onClose={inspection.dismiss} />}
      {inspection.acted !== null && inspection.acted.runId === shownId && (
        <OutcomePanel acted={inspection.acted} onClose={inspection.dismiss} />
      )}
      <SourceView
        source={fromQuery(runs)}
        loading={<section style={{ height: 56 }} className="panel" aria-busy="true" />}
        errorTitle={t('inspection.runsFailed')}
        unsupported={{ title: t('inspection.old'), text: t('inspection.oldText') }}
      >
        {({ items }) => (
          <>
            {nothingYet ? (
              <NoRunYet busy={doing === 'start'} onStart={start} />
            ) : (
              <RunBar
                inspection={inspection}
                source={source}
                isChosen={search.run !== '' && search.run !== String(items[0]?.id)}
                onStart={start}
                onChange={change}
              />
            )}
            <SettingsSummary runs={items} />
            {!nothingYet && (
              <>
                <InspectionStats run={run} search={search} onChange={change} />
                <Group gap="sm">
                  <Segmented<InspectionTab>
                    label={t('inspection.parts')}
                    value={search.tab}
                    options={[
                      { value: 'results', label: t('inspection.results') },
                      { value: 'log', label: t('inspection.log') },
                      { value: 'history', label: t('inspection.history') },
                    ]}
                    onChange={(tab) => change({ tab })}
                  />
                  <span className="spacer" />
                  {suggestions > 0 && blocked === null && (
                    <Button onClick={() => setAskedAll(true)}>
                      {t('inspection.carryOutAll')} · {suggestions}
                    </Button>
                  )}
                </Group>
                {search.tab === 'results' && (
                  <>
                    <InspectionFilterBar search={search} results={all} onChange={change} searchInput={searchInput} />
                    {chosen.length > 0 && (
                      <SelectionBar
                        all={all}
                        chosen={chosen}
                        blocked={blocked}
                        onCommand={setAsked}
                        onClear={() => setSelected(NONE)}
                      />
                    )}
                    <ResultList
                      source={source}
                      rows={rows}
                      search={search}
                      context={context}
                      selected={selected}
                      onSelect={setSelected}
                      onChange={change}
                    />
                  </>
                )}
                {search.tab === 'log' && <LogPanel source={source} search={search} onChange={change} />}
                {search.tab === 'history' && (
                  <HistoryPanel source={fromQuery(runs)} shownId={shownId} allRuns={search.allRuns} onChange={change} />
                )}
              </>
            )}
          </>
        )}
      </SourceView>
      <BatchDialog batch={asked} credits={credits} onConfirm={act} onClose={() => setAsked(null)} />
      <SuggestionsDialog
        opened={askedAll}
        all={all}
        credits={credits}
        onConfirm={act}
        onClose={() => setAskedAll(false)}
      />
    </Page>
  );
}

function NoRunYet({ busy, onStart }: { readonly busy: boolean; readonly onStart: () => void }) {
  const { t } = useText();
  return (
    <section className="panel" aria-label={t('inspection.run')}>
      <EmptyState
        title={t('inspection.noRun')}
        text={t('inspection.noRunText')}
        action={
          <Button kind="primary" disabled={busy} aria-busy={busy} onClick={onStart}>
            {t('inspection.start')}
          </Button>
        }
      />
    </section>
  );
}

/** Placeholder of a result that is loading, or not part of this run. */
function MissingResult({ loading }: { readonly loading: boolean }) {
  const { t } = useText();
  if (!loading) return <EmptyState title={t('inspection.notInRun')} text={t('inspection.notInRunText')} />;
  return <DrawerSkeleton />;
}
