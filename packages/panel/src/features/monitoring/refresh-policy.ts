/** When a page that refreshes itself asks again. */
export interface RefreshSituation {
  /** 0 = off. */
  readonly intervalMs: number;
  readonly hidden: boolean;
  /** Something makes new rows impossible or unwelcome: a range that ended, an open dialog. */
  readonly paused: boolean;
}

export const MAX_BACKOFF_MS = 300_000;

/**
 * Delay to the next refresh, null = none is planned. ±10 % keep many open panels from asking at the same moment.
 *
 * @param random number in [0, 1)
 */
export function nextRefreshDelay(situation: RefreshSituation, random: number): number | null {
  if (situation.intervalMs <= 0 || situation.hidden || situation.paused) return null;
  return Math.round(situation.intervalMs * (0.9 + 0.2 * random));
}

/**
 * Whether one part of the page takes part in a refresh: failures in a row double its own wait up to 5 min, while the
 * other parts go on.
 *
 * @param sinceLastMs since it last asked
 */
export function takesPart(intervalMs: number, failures: number, sinceLastMs: number): boolean {
  if (failures === 0) return true;
  const wait = Math.max(Math.min(intervalMs * 2 ** Math.min(failures, 16), MAX_BACKOFF_MS), intervalMs);
  // Refreshes come up to a tenth early.
  return sinceLastMs >= wait * 0.9;
}

/** On return to the tab: whether the refresh that did not happen is due. */
export function overdue(situation: RefreshSituation, sinceLastMs: number): boolean {
  return situation.intervalMs > 0 && !situation.hidden && !situation.paused && sinceLastMs >= situation.intervalMs;
}
