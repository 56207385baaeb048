import type { ChartData, ChartLane } from './types.ts';

/** With more lines in one lane, colors cannot be distinguished. */
const MAX_LINES = 4;

const lineCount = (lane: ChartLane): number => lane.series.filter((series) => series.kind === 'line').length;

/** Whether a lane of the chart has so many lines that some must be chosen. */
export function isCrowded(data: ChartData): boolean {
  return data.lanes.some((lane) => lineCount(lane) > MAX_LINES);
}

/** Lines that keep their color while none is chosen: the first of each crowded lane. */
export function firstLines(data: ChartData): ReadonlySet<string> {
  return new Set(
    data.lanes.flatMap((lane) =>
      lane.series
        .filter((series) => series.kind === 'line')
        .slice(0, MAX_LINES)
        .map((series) => series.id),
    ),
  );
}

/** Grays out the lines of crowded lanes that are not chosen; they are drawn under the others. */
export function highlight(data: ChartData, chosen: ReadonlySet<string>): ChartData {
  if (!isCrowded(data)) return data;
  const lanes = data.lanes.map((lane) => {
    if (lineCount(lane) <= MAX_LINES) return lane;
    const series = lane.series.map((one) =>
      chosen.has(one.id) ? one : { ...one, color: 'line-strong' as const, dash: [], primary: false },
    );
    return { ...lane, series };
  });
  return { ...data, lanes };
}
