import type { Section } from '../sections.ts';
import type { Dimension } from './dimensions.ts';

/** The values of a time dimension that have an event, such as the local dates. */
export function presentValuesSection(dimension: Dimension): Section<Set<number>> {
  return {
    key: `present:${dimension.key}`,
    columns: dimension.columns,
    create: () => new Set(),
    add(values, rows) {
      // Every code of a time dimension was met in a selected row.
      const present = dimension.codes(rows);
      for (let code = 0; code < present.count; code++) values.add(present.valueOf(code)[0] ?? 0);
    },
    clone: (values) => new Set(values),
    bytes: (values) => values.size * 32,
  };
}
