import type { FilterLabel } from '../../platform/requests/filter-labels.ts';
import { clearFilters, countFilters, type RequestFilters } from '../../platform/requests/request-filters.ts';
import { FilterChips } from '../controls/filter-chips.tsx';

/** Every filter that hides rows, each with its way out. The line exists only when there is one. */
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
