/** When a page that refreshes itself asks again. */
export interface RefreshSituation {
  /** 0 = off. */
  readonly intervalMs: number;
  /** Failures in a row. */
  readonly failures: number;
  readonly hidden: boolean;
  /** Something makes new rows impossible or unwelcome: a range that ended, an open dialog. */
  readonly paused: boolean;
}

export const MAX_BACKOFF_MS = 300_000;

/**
 * Delay to the next refresh, null = none is planned. Failures double it up to 5 min; ±10 % keep many open panels from
 * asking at the same moment.
 *
 * @param random number in [0, 1)
 */
export function nextRefreshDelay(situation: RefreshSituation, random: number): number | null {
  if (situation.intervalMs <= 0 || situation.hidden || situation.paused) return null;
  const backoff = Math.min(situation.intervalMs * 2 ** Math.min(situation.failures, 16), MAX_BACKOFF_MS);
  const base = Math.max(backoff, situation.intervalMs);
  return Math.round(base * (0.9 + 0.2 * random));
}

/** On return to the tab: whether the refresh that did not happen is due. */
export function overdue(situation: RefreshSituation, sinceLastMs: number): boolean {
  return situation.intervalMs > 0 && !situation.hidden && !situation.paused && sinceLastMs >= situation.intervalMs;
}
