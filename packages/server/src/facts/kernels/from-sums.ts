import type { SumsOf } from '../section.ts';
import { groupingFor } from '../sums/groupings.ts';
import type { SumRows } from '../sums/rows.ts';
import type { Pricer } from './cost.ts';
import type { Dimension } from './dimensions.ts';
import type { SumCosts } from './exact-cost.ts';

/**
 * How a grouping by some dimensions is computed from stored sums; undefined when none are stored by all of their columns. A segment
 * is read by rows when a stretch of time has two values (a zone's offset is a part of it), or when costs are not known.
 */
export function fromSums<State>(
  dimensions: readonly Dimension[],
  pricer: Pricer,
  add: (state: State, rows: SumRows, costs: SumCosts) => void,
): SumsOf<State> | undefined {
  const grouping = groupingFor(dimensions.flatMap(({ columns }) => columns));
  if (grouping === null) return undefined;
  return {
    grouping,
    add(state, rows) {
      if (!areWhole(dimensions, rows)) return false;
      const costs = pricer.sumCosts(rows);
      if (costs === null) return false;
      add(state, rows, costs);
      return true;
    },
  };
}

export function areWhole(dimensions: readonly Dimension[], rows: SumRows): boolean {
  return dimensions.every((dimension) => dimension.isWhole?.(rows) ?? true);
}
