import type { CandidateCommand } from '@manager/core/accounts/failures/states';
import type { AccountActionCandidate } from '@manager/core/contract/account-actions';
import { useMediaQuery } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { fromQuery } from '../../platform/api/data-source.ts';
import { useAddress } from '../../platform/browser/address.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useCandidates } from '../../platform/queries/account-actions.ts';
import { useProcessingPolicy } from '../../platform/queries/processing-policy.ts';
import { AccountTabs } from '../../ui/accounts/account-tabs.tsx';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { DrawerSkeleton } from '../../ui/dialog/drawer-skeleton.tsx';
import { EmptyState } from '../../ui/feedback/states.tsx';
import { Page } from '../../ui/page/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { ACCOUNT_ACTIONS_ADDRESS, hasFilters } from './account-actions-search.ts';
import { CandidateDrawer, showEvidence } from './candidate-drawer.tsx';
import { CandidateListPanel } from './candidate-list.tsx';
import { filterCandidates, possibleActions } from './candidate-view.ts';
import { type Asked, ChangeDialogs } from './change-dialogs.tsx';
import { AccountActionsFilterBar } from './filter-bar.tsx';
import { OutcomeNote } from './outcome-note.tsx';
import { QueueOffNote, QueueOffState } from './queue-note.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useCandidateActions } from './use-candidate-actions.ts';

const NONE: ReadonlySet<string> = new Set();

/** The action queue: accounts with sign-in problems. */
export function AccountActionsPage() {
  const { t } = useText();
  const { search, change } = useAddress(ACCOUNT_ACTIONS_ADDRESS);
  const docked = useMediaQuery('(min-width: 1360px)', false, { getInitialValueInEffect: false });
  const candidates = useCandidates(search.status);
  const policy = useProcessingPolicy();
  const actions = useCandidateActions();
  const searchInput = useRef<HTMLInputElement>(null);
  const [selected, setSelected] = useState(NONE);
  const [asked, setAsked] = useState<Asked | null>(null);

  const items = candidates.data?.items ?? [];
  const open = items.find(({ id }) => String(id) === search.candidate) ?? actions.latest(search.candidate);
  // Selected items that are hidden or decided by now are skipped.
  const chosen = filterCandidates(items, search).filter(
    (candidate) => selected.has(String(candidate.id)) && possibleActions(candidate).decide,
  );
  const busy = actions.busy.size > 0;
  const refresh = () => {
    void candidates.refetch();
    void policy.refetch();
  };
  const close = () => change({ candidate: '' });
  const command = (candidate: AccountActionCandidate, what: CandidateCommand) => {
    if (what === 'enable' || what === 'delete') setAsked({ command: what, candidate });
    else void actions.act([candidate], what);
  };
  const decide = (what: CandidateCommand) => {
    if (open !== null && possibleActions(open).decide && !busy) command(open, what);
  };
  useShortcuts({
    r: refresh,
    '/': () => searchInput.current?.focus(),
    ...(search.candidate === ''
      ? {}
      : { Escape: close, i: () => decide('ignore'), v: () => decide('resolve'), o: showEvidence }),
  });

  const queue = policy.data?.authIssueQueue;
  const off = queue !== undefined && !queue.enabled;
  const nothingStored = off && candidates.data !== undefined && items.length === 0 && !hasFilters(search);
  return (
    <Page
      title={t('accountActions.pageTitle')}
      state={<CollectorStatus />}
      refresh={{ busy: candidates.isFetching, onRefresh: refresh }}
      tabs={<AccountTabs view="actions" />}
      docked={docked}
      drawer={
        search.candidate !== '' && (
          <CandidateDrawer candidate={open} docked={docked} busy={busy} onCommand={command} onClose={close}>
            <MissingCandidate loading={candidates.data === undefined && candidates.error === null} />
          </CandidateDrawer>
        )
      }
    >
      {off && !nothingStored && <QueueOffNote queue={queue} />}
      <OutcomeNote actions={actions} />
      <AccountActionsFilterBar search={search} onChange={change} candidates={items} searchInput={searchInput} />
      {chosen.length > 0 && (
        <SelectionBar
          count={chosen.length}
          busy={busy}
          onCommand={(what) => void actions.act(chosen, what).then(() => setSelected(NONE))}
          onClear={() => setSelected(NONE)}
        />
      )}
      {nothingStored ? (
        <QueueOffState queue={queue} />
      ) : (
        <CandidateListPanel
          source={fromQuery(candidates)}
          search={search}
          policy={policy.data}
          selected={selected}
          onSelect={setSelected}
          onChange={change}
        />
      )}
      <ChangeDialogs
        asked={asked}
        onConfirm={({ command: what, candidate }) => actions.act([candidate], what)}
        onClose={() => setAsked(null)}
      />
    </Page>
  );
}

/** Shown while an item loads, or when it is not among the loaded rows. */
function MissingCandidate({ loading }: { readonly loading: boolean }) {
  const { t } = useText();
  if (!loading) return <EmptyState title={t('accountActions.notListed')} text={t('accountActions.notListedText')} />;
  return <DrawerSkeleton />;
}
