import { valueY } from './scales.ts';
import type { ChartColor } from './types.ts';
import { type ChartView, type LaneView, shownSpan } from './view.ts';

export interface BarRect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly color: ChartColor;
  readonly partial: boolean;
}

/** Minimum visible width of a gap, px. */
const MIN_GAP_WIDTH = 3;

/** Bars of a lane in px; those of one bucket are stacked in series order. */
export function barRects({ data, xOf, plot }: ChartView, { band, top, bars, runs }: LaneView): readonly BarRect[] {
  const rects: BarRect[] = [];
  for (const { bucket, values } of runs) {
    const { startMs, endMs } = shownSpan(bucket, data);
    const from = Math.max(plot.left, xOf(startMs));
    const to = Math.min(plot.left + plot.width, xOf(endMs));
    // A space between bars, as long as the bars stay wider than it.
    const space = to - from >= 6 ? 2 : to - from >= 3 ? 1 : 0;
    const [x, end] = [Math.round(from + space / 2), Math.round(to - space / 2)];
    let sum = 0;
    for (const [index, series] of bars.entries()) {
      const value = values[index] ?? 0;
      if (value <= 0) continue;
      const [bottomY, topY] = [valueY(sum, top, band), valueY(sum + value, top, band)];
      // Any value other than 0 is visible, however small.
      const height = Math.max(1, Math.round(bottomY) - Math.round(topY));
      const y = Math.round(bottomY) - height;
      rects.push({ x, y, width: Math.max(1, end - x), height, color: series.color, partial: bucket.partial === true });
      sum += value;
    }
  }
  return rects;
}

/** Bands of the gaps inside the plot, from left to right and without overlap; `series` = only those that concern it. */
export function gapBands(
  { data, xOf, plot }: ChartView,
  series?: string,
): readonly { readonly x: number; readonly width: number }[] {
  const right = plot.left + plot.width;
  const bands: { x: number; width: number }[] = [];
  for (const gap of [...(data.gaps ?? [])].sort((a, b) => a.fromMs - b.fromMs)) {
    if (series !== undefined && gap.series !== undefined && !gap.series.includes(series)) continue;
    const from = Math.max(plot.left, xOf(gap.fromMs));
    const to = Math.min(right, Math.max(xOf(gap.toMs), from + MIN_GAP_WIDTH));
    if (to <= from) continue;
    const last = bands.at(-1);
    if (last !== undefined && from <= last.x + last.width) last.width = Math.max(last.width, to - last.x);
    else bands.push({ x: from, width: to - from });
  }
  return bands;
}
