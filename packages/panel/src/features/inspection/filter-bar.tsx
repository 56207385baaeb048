import { ACTION_STATUSES } from '@manager/core/contract/constants';
import type { ActionStatus, InspectionAction, InspectionResult } from '@manager/core/contract/inspection/runs';
import type { RefObject } from 'react';
import type { AddressState } from '../../platform/browser/address.ts';
import { shown } from '../../platform/format/shown.ts';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ChoiceMenu } from '../../ui/controls/choice-menu.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { ACTION_ORDER, ACTION_WORDS, STATE_WORDS } from '../../ui/inspection/words.ts';
import { hasFilters, type InspectionSearch, NO_FILTERS } from './inspection-search.ts';
import { providersOf } from './results/result-view.ts';

interface InspectionFilterBarProps {
  readonly search: InspectionSearch;
  readonly results: readonly InspectionResult[];
  readonly onChange: AddressState<InspectionSearch>['change'];
  readonly searchInput: RefObject<HTMLInputElement | null>;
}

/** One line: suggestion, provider, action status, search. Each button shows its filter. */
export function InspectionFilterBar({ search, results, onChange, searchInput }: InspectionFilterBarProps) {
  const { t } = useText();
  return (
    <search className="filter-bar">
      <ChoiceMenu
        title={t('inspection.suggestion')}
        value={search.action}
        choices={['', ...ACTION_ORDER]}
        name={(action) => (action === '' ? t('filter.all') : t(ACTION_WORDS[action as InspectionAction].label))}
        onChange={(action) => onChange({ action })}
      />
      <ChoiceMenu
        title={t('filter.provider')}
        value={search.provider}
        choices={['', ...providersOf(results, search.provider)]}
        name={(provider) => shown(provider) || t('filter.all')}
        onChange={(provider) => onChange({ provider })}
      />
      <ChoiceMenu
        title={t('inspection.actionState')}
        value={search.state}
        choices={['', ...ACTION_STATUSES]}
        name={(state) => (state === '' ? t('filter.all') : t(STATE_WORDS[state as ActionStatus].label))}
        onChange={(state) => onChange({ state })}
      />
      <SearchField
        value={search.search}
        input={searchInput}
        placeholder={t('inspection.searchHint')}
        // One history entry for a whole word.
        onChange={(text) => onChange({ search: text }, true)}
      />
      {hasFilters(search) && <Button onClick={() => onChange(NO_FILTERS)}>{t('filter.clear')}</Button>}
    </search>
  );
}
