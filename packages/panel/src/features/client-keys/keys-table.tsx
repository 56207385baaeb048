import { useMemo } from 'react';
import { mapSource } from '../../platform/api/data-source.ts';
import { useManaged, useServices } from '../../platform/api/services.ts';
import { useAddressHref } from '../../platform/browser/address.ts';
import { formatCompact, formatCount } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { Button } from '../../ui/controls/button.tsx';
import { failureText } from '../../ui/feedback/states.tsx';
import { Icon } from '../../ui/icons.tsx';
import { TablePanel } from '../../ui/table/table-panel.tsx';
import { useTableSort } from '../../ui/table/use-table-sort.ts';
import { CLIENT_KEYS_ADDRESS } from './client-keys-search.ts';
import { keyColumns, narrowKey, SORT_COLUMNS } from './key-columns.tsx';
import { filterRows, type KeySearch, requestsWithoutKey, type ShowChoice } from './key-rows.ts';
import { keyTitle } from './key-words.ts';
import type { Keys } from './use-client-keys.ts';

interface KeysTableProps {
  readonly keys: Keys;
  readonly named: boolean;
  readonly show: ShowChoice;
  readonly search: KeySearch;
  readonly rangeName: string;
  readonly openKey: string;
  readonly onOpen: (hash: string) => void;
  /** null = not available now. */
  readonly onNew: (() => void) | null;
  readonly onClear: () => void;
}

export function KeysTable(props: KeysTableProps) {
  const { keys, named, show, search, rangeName } = props;
  const hrefTo = useAddressHref(CLIENT_KEYS_ADDRESS);
  const { t, locale } = useText();
  const zone = useTimeZone();
  const masker = useMasker();
  const { client } = useServices();
  const managed = useManaged();
  const context = useMemo(
    () => ({ t, locale, zone, masker, now: client.now, aliases: named, managed }),
    [t, locale, zone, masker, client, named, managed],
  );
  const columns = useMemo(() => keyColumns(context), [context]);
  const [sort, onSort] = useTableSort(SORT_COLUMNS, { column: 'requests', direction: 'desc' });
  const source = useMemo(
    () => mapSource(keys.source, (rows) => filterRows(rows, show, search)),
    [keys.source, show, search],
  );
  const all = keys.source.data ?? [];
  const none = keys.list.data?.length === 0;
  const make = (
    <Button disabled={props.onNew === null} onClick={() => props.onNew?.()}>
      <Icon name="plus" />
      {t('clientKeys.new')}
    </Button>
  );
  const empty =
    none && show === 'active' && search.text === ''
      ? { title: t('clientKeys.none'), text: t('clientKeys.noneText'), action: make }
      : show === 'orphan' && search.text === ''
        ? { title: t('clientKeys.noOrphans'), text: t('clientKeys.noOrphansText') }
        : show === 'unused' && search.text === ''
          ? { title: t('clientKeys.noUnused'), text: t('clientKeys.noUnusedText') }
          : {
              title: t('clientKeys.noMatch'),
              text: t('clientKeys.noMatchText'),
              action: <Button onClick={props.onClear}>{t('filter.clear')}</Button>,
            };
  return (
    <TablePanel
      title={t('nav.clientKeys')}
      subtitle={[
        managed ? rangeName : '',
        all.length > 0 ? t('clientKeys.count', { count: source.data?.length ?? 0 }) : '',
      ]
        .filter(Boolean)
        .join(' · ')}
      source={source}
      columns={columns}
      rowKey={(row) => row.hash}
      rowName={(row) => keyTitle(row, masker)}
      narrow={(row) => narrowKey(row, context)}
      sort={sort}
      onSort={onSort}
      href={(row) => hrefTo({ key: row.hash })}
      onOpen={(row) => props.onOpen(row.hash)}
      openKey={props.openKey === '' ? null : props.openKey}
      keys
      empty={empty}
      errorTitle={t('clientKeys.failed')}
      errorScope={t('clientKeys.failedScope')}
      unsupported={{ title: t('clientKeys.old'), text: t('clientKeys.oldText') }}
      exportName="client-keys"
      expectedRows={6}
      actions={make}
      foot={managed ? <Foot keys={keys} rangeName={rangeName} /> : undefined}
    />
  );
}

/** What the numbers leave out, or why there are none. */
function Foot({ keys, rangeName }: Pick<KeysTableProps, 'keys' | 'rangeName'>) {
  const { t } = useText();
  const { stats } = keys;
  if (stats.error !== null) {
    const failure = failureText(stats.error);
    return (
      <span className="row small tone-warn" role="alert">
        {t('clientKeys.useFailed')} {t(failure.key, failure.values)}
        <Button onClick={() => void stats.refetch()}>{t('common.tryAgain')}</Button>
      </span>
    );
  }
  if (stats.data === undefined) return <span className="small ink-3">{t('clientKeys.useLoading')}</span>;
  if (stats.data.length === 0) {
    return <span className="small ink-3">{t('clientKeys.usedNever', { range: rangeName })}</span>;
  }
  const without = requestsWithoutKey(stats.data);
  return (
    <span className="small ink-3" title={formatCount(without)}>
      {without === 0
        ? t('clientKeys.allWithKey')
        : t('clientKeys.withoutKey', { count: without, value: formatCompact(without) })}
    </span>
  );
}
