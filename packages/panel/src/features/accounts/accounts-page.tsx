import { Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import type { Account } from '../../platform/accounts/account.ts';
import type { AccountRow } from '../../platform/accounts/rows.ts';
import { SIGN_IN_PATH, signInAgain } from '../../platform/accounts/sign-in-again.ts';
import { type AccountPart, useAccounts } from '../../platform/accounts/use-accounts.ts';
import { useManaged } from '../../platform/api/services.ts';
import { useNow } from '../../platform/browser/clock.ts';
import { useLatest } from '../../platform/browser/use-latest.ts';
import { timeOfDay } from '../../platform/format/time.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { AccountTabs } from '../../ui/accounts/account-tabs.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Page } from '../../ui/page/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { pageOf } from '../../ui/table/pages.ts';
import type { RowControls } from './account-columns.tsx';
import { AccountDialogs, type Asked, secretsConfirmed } from './account-dialogs.tsx';
import { AccountListPanel, type AccountListProps } from './account-list.tsx';
import { AccountMenu, type MenuChoice } from './account-menu.tsx';
import { type DrawerTab, listQuestion } from './accounts-search.ts';
import { AccountsStats } from './accounts-stats.tsx';
import { type Command, reachedBy } from './changes/batch.ts';
import { ChangeNotes } from './changes/change-note.tsx';
import { useAccountChanges } from './changes/use-account-changes.ts';
import { AccountDrawer } from './drawer/account-drawer.tsx';
import { AccountsFilterBar } from './filter-bar.tsx';
import { accountList, choicesOf, groupsByTag } from './model/list.ts';
import { canAskQuota } from './refresh/ask-provider.ts';
import { RefreshNote } from './refresh/refresh-note.tsx';
import { useQuotaRefresh } from './refresh/use-quota-refresh.ts';
import { type BatchChoice, SelectionBar } from './selection-bar.tsx';
import { useAccountsUrl } from './use-accounts-url.ts';
import { useFollowedAccount } from './use-followed-account.ts';
import { useHeldOrder } from './use-held-order.ts';

const NONE: ReadonlySet<string> = new Set();
const NO_ROWS: readonly AccountRow[] = [];
const PART_LABELS: Readonly<Record<AccountPart, TextKey>> = {
  history: 'accountPart.history',
  quota: 'accountPart.quota',
  cooldowns: 'accountPart.cooldowns',
  candidates: 'accountPart.candidates',
  headers: 'accountPart.headers',
  inspection: 'accountPart.inspection',
};
/** Interval at which texts with durations are updated, ms. */
const TIME_STEP_MS = 15_000;

/** All accounts of the gateway: which work, which are near their limit, and when they recover. */
export function AccountsPage() {
  const { t, locale } = useText();
  const { search, change } = useAccountsUrl();
  const zone = useTimeZone();
  const masker = useMasker();
  const docked = useMediaQuery('(min-width: 1360px)', false, { getInitialValueInEffect: false });
  const nowMs = useDeferredValue(useNow(TIME_STEP_MS));
  const managed = useManaged();
  const context = useMemo(
    () => ({ t, locale, zone, masker, nowMs, managed }),
    [t, locale, zone, masker, nowMs, managed],
  );
  const data = useAccounts();
  const changes = useAccountChanges(data.accounts);
  const refresh = useQuotaRefresh();
  const navigate = useNavigate();
  const searchInput = useRef<HTMLInputElement>(null);
  const [selected, setSelected] = useState(NONE);
  const [asked, setAsked] = useState<Asked | null>(null);
  const add = useCallback(() => setAsked({ kind: 'upload' }), []);

  const all = data.source.data;
  // Filtering thousands of rows is slow, so the pressed button is drawn first.
  const followed = useDeferredValue(search);
  const list = useMemo(() => accountList(all ?? [], followed), [all, followed]);
  const lists = useRef<HTMLDivElement>(null);
  const { rows: drawn, release } = useHeldOrder(lists, list.rows, all ?? NO_ROWS, listQuestion(followed), data.settled);
  const page = useMemo(() => pageOf(drawn, followed.page, followed.pageSize), [drawn, followed]);
  const groups = useMemo(
    (): readonly Pick<AccountListProps, 'rows' | 'page' | 'tag'>[] =>
      followed.group === '' || drawn.length === 0
        ? [{ rows: drawn, page }]
        : groupsByTag(drawn).map((group) => ({ ...group, page: pageOf(group.rows, 1, 0) })),
    [drawn, page, followed],
  );
  const plans = useMemo(
    () =>
      choicesOf(
        (all ?? []).map(({ plan }) => plan),
        search.plan,
      ),
    [all, search.plan],
  );
  const tags = useMemo(
    () =>
      choicesOf(
        (all ?? []).flatMap((row) => row.tags),
        search.tag,
      ),
    [all, search.tag],
  );
  const open = useMemo(() => all?.find(({ account }) => account.key === search.account) ?? null, [all, search.account]);
  useFollowedAccount(all, open, search.account, (account) => change({ account }, true));
  // Selected accounts that vanished are dropped; hidden ones stay and are counted.
  const chosen = useMemo(() => (all ?? []).filter(({ account }) => selected.has(account.key)), [all, selected]);
  const hidden = useMemo(() => {
    const inSight = new Set(page.rows.map(({ account }) => account.key));
    return chosen.filter(({ account }) => !inSight.has(account.key)).length;
  }, [page, chosen]);
  const busy = changes.busy.size > 0;

  const openTab = (row: AccountRow, tab: DrawerTab) => change({ account: row.account.key, tab });
  const command = (what: Command, accounts: readonly Account[]) => void changes.act(what, accounts);
  const switchRow = ({ account }: AccountRow) => {
    if (account.switchScope === null || changes.busy.has(account.key)) return;
    const kind = account.listed.disabled ? 'enable' : 'disable';
    // A row that stands for its file affects more accounts than it shows.
    if (account.switchScope === 'source-file') setAsked({ kind: 'switch', command: { kind }, accounts: [account] });
    else command({ kind }, [account]);
  };
  const askDownload = (accounts: readonly Account[]) =>
    secretsConfirmed() ? command({ kind: 'download' }, accounts) : setAsked({ kind: 'download', accounts });
  const choose = (choice: MenuChoice, row: AccountRow) => {
    switch (choice) {
      case 'open':
        return openTab(row, 'overview');
      case 'config':
      case 'models':
      case 'quota':
        return openTab(row, choice);
      case 'switch':
        return switchRow(row);
      case 'refresh':
        return refresh.start([row.account]);
      case 'tags':
        return setAsked({ kind: 'tags', keys: [row.account.key] });
      case 'signIn':
        return void navigate({ to: SIGN_IN_PATH, search: signInAgain(row.account.key, row.account.listed.provider) });
      case 'download':
        return askDownload([row.account]);
      case 'resetLimits':
        return setAsked({ kind: 'resetLimits', accounts: [row.account] });
      case 'delete':
        return setAsked({ kind: 'delete', accounts: [row.account] });
    }
  };
  const chooseBatch = (choice: BatchChoice) => {
    const accounts = chosen.map(({ account }) => account);
    switch (choice) {
      case 'enable':
      case 'disable':
        return setAsked({ kind: 'switch', command: { kind: choice }, accounts: reachedBy(choice, accounts) });
      case 'refresh':
        return refresh.start(accounts.filter(canAskQuota));
      case 'priority':
      case 'weight':
        return setAsked({ kind: 'value', field: choice, accounts: reachedBy(choice, accounts) });
      case 'websocketsOn':
      case 'websocketsOff':
        return command({ kind: 'websockets', value: choice === 'websocketsOn' }, reachedBy('websockets', accounts));
      case 'tags':
        return setAsked({ kind: 'tags', keys: accounts.map(({ key }) => key) });
      case 'download':
        return askDownload(reachedBy('download', accounts));
      case 'delete':
        return setAsked({ kind: 'delete', accounts });
    }
  };
  const latest = useLatest({ switchRow, choose });
  // The columns stay the same objects while only the handlers change.
  const controls = useMemo(
    (): RowControls => ({
      isBusy: (row) => changes.busy.has(row.account.key),
      onSwitch: (row) => latest.current.switchRow(row),
      onChoose: (choice, row) => latest.current.choose(choice, row),
      menu: (row) => (
        <AccountMenu
          row={row}
          busy={changes.busy.has(row.account.key)}
          context={context}
          onChoose={(choice, chosenRow) => latest.current.choose(choice, chosenRow)}
        />
      ),
    }),
    [changes.busy, context, latest],
  );
  const askAgain = () => {
    release();
    data.refresh();
  };
  const close = () => change({ account: '', tab: 'overview' });
  const step = (direction: 1 | -1) => change({ page: Math.min(page.pages, Math.max(1, page.page + direction)) });
  useShortcuts({
    r: askAgain,
    '/': () => searchInput.current?.focus(),
    e: () => {
      const row = open ?? focusedRow(all);
      if (row !== null) switchRow(row);
    },
    o: () => {
      const row = focusedRow(all);
      if (row !== null) openTab(row, 'overview');
    },
    ...(search.account === '' ? { '[': () => step(-1), ']': () => step(1) } : { Escape: close }),
  });

  const askable = useMemo(() => list.rows.map(({ account }) => account).filter(canAskQuota), [list]);
  return (
    <Page
      title={t('nav.accounts')}
      actions={
        <Button
          disabled={refresh.state?.running === true || askable.length === 0}
          title={t('quotaRefresh.allHint', { count: askable.length })}
          onClick={() => setAsked({ kind: 'refresh', accounts: askable })}
        >
          <Icon name="refresh" />
          {t('accounts.refreshQuota')}
        </Button>
      }
      updated={t('accounts.updated', { time: timeOfDay(data.source.atMs, zone) })}
      refresh={{ busy: data.busy, onRefresh: askAgain }}
      tabs={<AccountTabs view="list" count={all?.length} />}
      docked={docked}
      drawer={
        search.account !== '' && (
          <AccountDrawer
            row={open}
            loading={all === undefined && data.source.error === null}
            tab={search.tab}
            docked={docked}
            busy={busy}
            refreshing={open !== null && refresh.waiting.has(open.account.key)}
            context={context}
            onTab={(tab) => change({ tab }, true)}
            onChoose={choose}
            onClose={close}
            onAsk={setAsked}
          />
        )
      }
    >
      {data.failed.length > 0 && (
        <Note
          tone="warn"
          fact={t('accounts.partsFailed', { parts: data.failed.map((part) => t(PART_LABELS[part])).join(', ') })}
        >
          {t('accounts.partsFailedText')}
        </Note>
      )}
      <AccountsStats source={data.source} settled={data.settled} list={list} search={search} onChange={change} />
      <AccountsFilterBar
        search={search}
        onChange={change}
        list={list}
        plans={plans}
        tags={tags}
        masker={masker}
        searchInput={searchInput}
      />
      {chosen.length > 0 && (
        <SelectionBar
          chosen={chosen.map(({ account }) => account)}
          hidden={hidden}
          filtered={list.rows.length}
          busy={busy}
          onChoose={chooseBatch}
          onSelectAll={() => setSelected(new Set(list.rows.map(({ account }) => account.key)))}
          onInvert={() =>
            setSelected(new Set(list.rows.map(({ account }) => account.key).filter((key) => !selected.has(key))))
          }
          onClear={() => setSelected(NONE)}
        />
      )}
      <Stack ref={lists}>
        {groups.map(({ rows, ...part }) => (
          <AccountListPanel
            key={part.tag ?? 'all'}
            {...part}
            source={data.source}
            rows={rows}
            search={followed}
            selected={selected}
            controls={controls}
            context={context}
            onSelect={setSelected}
            onChange={change}
            onAdd={add}
          />
        ))}
      </Stack>
      {/* Below the rows, which do not move when it appears. */}
      <Stack
        gap="xs"
        pos="sticky"
        bottom={0}
        mah="40vh"
        style={{ zIndex: 3, overflow: 'auto' }}
        className="accounts-notes"
      >
        <ChangeNotes changes={changes} onDelete={(accounts) => setAsked({ kind: 'delete', accounts })} />
        <RefreshNote refresh={refresh} />
      </Stack>
      <AccountDialogs
        asked={asked}
        rows={all ?? []}
        accounts={data.accounts}
        tags={tags}
        onCommand={command}
        onRefresh={refresh.start}
        onClose={() => setAsked(null)}
      />
    </Page>
  );
}

/** The focused row of the table. */
function focusedRow(rows: readonly AccountRow[] | undefined): AccountRow | null {
  const key = document.activeElement?.closest('[data-row]')?.getAttribute('data-row');
  return rows?.find(({ account }) => account.key === key) ?? null;
}
