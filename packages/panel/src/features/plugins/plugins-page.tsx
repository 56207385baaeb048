import { useMediaQuery } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { fromQuery, isUnsupported, mapSource } from '../../platform/api/data-source.ts';
import { useAddress, useAddressHref } from '../../platform/browser/address.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { useHiddenText } from '../../platform/browser/use-hidden-text.ts';
import { useLatest } from '../../platform/browser/use-latest.ts';
import { useText } from '../../platform/i18n/index.ts';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TabLinks } from '../../ui/controls/tabs.tsx';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';
import { Drawer } from '../../ui/dialog/drawer.tsx';
import { DrawerSkeleton } from '../../ui/dialog/drawer-skeleton.tsx';
import { useLeaveQuestion } from '../../ui/dialog/leave-question.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { EmptyState } from '../../ui/feedback/states.tsx';
import { Page } from '../../ui/page/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { TablePanel } from '../../ui/table/table-panel.tsx';
import { narrowPlugin, pluginColumns } from './installed/plugin-columns.tsx';
import { PluginPane } from './installed/plugin-pane.tsx';
import { usePluginActions } from './installed/use-plugin-actions.ts';
import type { Plugin } from './model/plugin.ts';
import type { StorePlugin } from './model/store.ts';
import type { Installed } from './plugin-calls.ts';
import { pluginFailure } from './plugin-words.ts';
import { PLUGINS_ADDRESS, TABS } from './plugins-search.ts';
import { StoreTab } from './store/store-tab.tsx';
import { usePluginStore, usePlugins, useReloadPlugins } from './use-plugins.ts';

/** Address parameters the open form depends on. */
const FORM_PARAMETERS: readonly string[] = ['plugin', 'tab'];
const RESTARTS = ['plugin-restarts'];

/** Plugins that the gateway said run only after a restart; until the sign-out, because it does not say it again. */
function useRestarts() {
  const queries = useQueryClient();
  const { data } = useQuery<readonly string[]>({
    queryKey: RESTARTS,
    queryFn: () => [],
    enabled: false,
    initialData: [],
    gcTime: Number.POSITIVE_INFINITY,
  });
  return {
    restarts: useMemo(() => new Set(data), [data]),
    add: (id: string) => queries.setQueryData<readonly string[]>(RESTARTS, (before = []) => [...before, id]),
  };
}

/** The gateway's plugins, and the store they come from. */
export function PluginsPage() {
  const { t } = useText();
  const docked = useMediaQuery('(min-width: 1360px)', false, { getInitialValueInEffect: false });
  const hrefTo = useAddressHref(PLUGINS_ADDRESS);
  const { search, change } = useAddress(PLUGINS_ADDRESS);
  const plugins = usePlugins();
  const store = usePluginStore();
  const reload = useReloadPlugins();
  const actions = usePluginActions();
  const { restarts, add: addRestart } = useRestarts();
  const [deleting, setDeleting] = useState<Plugin | null>(null);
  const [dirty, setDirty] = useState(false);
  const { question, leave, letGo } = useLeaveQuestion(dirty, FORM_PARAMETERS);

  const [text, onSearch] = useHiddenText(search.search, (written) => change({ search: written }, true));
  const list = plugins.data;
  const pluginsEnabled = list?.pluginsEnabled ?? true;
  const open = list?.plugins.find(({ id }) => id === search.plugin) ?? null;
  const { busy, said } = actions;
  // The actions are new at every render, the columns must not be.
  const latest = useLatest(actions);
  const context = useMemo(
    () => ({
      t,
      pluginsEnabled,
      store: store.data,
      busy,
      restarts,
      onSwitch: (plugin: Plugin) => void latest.current.switchPlugin(plugin, !plugin.enabled),
    }),
    [t, pluginsEnabled, store.data, busy, restarts, latest],
  );
  const columns = useMemo(() => pluginColumns(context), [context]);
  const close = () => leave(() => change({ plugin: '' }));
  const onInstalled = (offer: StorePlugin, { version, restartRequired, known }: Installed) => {
    if (restartRequired) addRestart(offer.id);
    actions.say({
      tone: restartRequired || !known ? 'warn' : 'ok',
      fact: t('plugin.installedFact', { name: offer.name, version }),
      text: t(restartRequired ? 'plugin.restartText' : known ? 'plugin.enableNext' : 'plugin.answerLost'),
    });
    void reload();
  };
  useShortcuts({ r: () => void reload(), ...(search.plugin === '' ? {} : { Escape: close }) });
  const isOld = isUnsupported(plugins.error) && list === undefined;
  return (
    <Page
      title={t('nav.plugins')}
      state={<CollectorStatus />}
      refresh={{ busy: plugins.isFetching || store.isFetching, onRefresh: () => void reload() }}
      docked={docked}
      tabs={
        <TabLinks label={t('nav.plugins')} chosen={search.tab}>
          {TABS.map((tab) => (
            <Link
              key={tab}
              to="."
              search={(before: UrlSearch) => PLUGINS_ADDRESS.write({ tab, plugin: '', search: '' }, before)}
              className="tab"
              // The router matches by path alone, which both tabs share.
              activeOptions={{ exact: true, includeSearch: true }}
              activeProps={{ 'aria-current': undefined }}
              {...(tab === search.tab ? { 'aria-current': 'page' as const } : {})}
            >
              {t(`plugin.${tab}`)}
            </Link>
          ))}
        </TabLinks>
      }
      drawer={
        search.plugin !== '' &&
        search.tab === 'installed' &&
        (open === null ? (
          <Drawer label={t('plugin.plugin')} head={<b>{t('plugin.plugin')}</b>} docked={docked} onClose={close}>
            {list === undefined ? (
              <DrawerSkeleton />
            ) : (
              <EmptyState title={t('plugin.notFound')} text={t('plugin.notFoundText')} />
            )}
          </Drawer>
        ) : (
          <PluginPane
            key={open.id}
            plugin={open}
            pluginsEnabled={pluginsEnabled}
            docked={docked}
            onDirty={setDirty}
            onDelete={() => setDeleting(open)}
            onClose={close}
          />
        ))
      }
    >
      {question}
      {said !== null && (
        <Note
          tone={said.tone}
          fact={said.fact}
          action={
            <span className="row">
              {said.undo !== null && <Button onClick={() => void said.undo?.()}>{t('accounts.undo')}</Button>}
              <Button onClick={actions.dismiss}>{t('common.close')}</Button>
            </span>
          }
        >
          {said.text}
        </Note>
      )}
      {list !== undefined && !pluginsEnabled && (
        <Note
          tone="wait"
          fact={t('plugin.switchedAllOff')}
          action={
            <Link to="/config" search={{ section: ['plugins'] }} className="link">
              {t('nav.config')}
            </Link>
          }
        >
          {t('plugin.switchedAllOffText')}
        </Note>
      )}
      {search.tab === 'store' && !isOld ? (
        <StoreTab store={store} search={text} onSearch={onSearch} onInstalled={onInstalled} />
      ) : (
        <TablePanel
          title={t('plugin.installed')}
          subtitle={list === undefined ? undefined : t('plugin.count', { count: list.plugins.length })}
          source={mapSource(fromQuery(plugins), (data) => data.plugins)}
          columns={columns}
          rowKey={({ id }) => id}
          rowName={({ name }) => name}
          narrow={(plugin) => narrowPlugin(plugin, context)}
          rowHeight={56}
          href={(plugin) => hrefTo({ plugin: plugin.id })}
          onOpen={(plugin) => leave(() => change({ plugin: plugin.id }, search.plugin !== ''))}
          openKey={search.plugin === '' ? null : search.plugin}
          keys
          empty={{
            title: t('plugin.none'),
            text: t('plugin.noneText'),
            action: <Button onClick={() => change({ tab: 'store' })}>{t('plugin.openStore')}</Button>,
          }}
          errorTitle={t('plugin.loadFailed')}
          unsupported={{ title: t('plugin.old'), text: t('clientKeys.oldText') }}
          exportName="plugins"
          foot={
            store.data === undefined && store.error !== null ? (
              <span className="small ink-3">{t('plugin.updatesUnknown')}</span>
            ) : undefined
          }
        />
      )}
      <ConfirmDialog
        opened={deleting !== null}
        onClose={() => setDeleting(null)}
        title={t('plugin.deleteTitle')}
        confirmLabel={t('plugin.delete')}
        danger
        failure={(error) => pluginFailure(error, t)}
        onConfirm={async () => {
          if (deleting === null) return;
          await actions.remove(deleting);
          letGo();
          change({ plugin: '' }, true);
        }}
      >
        {deleting !== null && (
          <>
            <p>
              <b>{deleting.name}</b> · {deleting.id}
            </p>
            <p>{t('plugin.deleteText')}</p>
            {deleting.oauthProvider !== '' && <p>{t('plugin.deleteOauth', { name: deleting.oauthProvider })}</p>}
            {deleting.menus.length > 0 && (
              <p>{t('plugin.deletePages', { pages: deleting.menus.map(({ label }) => label).join(', ') })}</p>
            )}
          </>
        )}
      </ConfirmDialog>
    </Page>
  );
}
