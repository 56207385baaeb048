import { barRects, gapBands } from './shapes.ts';
import type { ChartColor } from './types.ts';
import type { ChartView, LaneView, LineView } from './view.ts';

/** Colors of the theme, by token name. */
export interface ChartColors {
  readonly of: (token: ChartColor | 'surface' | 'line' | 'line-strong' | 'mute' | 'ink-2' | 'ink-3') => string;
  readonly font: string;
}

type Context = CanvasRenderingContext2D;

/** Dash pattern of incomplete parts, px. */
const PARTIAL_DASH = [2, 3];
const PARTIAL_OPACITY = 0.35;
const HATCH_SPACING = 5;

/** Draws the whole chart; the context is scaled to CSS px. */
export function drawChart(context: Context, view: ChartView, colors: ChartColors): void {
  context.save();
  context.font = `400 11px ${colors.font}`;
  for (const lane of view.lanes) drawGrid(context, view, lane, colors);
  drawTimeLabels(context, view, colors);
  for (const lane of view.lanes) drawBars(context, view, lane, colors);
  drawGaps(context, view, colors);
  for (const { lines } of view.lanes) {
    const quiet = (line: LineView) => line.series.color === 'line-strong';
    for (const line of [...lines.filter(quiet), ...lines.filter((one) => !quiet(one))]) {
      context.save();
      // A line breaks at both edges of a gap.
      clipOutsideGaps(context, view, line.series.id);
      drawLine(context, line, colors);
      context.restore();
    }
  }
  drawNow(context, view, colors);
  context.restore();
}

function horizontal(context: Context, x: number, y: number, width: number): void {
  // On the middle of a pixel, else a line is blurred over two pixels.
  const at = Math.round(y) + 0.5;
  context.beginPath();
  context.moveTo(x, at);
  context.lineTo(x + width, at);
  context.stroke();
}

function drawGrid(context: Context, { plot }: ChartView, lane: LaneView, colors: ChartColors): void {
  context.lineWidth = 1;
  for (const [index, tick] of lane.ticks.entries()) {
    context.strokeStyle = colors.of(index === 0 ? 'line-strong' : 'line');
    horizontal(context, plot.left, tick.y, plot.width);
    context.fillStyle = colors.of('ink-3');
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    context.fillText(tick.label, plot.left - 8, tick.y + 0.5);
  }
  if (lane.lane.title === '') return;
  context.fillStyle = colors.of('ink-2');
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  context.fillText(lane.lane.title, plot.left, lane.band.top - 6);
}

function drawTimeLabels(context: Context, { ticks, plot, height }: ChartView, colors: ChartColors): void {
  context.fillStyle = colors.of('ink-3');
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  for (const { x, label } of ticks) {
    const half = context.measureText(label).width / 2;
    // The first and last label stay inside the drawing.
    context.fillText(
      label,
      Math.min(Math.max(x, plot.left - 8 + half), plot.left + plot.width + 14 - half),
      height - 4,
    );
  }
}

function drawBars(context: Context, view: ChartView, lane: LaneView, colors: ChartColors): void {
  for (const rect of barRects(view, lane)) {
    const color = colors.of(rect.color);
    context.fillStyle = color;
    if (!rect.partial) {
      context.fillRect(rect.x, rect.y, rect.width, rect.height);
      continue;
    }
    context.globalAlpha = PARTIAL_OPACITY;
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    context.globalAlpha = 1;
    context.strokeStyle = color;
    context.lineWidth = 1;
    context.setLineDash(PARTIAL_DASH);
    context.strokeRect(rect.x + 0.5, rect.y + 0.5, Math.max(0, rect.width - 1), Math.max(0, rect.height - 1));
    context.setLineDash([]);
  }
}

function drawLine(context: Context, { series, points }: LineView, colors: ChartColors): void {
  context.strokeStyle = colors.of(series.color);
  context.lineWidth = series.primary === true ? 2 : 1.5;
  context.lineJoin = 'round';
  const unfinished = (): void => {
    context.beginPath();
    for (const [index, to] of points.entries()) {
      const from = points[index - 1];
      if (from === undefined || from.y === null || to.y === null || !(from.partial || to.partial)) continue;
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
    }
    context.stroke();
  };
  const whole = (): void => {
    // One path, so that dashes continue from segment to segment.
    context.beginPath();
    let pen = false;
    for (const [index, to] of points.entries()) {
      const from = points[index - 1];
      if (to.y === null || to.partial) pen = false;
      else if (pen && from !== undefined) context.lineTo(to.x, to.y);
      else {
        context.moveTo(to.x, to.y);
        pen = true;
      }
    }
    context.stroke();
  };
  context.setLineDash([...(series.dash ?? [])]);
  whole();
  context.setLineDash(PARTIAL_DASH);
  unfinished();
  context.setLineDash([]);
  drawLonePoints(context, points, colors.of(series.color));
}

/** A value between two unknown ones has no line, so it is a dot. */
function drawLonePoints(context: Context, points: LineView['points'], color: string): void {
  context.fillStyle = color;
  for (const [index, point] of points.entries()) {
    if (point.y === null || (points[index - 1]?.y ?? null) !== null || (points[index + 1]?.y ?? null) !== null)
      continue;
    context.beginPath();
    context.arc(point.x, point.y, 2, 0, 2 * Math.PI);
    context.fill();
  }
}

function drawGaps(context: Context, view: ChartView, colors: ChartColors): void {
  for (const { band } of view.lanes) {
    for (const { x, width } of gapBands(view)) {
      const height = band.bottom - band.top;
      context.save();
      context.beginPath();
      context.rect(x, band.top, width, height);
      context.clip();
      context.fillStyle = colors.of('surface');
      context.fillRect(x, band.top, width, height);
      context.strokeStyle = colors.of('mute');
      context.lineWidth = 1;
      context.beginPath();
      for (let offset = -height; offset < width; offset += HATCH_SPACING) {
        context.moveTo(x + offset, band.bottom);
        context.lineTo(x + offset + height, band.top);
      }
      context.stroke();
      context.restore();
    }
  }
}

function clipOutsideGaps(context: Context, view: ChartView, series: string): void {
  const bands = gapBands(view, series);
  if (bands.length === 0) return;
  context.beginPath();
  let left = 0;
  for (const { x, width } of bands) {
    context.rect(left, 0, Math.max(0, x - left), view.height);
    left = x + width;
  }
  context.rect(left, 0, Math.max(0, view.width - left), view.height);
  context.clip();
}

function drawNow(context: Context, { data, plot, xOf }: ChartView, colors: ChartColors): void {
  if (data.nowMs === undefined || data.nowMs <= data.fromMs || data.nowMs >= data.toMs) return;
  const x = Math.round(xOf(data.nowMs)) + 0.5;
  context.strokeStyle = colors.of('mute');
  context.lineWidth = 1;
  context.setLineDash([2, 2]);
  context.beginPath();
  context.moveTo(x, plot.top);
  context.lineTo(x, plot.top + plot.height);
  context.stroke();
  context.setLineDash([]);
}
