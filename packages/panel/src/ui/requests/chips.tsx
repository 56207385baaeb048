import type { FilterLabel } from '../../platform/requests/filter-labels.ts';
import { clearFilters, countFilters, type RequestFilters } from '../../platform/requests/request-filters.ts';
import { FilterChips } from '../controls/filter-chips.tsx';

/** Every active filter, each with a button to remove it. Nothing is rendered without filters. */
export function Chips<S extends RequestFilters>({
  search,
  labels,
  onChange,
}: {
  readonly search: S;
  readonly labels: readonly FilterLabel<S>[];
  readonly onChange: (next: S) => void;
}) {
  return (
    <FilterChips
      chips={labels.map(({ without, ...chip }) => ({ ...chip, onRemove: () => onChange(without) }))}
      onClear={countFilters(search) > 0 ? () => onChange(clearFilters(search)) : null}
    />
  );
}
