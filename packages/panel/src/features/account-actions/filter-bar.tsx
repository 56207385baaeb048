import type { AccountActionCandidate } from '@manager/core/contract/account-actions';
import { CANDIDATE_STATUSES } from '@manager/core/contract/constants';
import type { RefObject } from 'react';
import { shown } from '../../platform/format/shown.ts';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ChoiceMenu } from '../../ui/controls/choice-menu.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { type AccountActionsSearch, hasFilters, NO_FILTERS } from './account-actions-search.ts';
import { choicesOf, statusWord, typeWord } from './candidate-view.ts';

interface AccountActionsFilterBarProps {
  readonly search: AccountActionsSearch;
  readonly onChange: (next: Partial<AccountActionsSearch>, replace?: boolean) => void;
  /** Rows of the chosen status, for the filter options. */
  readonly candidates: readonly AccountActionCandidate[];
  readonly searchInput: RefObject<HTMLInputElement | null>;
}

/** One line: status, type, provider, search. Each button shows its filter. */
export function AccountActionsFilterBar({ search, onChange, candidates, searchInput }: AccountActionsFilterBarProps) {
  const { t } = useText();
  const statusName = (status: string) => {
    const word = statusWord(status);
    return word === null ? t('filter.all') : t(word.label);
  };
  const typeName = (type: string) => {
    const word = typeWord(type);
    return word === null ? shown(type) || t('filter.all') : t(word.label);
  };
  return (
    <search className="filter-bar">
      <ChoiceMenu
        title={t('filter.status')}
        value={search.status}
        choices={[...CANDIDATE_STATUSES, '']}
        name={statusName}
        onChange={(status) => onChange({ status })}
      />
      <ChoiceMenu
        title={t('accountActions.type')}
        value={search.type}
        choices={[
          '',
          ...choicesOf(['delete', 'reauth', 'review', ...candidates.map((one) => one.actionType)], search.type),
        ]}
        name={typeName}
        onChange={(type) => onChange({ type })}
      />
      <ChoiceMenu
        title={t('filter.provider')}
        value={search.provider}
        choices={[
          '',
          ...choicesOf(
            candidates.map((one) => one.provider),
            search.provider,
          ),
        ]}
        name={(provider) => shown(provider) || t('filter.all')}
        onChange={(provider) => onChange({ provider })}
      />
      <SearchField
        value={search.search}
        input={searchInput}
        placeholder={t('accountActions.searchHint')}
        // One history entry for a whole word.
        onChange={(text) => onChange({ search: text }, true)}
      />
      {hasFilters(search) && <Button onClick={() => onChange(NO_FILTERS)}>{t('filter.clear')}</Button>}
    </search>
  );
}
