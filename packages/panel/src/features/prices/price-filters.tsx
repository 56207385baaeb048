import type { RefObject } from 'react';
import { formatCount } from '../../platform/format/format.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { countFilter, PRICE_FILTERS, type PriceFilter, type PriceRow } from './price-rows.ts';

const LABELS = {
  all: 'filter.all',
  missing: 'prices.filterMissing',
  candidates: 'prices.filterCandidates',
  saved: 'prices.filterSaved',
  indirect: 'prices.filterIndirect',
} as const satisfies Record<PriceFilter, TextKey>;

export function PriceFilters({
  rows,
  filter,
  search,
  input,
  onFilter,
  onSearch,
}: {
  readonly rows: readonly PriceRow[];
  readonly filter: PriceFilter;
  readonly search: string;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onFilter: (filter: PriceFilter) => void;
  readonly onSearch: (search: string) => void;
}) {
  const { t } = useText();
  return (
    <search className="filter-bar">
      <Segmented
        label={t('prices.show')}
        value={filter}
        options={PRICE_FILTERS.filter(
          (name) => name !== 'indirect' || name === filter || countFilter(rows, name) > 0,
        ).map((name) => ({
          value: name,
          label: `${t(LABELS[name])} ${formatCount(countFilter(rows, name))}`,
        }))}
        onChange={onFilter}
      />
      <SearchField value={search} onChange={onSearch} placeholder={t('prices.searchPlaceholder')} input={input} />
    </search>
  );
}
