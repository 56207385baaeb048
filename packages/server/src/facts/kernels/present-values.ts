import type { Section } from '../sections.ts';
import type { Dimension } from './dimensions.ts';

/** The values of a time dimension with an event, such as the local dates. */
export function presentValuesSection(dimension: Dimension): Section<Set<number>> {
  return {
    key: `present:${dimension.key}`,
    columns: dimension.columns,
    create: () => new Set(),
    add(values, rows) {
      // A time dimension has codes only for selected rows.
      const present = dimension.codes(rows);
      for (let code = 0; code < present.count; code++) values.add(present.valueOf(code)[0] ?? 0);
    },
    clone: (values) => new Set(values),
    bytes: (values) => values.size * 32,
  };
}
