import type { RowEnd, Run, RunObservation, Runs, RunWindow } from './runs.ts';

/** The runs of an account as JSON, without member names: hundreds of them are read and written every second. */
type StoredRuns = readonly [source: Runs['source'], scope: string, newestMs: number, runs: readonly StoredRun[]];
type StoredRun = readonly [
  content: string,
  sinceMs: number,
  last: StoredObservation,
  previous: StoredObservation | null,
  times: number,
  windows: readonly (StoredWindow | null)[],
];
type StoredObservation = readonly [atMs: number, id: string, ...percents: readonly (number | null)[]];
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
  rareMembers: string | null,
];

export function encodeRuns({ source, inventoryScope, newestMs, runs }: Runs): string {
  return JSON.stringify([source, inventoryScope, newestMs, runs.map(listedRun)] satisfies StoredRuns);
}

export function decodeRuns(text: string): Runs {
  const [source, inventoryScope, newestMs, runs] = JSON.parse(text) as StoredRuns;
  return { source, inventoryScope, newestMs, runs: runs.map(namedRun) };
}

function listedRun({ content, sinceMs, last, previous, times, windows }: Run): StoredRun {
  const before = previous === null ? null : listedObservation(previous);
  return [content, sinceMs, listedObservation(last), before, times, windows.map(listedWindow)];
}

function namedRun([content, sinceMs, last, previous, times, windows]: StoredRun): Run {
  const before = previous === null ? null : namedObservation(previous);
  return { content, sinceMs, last: namedObservation(last), previous: before, times, windows: windows.map(namedWindow) };
}

function listedObservation({ atMs, id, percents }: RunObservation): StoredObservation {
  return [atMs, id, ...percents];
}

function namedObservation([atMs, id, ...percents]: StoredObservation): RunObservation {
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

function listedEnd({ atMs, id, usedPercent, startMs, endMs, rareMembers }: RowEnd): StoredEnd {
  return [atMs, id, usedPercent, startMs, endMs, rareMembers];
}

function namedEnd([atMs, id, usedPercent, startMs, endMs, rareMembers]: StoredEnd): RowEnd {
  return { atMs, id, usedPercent, startMs, endMs, rareMembers };
}
