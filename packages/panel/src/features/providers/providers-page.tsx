import { Group, Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useRef, useState } from 'react';
import { mapSource } from '../../platform/api/data-source.ts';
import { useManaged } from '../../platform/api/services.ts';
import { useAddress, useAddressHref } from '../../platform/browser/address.ts';
import { isPrivateText } from '../../platform/browser/private-text.ts';
import { useHiddenText } from '../../platform/browser/use-hidden-text.ts';
import { useLatest } from '../../platform/browser/use-latest.ts';
import { entryId, titleOf } from '../../platform/gateway/providers/entry.ts';
import { KINDS, type Kind } from '../../platform/gateway/providers/kinds.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useGateway } from '../../platform/queries/queries.ts';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Drawer } from '../../ui/dialog/drawer.tsx';
import { DrawerSkeleton } from '../../ui/dialog/drawer-skeleton.tsx';
import { useLeaveQuestion } from '../../ui/dialog/leave-question.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { EmptyState, failureText } from '../../ui/feedback/states.tsx';
import { UnpricedNote } from '../../ui/feedback/unpriced-note.tsx';
import { failureOf, outcomeText } from '../../ui/gateway/edit-outcome.ts';
import { Icon } from '../../ui/icons.tsx';
import { Page } from '../../ui/page/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { TablePanel } from '../../ui/table/table-panel.tsx';
import { useTableSort } from '../../ui/table/use-table-sort.ts';
import { CheckDrawer } from './check/check-drawer.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { type PaneTab, ProviderPane } from './editor/provider-pane.tsx';
import { byPriority, filterRows, isPartOfKey, type ProviderRow } from './model/rows.ts';
import { narrowProvider, providerColumns, rowTitle, SORT_COLUMNS } from './provider-columns.tsx';
import { ProvidersFilters } from './providers-filters.tsx';
import { PROVIDERS_ADDRESS } from './providers-search.ts';
import { useActions } from './use-actions.ts';
import { type Providers, useEditProvider, useProviders } from './use-providers.ts';
import { UseSection } from './use-section.tsx';

const NO_ROWS: readonly ProviderRow[] = [];
const NOBODY: ReadonlySet<string> = new Set();
/** Address parameters the open form depends on. */
const FORM_PARAMETERS: readonly string[] = ['entry'];

/** Keys and addresses of providers in the gateway's configuration. */
export function ProvidersPage() {
  const { t } = useText();
  const managed = useManaged();
  const docked = useMediaQuery('(min-width: 1360px)', false, { getInitialValueInEffect: false });
  const hrefTo = useAddressHref(PROVIDERS_ADDRESS);
  const { search, change } = useAddress(PROVIDERS_ADDRESS);
  const providers = useProviders();
  const unpriced = providers.source.data?.reduce((sum, { use }) => sum + (use?.unpriced ?? 0), 0);
  const edit = useEditProvider();
  const actions = useActions(edit);
  const [adding, setAdding] = useState<Kind | null>(null);
  const [checking, setChecking] = useState<ReadonlySet<string> | null>(null);
  const [chosen, setChosen] = useState(NOBODY);
  const [deleting, setDeleting] = useState<ProviderRow | null>(null);
  const [tab, setTab] = useState<PaneTab>('form');
  const [dirty, setDirty] = useState(false);
  const [isChoosing, setIsChoosing] = useState(false);
  const { question, leave, letGo } = useLeaveQuestion(dirty, FORM_PARAMETERS);
  const input = useRef<HTMLInputElement>(null);

  const { source, lists } = providers;
  const all = source.data ?? NO_ROWS;
  const [text, onSearch, forgetText] = useHiddenText(
    search.search,
    (written) => change({ search: written }, true),
    (typed) => isPrivateText(typed) || isPartOfKey(typed, all),
  );
  const open = all.find((row) => row.id === search.entry) ?? null;
  const [sort, onSort] = useTableSort(SORT_COLUMNS, { column: 'priority', direction: 'desc' });
  const { type, enabled } = search;
  const shownSource = useMemo(
    () =>
      mapSource(source, (rows) => {
        const found = filterRows(rows, { type, enabled, search: text });
        return sort.column === 'priority' ? byPriority(found, sort.direction === 'asc') : found;
      }),
    [source, type, enabled, text, sort.column, sort.direction],
  );
  const { busy, setEnabled } = actions;
  // The actions are new at every render, the columns must not be.
  const latest = useLatest(actions);
  const context = useMemo(
    () => ({
      t,
      managed,
      busy,
      onSwitch: (row: ProviderRow) => void latest.current.switchRow(row),
      onPriority: (row: ProviderRow, priority: number) => void latest.current.setPriority(row, priority),
    }),
    [t, managed, busy, latest],
  );
  const columns = useMemo(() => providerColumns(context), [context]);

  const closeAll = () => {
    letGo();
    setDirty(false);
    setAdding(null);
    setChecking(null);
  };
  const openRow = (row: ProviderRow, part: PaneTab = 'form') =>
    leave(() => {
      closeAll();
      setTab(part);
      change({ entry: row.id }, search.entry !== '');
    });
  const startNew = (kind: Kind) =>
    leave(() => {
      closeAll();
      change({ entry: '' });
      setTab('form');
      setAdding(kind);
    });
  const startCheck = () =>
    leave(() => {
      closeAll();
      change({ entry: '' });
      setChecking(chosen);
    });
  const close = () =>
    leave(() => {
      closeAll();
      change({ entry: '' });
    });
  const focused = (): ProviderRow | undefined => {
    const id = document.activeElement?.closest('[data-row]')?.getAttribute('data-row');
    return all.find((row) => row.id === id);
  };
  const paneShown = adding !== null || checking !== null || search.entry !== '';
  useShortcuts({
    r: providers.refresh,
    n: () => setIsChoosing(true),
    e: () => {
      const row = focused();
      if (row !== undefined) openRow(row);
    },
    t: () => {
      const row = focused();
      if (open !== null) setTab('test');
      else if (row !== undefined) openRow(row, 'test');
    },
    '/': () => input.current?.focus(),
    ...(paneShown ? { Escape: close } : {}),
  });

  const addMenu = (
    <Menu
      position="bottom-end"
      width={200}
      opened={isChoosing}
      onChange={setIsChoosing}
      // The form takes the focus.
      returnFocus={adding === null}
    >
      <Menu.Target>
        <Button disabled={source.data === undefined}>
          <Icon name="plus" />
          {t('providers.new')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {KINDS.map((kind) => (
          <Menu.Item key={kind.id} disabled={lists[kind.id] === undefined} onClick={() => startNew(kind)}>
            {kind.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
  const { said } = actions;
  const note = said !== null && (
    <Note
      tone={said.tone}
      fact={said.fact}
      action={
        <span className="row">
          {said.action !== null && (
            <Button onClick={() => void said.action?.run()}>
              {t(said.action.label === 'undo' ? 'accounts.undo' : 'prices.saveMine')}
            </Button>
          )}
          <Button onClick={actions.dismiss}>{t('common.close')}</Button>
        </span>
      }
    >
      {said.text}
    </Note>
  );
  /** The drawer is over the page, and says it instead. */
  const covered = !docked && checking === null && (adding !== null || open !== null);
  const pane = () => {
    const shared = { docked, edit, tab, onTab: setTab, onDirty: setDirty, onClose: close };
    if (checking !== null) {
      return (
        <CheckDrawer
          rows={all.filter((row) => checking.has(row.id))}
          all={all}
          docked={docked}
          onClose={close}
          disable={async (row) => {
            try {
              const outcome = await setEnabled(row, false);
              if (outcome.kind === 'done' || outcome.kind === 'same') return null;
              return outcomeText(outcome, rowTitle(row), t).fact;
            } catch (error) {
              return failureOf(error, rowTitle(row), t).text;
            }
          }}
        />
      );
    }
    const kind = adding ?? open?.kind;
    if (kind === undefined) {
      if (search.entry === '') return null;
      return (
        <Drawer label={t('providers.provider')} head={<b>{t('providers.provider')}</b>} docked={docked} onClose={close}>
          {source.data === undefined ? (
            <DrawerSkeleton />
          ) : (
            <EmptyState title={t('providers.notFound')} text={t('providers.notFoundText')} />
          )}
        </Drawer>
      );
    }
    return (
      <ProviderPane
        {...shared}
        key={adding === null ? search.entry : `new ${adding.id}`}
        kind={kind}
        listed={adding === null ? (open?.entry ?? null) : null}
        list={lists[kind.id] ?? []}
        enabled={open?.enabled ?? true}
        onStored={(outcome, told) => {
          closeAll();
          const name = outcome.entry === null ? '' : titleOf(kind, outcome.entry) || kind.name;
          actions.tell(kind, name, outcome, told);
          change({ entry: outcome.entry === null ? '' : entryId(kind, outcome.entry) }, true);
        }}
        onDelete={() => setDeleting(open)}
        note={covered && note}
      >
        {managed && adding === null && open !== null && <UseSection row={open} />}
      </ProviderPane>
    );
  };
  return (
    <Page
      title={t('nav.providers')}
      state={<CollectorStatus />}
      refresh={{ busy: source.busy, onRefresh: providers.refresh }}
      docked={docked}
      drawer={paneShown && pane()}
    >
      {question}
      {!covered && note}
      <ListNotes providers={providers} />
      <UnpricedNote requests={unpriced} />
      {!managed && (
        <Note tone="wait" fact={t('providers.noManager')}>
          {t('providers.noManagerText')}
        </Note>
      )}
      <ProvidersFilters rows={all} search={search} text={text} input={input} onChange={change} onSearch={onSearch} />
      {chosen.size > 0 && (
        <Group
          component="section"
          p="4px 12px"
          bg="var(--accent-ground)"
          bdrs="md"
          className="selection-bar"
          aria-label={t('accountActions.selection')}
        >
          <span role="status">{t('accountActions.selected', { count: chosen.size })}</span>
          <Button onClick={startCheck}>{t('providers.check')}</Button>
          <Button kind="quiet" onClick={() => setChosen(NOBODY)}>
            {t('providers.clearSelection')}
          </Button>
        </Group>
      )}
      <TablePanel
        title={t('nav.providers')}
        subtitle={
          all.length > 0
            ? [t('providers.count', { count: shownSource.data?.length ?? 0 }), managed ? t('providers.useHint') : '']
                .filter(Boolean)
                .join(' · ')
            : undefined
        }
        source={shownSource}
        columns={columns}
        rowKey={(row) => row.id}
        rowName={rowTitle}
        narrow={(row) => narrowProvider(row, context)}
        rowHeight={56}
        sort={sort}
        onSort={onSort}
        href={(row) => hrefTo({ entry: row.id })}
        onOpen={(row) => openRow(row)}
        openKey={search.entry === '' ? null : search.entry}
        selection={{ keys: chosen, onChange: setChosen }}
        keys
        empty={
          all.length === 0
            ? { title: t('providers.none'), text: t('providers.noneText'), action: addMenu }
            : {
                title: t('providers.noMatch'),
                text: t('providers.noMatchText'),
                action: (
                  <Button
                    onClick={() => {
                      forgetText();
                      change({ search: '', type: '', enabled: 'all' });
                    }}
                  >
                    {t('filter.clear')}
                  </Button>
                ),
              }
        }
        errorTitle={t('providers.loadFailed')}
        unsupported={{ title: t('providers.old'), text: t('clientKeys.oldText') }}
        exportName="providers"
        actions={addMenu}
        foot={<Foot providers={providers} />}
      />
      <DeleteDialog
        row={deleting}
        all={all}
        onClose={() => setDeleting(null)}
        onConfirm={async (row) => {
          await actions.remove(row);
          closeAll();
          change({ entry: '' }, true);
        }}
      />
    </Page>
  );
}

/** Lists that could not be read, or that this version of the gateway does not have. */
function ListNotes({ providers: { failed, missing, source, refresh } }: { readonly providers: Providers }) {
  const { t } = useText();
  if (source.data === undefined) return null;
  const failure = failureText(failed[0]?.error);
  const names = (kinds: readonly Kind[]) => kinds.map(({ name }) => name).join(', ');
  return (
    <>
      {failed.length > 0 && (
        <Note
          tone="bad"
          fact={t('providers.listsFailed', { lists: names(failed.map(({ kind }) => kind)) })}
          action={<Button onClick={refresh}>{t('common.tryAgain')}</Button>}
        >
          {t(failure.key, failure.values)}{' '}
          {t(failed.some(({ old }) => old) ? 'providers.listsOld' : 'providers.listsLost')}
        </Note>
      )}
      {missing.length > 0 && (
        <Note tone="wait" fact={t('providers.listsMissing', { lists: names(missing) })}>
          {t('providers.listsMissingText')}
        </Note>
      )}
    </>
  );
}

/** How the gateway chooses, and why there are no sums. */
function Foot({ providers: { stats } }: { readonly providers: Providers }) {
  const { t } = useText();
  const { data } = useGateway();
  const strategy = data?.settings.find(({ name }) => name === 'routing.strategy')?.value;
  const failure = failureText(stats.error);
  return (
    <span className="row small ink-3">
      {strategy === undefined ? t('providers.order') : t('providers.orderBy', { strategy: String(strategy) })}
      {stats.error !== null && (
        <span className="row tone-warn" role="alert">
          {t('clientKeys.useFailed')} {t(failure.key, failure.values)}
          <Button onClick={() => void stats.refetch()}>{t('common.tryAgain')}</Button>
        </span>
      )}
    </span>
  );
}
