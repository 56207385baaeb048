import { Stack } from '@mantine/core';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { useKeyNames } from '../../platform/queries/queries.ts';
import { filterLabels } from '../../platform/requests/filter-labels.ts';
import { countFilters } from '../../platform/requests/request-filters.ts';
import { Chips } from '../../ui/requests/chips.tsx';
import { EntityFilters } from '../../ui/requests/entity-filters.tsx';
import { FilterButton } from '../../ui/requests/filter-button.tsx';
import { type ReportSearch, reportFiltersOf, requestFiltersOf } from './report-search.ts';
import type { useReportOptions } from './use-report.ts';

interface ReportFiltersProps {
  readonly search: ReportSearch;
  readonly options: ReturnType<typeof useReportOptions>;
  readonly onChange: (next: Partial<ReportSearch>) => void;
}

interface ReportFilterButtonProps extends ReportFiltersProps {
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
}

/** Client keys, models, accounts and providers that the report is limited to. */
export function ReportFilterButton({ search, options, onChange, open, onOpen }: ReportFilterButtonProps) {
  const keyNames = useKeyNames();
  const masker = useMasker();
  const filters = requestFiltersOf(search.filters);
  return (
    <FilterButton count={countFilters(filters)} open={open} onOpen={onOpen}>
      <Stack>
        <EntityFilters
          search={filters}
          onChange={(next) => onChange({ filters: reportFiltersOf(next) })}
          selectors={options.selectors}
          keyNames={keyNames}
          masker={masker}
        />
      </Stack>
    </FilterButton>
  );
}

/** Every filter with a way to remove it, and as text on paper. */
export function ReportFilterChips({ search, options, onChange }: ReportFiltersProps) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const keyNames = useKeyNames();
  const masker = useMasker();
  const filters = requestFiltersOf(search.filters);
  if (countFilters(filters) === 0) return null;
  const { selectors } = options;
  const labels = filterLabels(filters, { t, locale, keyNames, masker, zone, selectors, rare: undefined });
  return (
    <>
      <Chips search={filters} labels={labels} onChange={(next) => onChange({ filters: reportFiltersOf(next) })} />
      <p className="only-print">{t('report.filtered', { filters: labels.map(({ label }) => label).join(' · ') })}</p>
    </>
  );
}
