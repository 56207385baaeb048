import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useRef, useState } from 'react';
import { isUnsupported, mapSource } from '../../platform/api/data-source.ts';
import { useAddress, useAddressHref } from '../../platform/browser/address.ts';
import { formatCount } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useLeaveQuestion } from '../../ui/dialog/leave-question.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Page } from '../../ui/page/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { TablePanel } from '../../ui/table/table-panel.tsx';
import { useTableSort } from '../../ui/table/use-table-sort.ts';
import type { ModelCandidates } from './candidate-list.tsx';
import { CandidatesPanel } from './candidates-panel.tsx';
import { narrowPrice, priceColumns, SORT_COLUMNS } from './price-columns.tsx';
import { PriceFilters } from './price-filters.tsx';
import { PricePane } from './price-pane.tsx';
import { defaultFilter, filterRows, lacksPrice, type PriceFilter } from './price-rows.ts';
import { PRICES_ADDRESS } from './prices-search.ts';
import { SyncDialog } from './sync/sync-dialog.tsx';
import { usePriceWriter } from './use-price-data.ts';
import { usePriceRows } from './use-price-rows.ts';

const NO_CANDIDATES: readonly ModelCandidates[] = [];
/** Address parameters the open form depends on. */
const FORM_PARAMETERS: readonly string[] = ['model'];

export function PricesPage() {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const docked = useMediaQuery('(min-width: 1360px)', false, { getInitialValueInEffect: false });
  const hrefTo = useAddressHref(PRICES_ADDRESS);
  const { search, change } = useAddress(PRICES_ADDRESS);
  const [offered, setOffered] = useState(NO_CANDIDATES);
  const [conflict, setConflict] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const [syncing, setSyncing] = useState(false);
  const [dirty, setDirty] = useState(false);
  const { question, leave, letGo } = useLeaveQuestion(dirty, FORM_PARAMETERS);
  const input = useRef<HTMLInputElement>(null);
  const names = useMemo(() => new Set(offered.map(({ model }) => model)), [offered]);
  const { source, prices, usage, refresh } = usePriceRows(names, conflict);
  const { save } = usePriceWriter();

  const rows = source.data ?? [];
  const usual = defaultFilter(rows);
  const filter: PriceFilter = search.filter ?? usual;
  const hasUsage = usage.data !== undefined;
  const columns = useMemo(() => priceColumns({ t, locale, zone, usage: hasUsage }), [t, locale, zone, hasUsage]);
  const [sort, onSort] = useTableSort(SORT_COLUMNS, {
    column: hasUsage ? 'requests' : 'model',
    direction: hasUsage ? 'desc' : 'asc',
  });
  const shownSource = useMemo(
    () => mapSource(source, (all) => filterRows(all, filter, search.search)),
    [source, filter, search.search],
  );

  const close = () => {
    letGo();
    setAdding(false);
    setConflict(null);
    change({ model: '' });
  };
  const open = (model: string) =>
    leave(() => {
      setAdding(false);
      setConflict(null);
      change({ model }, search.model !== '');
    });
  const add = () =>
    leave(() => {
      change({ model: '' });
      setAdding(true);
    });
  const focusEditor = () => {
    const field = document.querySelector<HTMLElement>('.drawer section input');
    const row = document.activeElement?.closest('[data-row]')?.getAttribute('data-row');
    if (field !== null) field.focus();
    else if (row) open(row);
  };
  const closeEditor = () => leave(close);
  const editing = adding || search.model !== '';
  useShortcuts({
    r: refresh,
    s: () => setSyncing(true),
    e: focusEditor,
    '/': () => input.current?.focus(),
    ...(editing ? { Escape: closeEditor } : {}),
  });

  const dismiss = (model: string) => setOffered(offered.filter((one) => one.model !== model));
  const openRow = rows.find((row) => row.model === search.model);
  const syncButton = (
    <Button disabled={prices === undefined} onClick={() => setSyncing(true)}>
      <Icon name="transfer" />
      {t('prices.sync')}
    </Button>
  );
  const filtered = rows.length > 0;
  const missing = rows.filter((row) => lacksPrice(row) && (row.requests ?? 0) > 0).length;
  return (
    <Page
      title={t('nav.prices')}
      state={<CollectorStatus />}
      refresh={{ busy: source.busy, onRefresh: refresh }}
      docked={docked}
      drawer={
        editing &&
        prices !== undefined && (
          <PricePane
            key={adding ? '' : search.model}
            model={adding ? '' : search.model}
            state={adding ? null : (openRow?.state ?? 'missing')}
            prices={prices}
            candidates={adding ? null : (offered.find(({ model }) => model === search.model) ?? null)}
            docked={docked}
            save={save}
            onDirty={setDirty}
            onConflict={setConflict}
            onDismiss={dismiss}
            onDone={() => {
              dismiss(search.model);
              close();
            }}
            onClose={closeEditor}
          />
        )
      }
    >
      <PriceFilters
        rows={rows}
        filter={filter}
        search={search.search}
        input={input}
        onFilter={(next) => change({ filter: next === usual ? null : next })}
        onSearch={(text) => change({ search: text }, true)}
      />
      {offered.length > 0 && prices !== undefined && (
        <CandidatesPanel
          candidates={offered}
          save={async (edits) => {
            const outcome = await save(prices, edits);
            if (outcome.kind === 'saved') setOffered(offered.filter(({ model }) => !edits.has(model)));
            return outcome;
          }}
          onDismissAll={() => setOffered(NO_CANDIDATES)}
        />
      )}
      <TablePanel
        title={t('nav.prices')}
        subtitle={
          source.data === undefined
            ? t('prices.unit')
            : `${t('prices.unit')} · ${t('prices.lacking', { count: missing })}`
        }
        source={shownSource}
        columns={columns}
        rowKey={(row) => row.model}
        rowName={(row) => row.model}
        narrow={(row) => narrowPrice(row, { t })}
        sort={sort}
        onSort={onSort}
        href={(row) => hrefTo({ model: row.model })}
        onOpen={(row) => open(row.model)}
        openKey={search.model === '' ? null : search.model}
        keys
        exportName="model-prices"
        expectedRows={12}
        empty={
          filtered
            ? {
                title: t(search.search === '' ? 'prices.noneHere' : 'prices.noMatch'),
                text: filter === 'candidates' ? t('prices.candidatesHint') : t('prices.noMatchText'),
                action: (
                  <Button onClick={() => change({ filter: usual === 'all' ? null : 'all', search: '' })}>
                    {t('filter.clear')}
                  </Button>
                ),
              }
            : { title: t('prices.empty'), text: t('prices.emptyText'), action: syncButton }
        }
        errorTitle={t('prices.failed')}
        unsupported={{ title: t('prices.old'), text: t('prices.oldText') }}
        actions={
          <>
            <Button kind="quiet" disabled={prices === undefined} aria-label={t('prices.add')} onClick={add}>
              <Icon name="plus" />
              <span className="only-wide">{t('prices.add')}</span>
            </Button>
            {filtered && syncButton}
          </>
        }
        foot={<UsageFoot usage={usage} />}
      />
      {prices !== undefined && (
        <SyncDialog
          opened={syncing}
          prices={prices}
          onClose={() => setSyncing(false)}
          onSynced={({ answer }) => setOffered(answer.candidates ?? NO_CANDIDATES)}
        />
      )}
      {question}
    </Page>
  );
}

/** Source of the request counts, or why there are none. */
function UsageFoot({ usage }: { readonly usage: ReturnType<typeof usePriceRows>['usage'] }) {
  const { t } = useText();
  if (usage.data === undefined) {
    return (
      <span className="small ink-3">{t(isUnsupported(usage.error) ? 'prices.usageOld' : 'prices.usageFailed')}</span>
    );
  }
  const { sampled_events, total_events, truncated } = usage.data;
  const sampled = formatCount(sampled_events);
  return (
    <span className="small ink-3">
      {truncated
        ? t('prices.usageNewest', { sampled, total: formatCount(total_events) })
        : t('prices.usageAll', { sampled })}
    </span>
  );
}
