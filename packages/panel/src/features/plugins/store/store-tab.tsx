import { useMemo, useRef, useState } from 'react';
import { fromQuery, mapSource } from '../../../platform/api/data-source.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { SearchField } from '../../../ui/controls/search-field.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { EmptyState } from '../../../ui/feedback/states.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { TablePanel } from '../../../ui/table/table-panel.tsx';
import { findOffers, type StorePlugin } from '../model/store.ts';
import { type Installed, pluginCode, pluginMessage } from '../plugin-calls.ts';
import type { usePluginStore } from '../use-plugins.ts';
import { InstallDialog } from './install-dialog.tsx';
import { narrowOffer, storeColumns } from './store-columns.tsx';

/** What the sources of the gateway's plugin store offer. */
export function StoreTab({
  store,
  search,
  onSearch,
  onInstalled,
}: {
  readonly store: ReturnType<typeof usePluginStore>;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly onInstalled: (offer: StorePlugin, installed: Installed) => void;
}) {
  const { t } = useText();
  const input = useRef<HTMLInputElement>(null);
  const [installing, setInstalling] = useState<StorePlugin | null>(null);
  const context = useMemo(() => ({ t, onInstall: setInstalling }), [t]);
  const columns = useMemo(() => storeColumns(context), [context]);
  useShortcuts({ '/': () => input.current?.focus() });
  const source = mapSource(fromQuery(store), ({ plugins }) => findOffers(plugins, search));
  const { data } = store;
  // The gateway answered; its sources did not.
  const isRegistry = pluginCode(store.error) === 'plugin_store_registry_failed';
  return (
    <>
      {data !== undefined && data.errors.length > 0 && (
        <Note
          tone="warn"
          fact={t('plugin.sourcesFailed', { sources: data.errors.map(({ source }) => source).join(', ') })}
        >
          {data.errors.map(({ message }) => message).join(' · ')}
        </Note>
      )}
      <search className="filter-bar">
        <SearchField value={search} onChange={onSearch} placeholder={t('plugin.searchPlaceholder')} input={input} />
      </search>
      {isRegistry && data === undefined ? (
        <section className="panel">
          <EmptyState
            title={t('plugin.registryFailed')}
            text={pluginMessage(store.error)}
            action={<Button onClick={() => void store.refetch()}>{t('common.tryAgain')}</Button>}
          />
        </section>
      ) : (
        <TablePanel
          title={t('plugin.store')}
          subtitle={data === undefined ? undefined : t('plugin.count', { count: source.data?.length ?? 0 })}
          source={source}
          columns={columns}
          rowKey={({ storeId }) => storeId}
          rowName={({ name }) => name}
          narrow={(offer) => narrowOffer(offer, context)}
          rowHeight={56}
          keys
          empty={
            data === undefined || data.plugins.length === 0
              ? {
                  title: t('plugin.storeEmpty'),
                  text: t(data?.errors.length ? 'plugin.storeEmptyFailed' : 'plugin.storeEmptyText'),
                }
              : { title: t('plugin.noMatch'), text: t('plugin.noMatchText') }
          }
          errorTitle={t('plugin.storeFailed')}
          unsupported={{ title: t('plugin.storeOld'), text: t('plugin.storeOldText') }}
          exportName="plugin-store"
        />
      )}
      <InstallDialog offer={installing} onClose={() => setInstalling(null)} onInstalled={onInstalled} />
    </>
  );
}
