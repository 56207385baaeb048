import type { ChartColor, ChartSeries } from './types.ts';

const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

/** Color and dash of the n-th entity of a page, from 0. An entity keeps its number when filtered. */
export function seriesStyle(index: number): Pick<ChartSeries, 'color' | 'dash'> {
  const color = `series-${(index % 8) + 1}` as ChartColor;
  return { color, dash: DASHES[index % 4] ?? [] };
}

/** Parts with the same style on every page. */
export const FIXED_COLORS = {
  requests: 'series-1',
  failed: 'bad-fill',
  cached: 'series-1-soft',
  input: 'series-1',
  output: 'series-3',
  reasoning: 'series-4',
  tokens: 'series-8',
} as const satisfies Record<string, ChartColor>;
