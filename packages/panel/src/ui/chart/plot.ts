import uPlot from 'uplot';
import { createMark, listenToDrags, type TimeSpan } from './drag.ts';
import { type ChartColors, drawChart } from './draw.ts';
import { type ChartView, middle } from './view.ts';

/** One drawing surface with a cursor. */
export interface LanePlot {
  readonly update: (view: ChartView, colors: ChartColors) => void;
  /** Moves the cursor to a bucket, for the keyboard; −1 removes it. */
  readonly point: (index: number) => void;
  /** Marks a part of the time axis, for the keyboard; null removes the mark. */
  readonly mark: (span: TimeSpan | null) => void;
  readonly destroy: () => void;
}

interface LanePlotOptions {
  readonly root: HTMLElement;
  readonly view: ChartView;
  readonly colors: ChartColors;
  /** The cursor moved to another bucket, −1 = it left. */
  readonly onIndex: (index: number) => void;
  readonly onPick: (index: number) => void;
  /** A part of the time axis was dragged over; `canDrag` = whether anything follows. */
  readonly onRange: (span: TimeSpan) => void;
  readonly canDrag: () => boolean;
}

/**
 * The library provides canvas, resolution, resizing and cursor; scales and shapes are drawn here, because lanes share one plot,
 * bars have the width of their bucket, and gaps and partial buckets have their own style.
 */
export function createLanePlot({
  root,
  view: first,
  colors: firstColors,
  onIndex,
  onPick,
  onRange,
  canDrag,
}: LanePlotOptions): LanePlot {
  let view = first;
  let colors = firstColors;
  const dataOf = (): uPlot.AlignedData => {
    const middles = view.data.buckets.map((bucket) => middle(bucket, view.data));
    return [middles, middles.map(() => 0)];
  };
  /** px from the left edge of the plot; null without such a bucket. */
  const positionOf = (index: number): number | null => {
    const bucket = view.data.buckets[index];
    return bucket === undefined ? null : view.xOf(middle(bucket, view.data)) - view.plot.left;
  };
  const indexUnder = (plot: uPlot): number => {
    const { left = -1 } = plot.cursor;
    return left < 0 ? -1 : view.indexAt(view.plot.left + left);
  };
  const plot = new uPlot(
    {
      width: view.width,
      height: view.height,
      padding: [
        () => view.plot.top,
        () => view.width - view.plot.left - view.plot.width,
        () => view.height - view.plot.top - view.plot.height,
        () => view.plot.left,
      ],
      legend: { show: false },
      cursor: {
        y: false,
        // On the points of its bucket.
        move: (_, left, top) => [left < 0 ? left : (positionOf(view.indexAt(view.plot.left + left)) ?? left), top],
        drag: { x: false, y: false, setScale: false },
        points: { show: false },
      },
      scales: {
        x: { time: false, range: () => [view.data.fromMs, Math.max(view.data.toMs, view.data.fromMs + 1)] },
        y: { range: () => [0, 1] },
      },
      axes: [{ show: false }, { show: false }],
      series: [{}, { paths: () => null, points: { show: false } }],
      hooks: {
        draw: [
          (drawn) => {
            const ratio = drawn.ctx.canvas.width / Math.max(1, view.width);
            drawn.ctx.save();
            drawn.ctx.scale(ratio, ratio);
            drawChart(drawn.ctx, view, colors);
            drawn.ctx.restore();
          },
        ],
        setCursor: [(moved) => onIndex(indexUnder(moved))],
      },
    },
    dataOf(),
    root,
  );
  const mark = createMark(plot);
  listenToDrags({
    plot,
    mark,
    view: () => view,
    onRange,
    enabled: canDrag,
    onClick: () => {
      const index = indexUnder(plot);
      if (index >= 0) onPick(index);
    },
  });
  return {
    update: (next, nextColors) => {
      const resized = next.width !== view.width || next.height !== view.height;
      view = next;
      colors = nextColors;
      if (resized) plot.setSize({ width: view.width, height: view.height });
      // Padding depends on the labels of the scales, so it is computed again.
      plot.setData(dataOf());
      plot.redraw(true, true);
    },
    point: (index) => {
      const left = positionOf(index);
      plot.setCursor(left === null ? { left: -10, top: -10 } : { left, top: 1 });
    },
    mark: (span) => mark(view, span),
    destroy: () => plot.destroy(),
  };
}
