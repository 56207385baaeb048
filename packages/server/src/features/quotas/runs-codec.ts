import type { RowEnd, Run, Runs, RunWindow, Told } from './runs.ts';

/** The runs of an account as JSON, without member names: hundreds of them are read and written every second. */
type StoredRuns = readonly [source: Runs['source'], scope: string, newestMs: number, runs: readonly StoredRun[]];
type StoredRun = readonly [
  content: string,
  sinceMs: number,
  last: StoredTold,
  previous: StoredTold | null,
  times: number,
  windows: readonly (StoredWindow | null)[],
];
type StoredTold = readonly [atMs: number, id: string, ...percents: readonly (number | null)[]];
type StoredWindow = readonly [
  id: string,
  row: number,
  from: number | null,
  to: number | null,
  before: StoredEnd | null,
];
type StoredEnd = readonly [
  atMs: number,
  id: string,
  usedPercent: number | null,
  startMs: number | null,
  endMs: number | null,
  rest: string | null,
];

export function encodeRuns({ source, inventoryScope, newestMs, runs }: Runs): string {
  return JSON.stringify([source, inventoryScope, newestMs, runs.map(listedRun)] satisfies StoredRuns);
}

export function decodeRuns(text: string): Runs {
  const [source, inventoryScope, newestMs, runs] = JSON.parse(text) as StoredRuns;
  return { source, inventoryScope, newestMs, runs: runs.map(namedRun) };
}

function listedRun({ content, sinceMs, last, previous, times, windows }: Run): StoredRun {
  const told = previous === null ? null : listedTold(previous);
  return [content, sinceMs, listedTold(last), told, times, windows.map(listedWindow)];
}

function namedRun([content, sinceMs, last, previous, times, windows]: StoredRun): Run {
  const told = previous === null ? null : namedTold(previous);
  return { content, sinceMs, last: namedTold(last), previous: told, times, windows: windows.map(namedWindow) };
}

function listedTold({ atMs, id, percents }: Told): StoredTold {
  return [atMs, id, ...percents];
}

function namedTold([atMs, id, ...percents]: StoredTold): Told {
  return { atMs, id, percents };
}

function listedWindow(window: RunWindow | null): StoredWindow | null {
  if (window === null) return null;
  const { id, row, ends, before } = window;
  return [id, row, ends.from, ends.to, before === null ? null : listedEnd(before)];
}

function namedWindow(window: StoredWindow | null): RunWindow | null {
  if (window === null) return null;
  const [id, row, from, to, before] = window;
  return { id, row, ends: { from, to }, before: before === null ? null : namedEnd(before) };
}

function listedEnd({ atMs, id, usedPercent, startMs, endMs, rest }: RowEnd): StoredEnd {
  return [atMs, id, usedPercent, startMs, endMs, rest];
}

function namedEnd([atMs, id, usedPercent, startMs, endMs, rest]: StoredEnd): RowEnd {
  return { atMs, id, usedPercent, startMs, endMs, rest };
}
