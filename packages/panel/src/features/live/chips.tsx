import { FilterChips } from '../../ui/filter-chips.tsx';
import type { FilterLabel } from './filter-labels.ts';
import { clearFilters, countFilters, type LiveSearch } from './live-search.ts';

/** Every filter that hides rows, each with its way out. The line exists only when there is one. */
export function Chips({
  search,
  labels,
  onChange,
}: {
  readonly search: LiveSearch;
  readonly labels: readonly FilterLabel[];
  readonly onChange: (next: LiveSearch) => void;
}) {
  return (
    <FilterChips
      chips={labels.map(({ key, label, without }) => ({ key, label, onRemove: () => onChange(without) }))}
      onClear={countFilters(search) > 0 ? () => onChange(clearFilters(search)) : null}
    />
  );
}
