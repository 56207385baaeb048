import { bucketAt } from './buckets.ts';
import { type BarRun, barRuns, lineIndexes } from './downsample.ts';
import { type Band, laneBands, laneTicks, niceTop, valueY } from './scales.ts';
import type { AxisTick, ChartBucket, ChartData, ChartLane, ChartSeries } from './types.ts';

/** px under the plot for the time labels. */
const X_LABELS = 22;
const TOP = 8;
const RIGHT = 16;
/** px of a label beside the plot: about the mean width of digits and a unit, and the gap to the plot. */
const DIGIT = 7.2;
const LABEL_GAP = 10;
/** Minimum px between the centers of two time labels. */
const X_LABEL_SPACE = 76;

interface PointView {
  readonly x: number;
  /** null = unknown. */
  readonly y: number | null;
  readonly partial: boolean;
}

export interface LineView {
  readonly series: ChartSeries;
  readonly points: readonly PointView[];
}

export interface LaneView {
  readonly lane: ChartLane;
  /** px from the top of the whole drawing. */
  readonly band: Band;
  readonly top: number;
  readonly ticks: readonly { readonly y: number; readonly label: string }[];
  readonly bars: readonly ChartSeries[];
  readonly runs: readonly BarRun[];
  readonly lines: readonly LineView[];
}

/** All positions of a chart in px of the page. */
export interface ChartView {
  readonly data: ChartData;
  readonly width: number;
  readonly height: number;
  /** Plot, without the labels around it. */
  readonly plot: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  readonly lanes: readonly LaneView[];
  readonly ticks: readonly { readonly x: number; readonly label: string }[];
  readonly xOf: (ms: number) => number;
  /** Index of the bucket under a position, −1 without any. */
  readonly indexAt: (x: number) => number;
}

/** The part of a bucket that has happened and lies inside the range: only that is drawn. */
export function shownSpan(
  bucket: ChartBucket,
  { fromMs, toMs, nowMs }: Pick<ChartData, 'fromMs' | 'toMs' | 'nowMs'>,
): { readonly startMs: number; readonly endMs: number } {
  const startMs = Math.max(bucket.startMs, fromMs);
  const present = nowMs !== undefined && nowMs > startMs && nowMs < bucket.endMs ? nowMs : bucket.endMs;
  return { startMs, endMs: Math.max(startMs, Math.min(present, toMs)) };
}

/** Where the points of a bucket are, ms: inside the plot, whatever the range cuts. */
export function middle(bucket: ChartBucket, data: Pick<ChartData, 'fromMs' | 'toMs' | 'nowMs'>): number {
  const { startMs, endMs } = shownSpan(bucket, data);
  return (startMs + endMs) / 2;
}

/** Largest value of a lane: bars of one bucket add up, lines do not. */
function laneMax(lane: ChartLane): number {
  const bars = lane.series.filter((series) => series.kind === 'bars');
  let max = 0;
  for (const series of lane.series) {
    for (const [index, value] of series.values.entries()) {
      if (series.kind === 'line') max = Math.max(max, value ?? 0);
      else if (series === bars[0]) {
        max = Math.max(
          max,
          bars.reduce((sum, bar) => sum + (bar.values[index] ?? 0), 0),
        );
      }
    }
  }
  return max;
}

export function chartView(
  data: ChartData,
  width: number,
  height: number,
  timeTicks: (fromMs: number, toMs: number, most: number) => readonly AxisTick[],
): ChartView {
  const plotHeight = Math.max(0, height - TOP - X_LABELS);
  const bands = laneBands(data.lanes, plotHeight).map((band) => ({ top: band.top + TOP, bottom: band.bottom + TOP }));
  const scales = data.lanes.map((lane, index) => {
    const band = bands[index] ?? { top: TOP, bottom: TOP };
    const top = niceTop(laneMax(lane), lane.whole, lane.limit);
    const ticks = laneTicks(top, band.bottom - band.top).map((value) => ({
      y: valueY(value, top, band),
      label: lane.axis(value),
    }));
    return { lane, band, top, ticks };
  });
  const labels = scales.flatMap((scale) => scale.ticks.map((tick) => tick.label.length));
  const left = Math.ceil(Math.max(2, ...labels) * DIGIT) + LABEL_GAP;
  const plot = { left, top: TOP, width: Math.max(1, width - left - RIGHT), height: plotHeight };
  const span = Math.max(1, data.toMs - data.fromMs);
  const xOf = (ms: number) => plot.left + ((ms - data.fromMs) / span) * plot.width;
  const most = Math.max(2, Math.floor(plot.width / X_LABEL_SPACE));
  return {
    data,
    width,
    height,
    plot,
    xOf,
    lanes: scales.map((scale) => laneView(data, scale, xOf)),
    ticks: timeTicks(data.fromMs, data.toMs, most).map((tick) => ({ x: xOf(tick.atMs), label: tick.label })),
    indexAt: (x) => bucketAt(data.buckets, data.fromMs + ((x - plot.left) / plot.width) * span),
  };
}

function laneView(
  data: ChartData,
  scale: Pick<LaneView, 'lane' | 'band' | 'top' | 'ticks'>,
  xOf: (ms: number) => number,
): LaneView {
  const { buckets } = data;
  const bars = scale.lane.series.filter((series) => series.kind === 'bars');
  const runs = barRuns(
    buckets,
    bars.map((series) => series.values),
  );
  const lines = scale.lane.series
    .filter((series) => series.kind === 'line')
    .map((series) => ({
      series,
      points: lineIndexes(series.values.slice(0, buckets.length)).flatMap((index) => {
        const bucket = buckets[index];
        const value = series.values[index] ?? null;
        if (bucket === undefined) return [];
        const y = value === null ? null : valueY(value, scale.top, scale.band);
        return [{ x: xOf(middle(bucket, data)), y, partial: bucket.partial === true }];
      }),
    }));
  return { ...scale, bars, runs: bars.length === 0 ? [] : runs, lines };
}
