import { HISTORY_END_MS } from '../traffic.ts';

/** When a page asks, and over which range. */
export interface Moment {
  readonly nowMs: number;
  /** Start of the 30-day range of a page with fixed starts (monitoring). */
  readonly fromMs: number;
  readonly timeZone: string;
}

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
/** The history ends at 20:00 in this zone. */
const TIME_ZONE = 'America/New_York';
const NEW_YORK_MS = -4 * HOUR_MS;
/** The panel's interval between two refreshes. */
const POLL_MS = 30_000;
const DAYS = 30;

/** The previous midnight in the panel's zone. */
export function todayStartMs(nowMs: number): number {
  return Math.floor((nowMs + NEW_YORK_MS) / DAY_MS) * DAY_MS - NEW_YORK_MS;
}

/** Thirty calendar days, including today. */
export function momentAt(nowMs: number): Moment {
  return { nowMs, fromMs: todayStartMs(nowMs) - (DAYS - 1) * DAY_MS, timeZone: TIME_ZONE };
}

/** After the history, where nothing changes: the nth refresh of a page first loaded at its end. */
export function refreshAt(poll: number): Moment {
  return momentAt(HISTORY_END_MS + poll * POLL_MS);
}
