/** When an automatically refreshing page sends its next request. */
export interface RefreshSituation {
  /** 0 = off. */
  readonly intervalMs: number;
  readonly hidden: boolean;
  /** New rows are impossible or unwelcome: a past range, an open dialog. */
  readonly paused: boolean;
}

export const MAX_BACKOFF_MS = 300_000;

/**
 * Delay to the next refresh, null = none. ±10 % keep many open panels from refreshing at the same moment. `random` = number in
 * [0, 1).
 */
export function nextRefreshDelay(situation: RefreshSituation, random: number): number | null {
  if (situation.intervalMs <= 0 || situation.hidden || situation.paused) return null;
  return Math.round(situation.intervalMs * (0.9 + 0.2 * random));
}

/**
 * Whether one part of the page takes part in a refresh: consecutive failures double its own delay up to 5 min, while the other
 * parts continue. `sinceLastMs` = since its last request.
 */
export function isDue(intervalMs: number, failures: number, sinceLastMs: number): boolean {
  if (failures === 0) return true;
  const wait = Math.max(Math.min(intervalMs * 2 ** Math.min(failures, 16), MAX_BACKOFF_MS), intervalMs);
  // Refreshes may come up to a tenth early.
  return sinceLastMs >= wait * 0.9;
}

/** On return to the tab: whether a skipped refresh is due. */
export function overdue(situation: RefreshSituation, sinceLastMs: number): boolean {
  return situation.intervalMs > 0 && !situation.hidden && !situation.paused && sinceLastMs >= situation.intervalMs;
}
