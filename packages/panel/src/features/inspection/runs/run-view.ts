import type { InspectionRun, InspectionRunList } from '@manager/core/contract/inspection/runs';

/** Progress of a run; null as a total = the accounts are not listed yet. */
export interface Progress {
  readonly done: number;
  readonly total: number | null;
}

export function progressOf(run: InspectionRun): Progress {
  const listed = run.totalFiles > 0 || run.sampledCount > 0;
  return { done: inspectedOf(run), total: listed ? run.sampledCount : null };
}

/** Accounts with a result: each has one suggestion. */
export function inspectedOf(run: InspectionRun): number {
  return Object.values(suggestionsOf(run)).reduce((sum, count) => sum + count, 0);
}

/** Time from start to end, or to now while it runs, ms. */
export function runDuration(run: InspectionRun, nowMs: number): number | null {
  if (run.finishedAtMs !== undefined) return Math.max(0, run.finishedAtMs - run.startedAtMs);
  return run.active ? Math.max(0, nowMs - run.startedAtMs) : null;
}

/** The list with a newer state of a run: at its position, or at the front. */
export function withRun(list: InspectionRunList | undefined, run: InspectionRun): InspectionRunList | undefined {
  if (list === undefined) return list;
  const known = list.items.some(({ id }) => id === run.id);
  return { items: known ? list.items.map((item) => (item.id === run.id ? run : item)) : [run, ...list.items] };
}

export interface Suggestions {
  readonly delete: number;
  readonly disable: number;
  readonly enable: number;
  readonly reauth: number;
  readonly keep: number;
}

/** Suggestions that a run has counted so far. */
export function suggestionsOf(run: InspectionRun): Suggestions {
  const { deleteCount, disableCount, enableCount, reauthCount, keepCount } = run;
  return { delete: deleteCount, disable: disableCount, enable: enableCount, reauth: reauthCount, keep: keepCount };
}
