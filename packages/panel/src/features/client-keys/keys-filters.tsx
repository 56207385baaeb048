import type { RefObject } from 'react';
import { useManaged } from '../../platform/api/services.ts';
import { formatCount } from '../../platform/format/format.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { RangeControl } from '../../ui/range/range-control.tsx';
import { type ClientKeysSearch, KEY_RANGES } from './client-keys-search.ts';
import { isShown, type KeyRow, SHOW_CHOICES, type ShowChoice } from './key-rows.ts';

const LABELS = {
  active: 'clientKeys.showActive',
  unused: 'clientKeys.showUnused',
  orphan: 'clientKeys.showOrphan',
  all: 'filter.all',
} as const satisfies Record<ShowChoice, TextKey>;

export function KeysFilters({
  rows,
  search,
  text,
  input,
  onChange,
  onSearch,
}: {
  readonly rows: readonly KeyRow[];
  readonly search: ClientKeysSearch;
  /** The search, in the address or not. */
  readonly text: string;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onChange: (next: Partial<ClientKeysSearch>) => void;
  readonly onSearch: (text: string) => void;
}) {
  const { t } = useText();
  const managed = useManaged();
  const count = (show: ShowChoice) => {
    // Until it is chosen it may not be known.
    if (show === 'unused' && rows.every(({ unused }) => unused === null)) return '';
    return formatCount(rows.filter((row) => isShown(row, show)).length);
  };
  return (
    <search className="filter-bar">
      {/* Without a manager only the present keys are known. */}
      {managed && (
        <>
          <RangeControl rules={KEY_RANGES} value={search.range} onChange={(range) => onChange({ range })} />
          <Segmented
            label={t('clientKeys.show')}
            value={search.show}
            options={SHOW_CHOICES.map((show) => ({
              value: show,
              label: `${t(LABELS[show])} ${count(show)}`.trim(),
            }))}
            onChange={(show) => onChange({ show })}
          />
        </>
      )}
      <SearchField value={text} onChange={onSearch} placeholder={t('clientKeys.searchPlaceholder')} input={input} />
    </search>
  );
}
