import type { AccountActionCandidate, CandidateListResponse } from '@manager/core/contract/account-actions';
import type { ProcessingPolicyResponse } from '@manager/core/contract/settings/processing-policy';
import { useMemo } from 'react';
import { type DataSource, mapSource } from '../../platform/api/data-source.ts';
import { useServices } from '../../platform/api/services.ts';
import { useAddressHref } from '../../platform/browser/address.ts';
import { formatCount } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { CANDIDATES_LIMIT } from '../../platform/queries/account-actions.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TablePanel } from '../../ui/table/table-panel.tsx';
import { useTableSort } from '../../ui/table/use-table-sort.ts';
import {
  ACCOUNT_ACTIONS_ADDRESS,
  type AccountActionsSearch,
  hasFilters,
  NO_FILTERS,
} from './account-actions-search.ts';
import { COLUMN_IDS, candidateColumns, candidateNarrow } from './candidate-columns.tsx';
import { accountOf, filterCandidates } from './candidate-view.ts';
import { SwitchStates } from './queue-note.tsx';

interface CandidateListProps {
  readonly source: DataSource<CandidateListResponse>;
  readonly search: AccountActionsSearch;
  readonly policy: ProcessingPolicyResponse | undefined;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (keys: ReadonlySet<string>) => void;
  readonly onChange: (next: Partial<AccountActionsSearch>, replace?: boolean) => void;
}

const rowKey = ({ id }: AccountActionCandidate): string => String(id);

export function CandidateListPanel({ source, search, policy, selected, onSelect, onChange }: CandidateListProps) {
  const hrefTo = useAddressHref(ACCOUNT_ACTIONS_ADDRESS);
  const { t, locale } = useText();
  const zone = useTimeZone();
  const masker = useMasker();
  const { client } = useServices();
  const [sort, onSort] = useTableSort(COLUMN_IDS, { column: 'seen', direction: 'desc' });
  const context = useMemo(
    () => ({ t, locale, zone, masker, now: client.now, oneStatus: search.status !== '' }),
    [t, locale, zone, masker, client, search.status],
  );
  const columns = useMemo(() => candidateColumns(context), [context]);
  const list = source.data;
  const rows = useMemo(() => (list === undefined ? [] : filterCandidates(list.items, search)), [list, search]);
  const full = (list?.items.length ?? 0) >= CANDIDATES_LIMIT;
  const subtitle =
    list &&
    [
      t('accountActions.pendingCount', { count: list.pendingCount }),
      full ? t('accountActions.cut', { rows: formatCount(CANDIDATES_LIMIT) }) : '',
    ]
      .filter(Boolean)
      .join(' · ');
  const clear = <Button onClick={() => onChange(NO_FILTERS)}>{t('filter.clear')}</Button>;
  const empty = hasFilters(search)
    ? { title: t('accountActions.filtered'), text: t('accountActions.filteredText'), action: clear }
    : search.status === 'pending'
      ? {
          title: t('accountActions.nothing'),
          text: t('accountActions.nothingText'),
          action: <Button onClick={() => onChange({ status: '' })}>{t('accountActions.showAll')}</Button>,
        }
      : { title: t('accountActions.noneOfStatus'), text: t('accountActions.filteredText'), action: clear };
  return (
    <TablePanel
      title={t('accountActions.title')}
      subtitle={subtitle}
      source={mapSource(source, () => rows)}
      columns={columns}
      rowKey={rowKey}
      rowName={(candidate) => masker.account(accountOf(candidate)) || masker.file(candidate.authFileName)}
      narrow={(candidate) => candidateNarrow(candidate, context)}
      sort={sort}
      onSort={onSort}
      href={(candidate) => hrefTo({ candidate: rowKey(candidate) })}
      onOpen={(candidate) => onChange({ candidate: rowKey(candidate) }, search.candidate !== '')}
      openKey={search.candidate === '' ? null : search.candidate}
      selection={{ keys: selected, onChange: onSelect }}
      keys
      empty={empty}
      errorTitle={t('accountActions.loadFailed')}
      unsupported={{ title: t('accountActions.old'), text: t('accountActions.oldText') }}
      exportName="account-actions"
      expectedRows={8}
      foot={policy && <SwitchStates policy={policy} />}
    />
  );
}
