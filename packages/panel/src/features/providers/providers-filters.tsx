import type { RefObject } from 'react';
import { formatCount } from '../../platform/format/format.ts';
import { KIND_IDS, kindOf } from '../../platform/gateway/providers/kinds.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { ChoiceMenu } from '../../ui/controls/choice-menu.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { ENABLED_CHOICES, type EnabledChoice, filterRows, type ProviderRow } from './model/rows.ts';
import type { ProvidersSearch } from './providers-search.ts';

const LABELS = { all: 'filter.all', on: 'providers.on', off: 'providers.off' } as const satisfies Record<
  EnabledChoice,
  TextKey
>;

export function ProvidersFilters({
  rows,
  search,
  text,
  input,
  onChange,
  onSearch,
}: {
  readonly rows: readonly ProviderRow[];
  readonly search: ProvidersSearch;
  /** The search, in the address or not. */
  readonly text: string;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onChange: (next: Partial<ProvidersSearch>) => void;
  readonly onSearch: (text: string) => void;
}) {
  const { t } = useText();
  const count = (enabled: EnabledChoice) => filterRows(rows, { type: search.type, enabled, search: '' }).length;
  return (
    <search className="filter-bar">
      <Segmented
        label={t('providers.state')}
        value={search.enabled}
        options={ENABLED_CHOICES.map((enabled) => ({
          value: enabled,
          label: `${t(LABELS[enabled])} ${formatCount(count(enabled))}`,
        }))}
        onChange={(enabled) => onChange({ enabled })}
      />
      <ChoiceMenu
        title={t('providers.type')}
        value={search.type}
        choices={['', ...KIND_IDS]}
        name={(choice) => {
          const id = KIND_IDS.find((one) => one === choice);
          return id === undefined ? t('filter.all') : kindOf(id).name;
        }}
        onChange={(choice) => onChange({ type: KIND_IDS.find((id) => id === choice) ?? '' })}
      />
      <SearchField value={text} onChange={onSearch} placeholder={t('providers.searchPlaceholder')} input={input} />
    </search>
  );
}
