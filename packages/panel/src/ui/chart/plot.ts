import uPlot from 'uplot';
import { type ChartColors, drawChart } from './draw.ts';
import { type ChartView, middle } from './view.ts';

/** One drawing surface with a cursor. */
export interface LanePlot {
  readonly update: (view: ChartView, colors: ChartColors) => void;
  /** Moves the cursor to a bucket, for the keyboard; −1 removes it. */
  readonly point: (index: number) => void;
  readonly destroy: () => void;
}

interface LanePlotOptions {
  readonly root: HTMLElement;
  readonly view: ChartView;
  readonly colors: ChartColors;
  /** The cursor moved to another bucket, −1 = it left. */
  readonly onIndex: (index: number) => void;
  readonly onPick: (index: number) => void;
}

/**
 * The library provides canvas, resolution, resizing and cursor; scales and shapes are drawn here, because lanes share one plot,
 * bars have the width of their bucket, and gaps and partial buckets have their own style.
 */
export function createLanePlot({ root, view: first, colors: firstColors, onIndex, onPick }: LanePlotOptions): LanePlot {
  let view = first;
  let colors = firstColors;
  const dataOf = (): uPlot.AlignedData => {
    const middles = view.data.buckets.map(middle);
    return [middles, middles.map(() => 0)];
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
      cursor: { y: false, drag: { x: false, y: false, setScale: false }, points: { show: false } },
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
  plot.over.addEventListener('click', () => {
    const index = indexUnder(plot);
    if (index >= 0) onPick(index);
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
      const bucket = view.data.buckets[index];
      // The middle of a bucket that the range cuts may be outside the plot.
      const left =
        bucket === undefined ? -10 : Math.max(0, Math.min(view.plot.width, view.xOf(middle(bucket)) - view.plot.left));
      plot.setCursor({ left, top: bucket === undefined ? -10 : 1 });
    },
    destroy: () => plot.destroy(),
  };
}
