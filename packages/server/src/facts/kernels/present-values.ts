import type { Section } from '../section.ts';
import type { Dimension, DimensionCodes } from './dimensions.ts';
import { areWhole } from './from-sums.ts';

/** The values of a time dimension with an event, such as the local dates. */
export function presentValuesSection(dimension: Dimension): Section<Set<number>> {
  return {
    key: `present:${dimension.key}`,
    columns: dimension.columns,
    create: () => new Set(),
    add: (values, rows) => addPresent(values, dimension.codes(rows)),
    sums: {
      grouping: 'times',
      add(values, rows) {
        const isWhole = areWhole([dimension], rows);
        if (isWhole) addPresent(values, dimension.codes(rows));
        return isWhole;
      },
    },
    exchange: {
      pack: (values) => values,
      merge(values, packed: ReadonlySet<number>) {
        for (const value of packed) values.add(value);
      },
    },
    clone: (values) => new Set(values),
    bytes: (values) => values.size * 32,
  };
}

/** A time dimension has codes only for selected rows. */
function addPresent(values: Set<number>, present: DimensionCodes): void {
  for (let code = 0; code < present.count; code++) values.add(present.valueOf(code)[0] ?? 0);
}
