import { HISTORY_END_MS } from '../traffic.ts';

/** When a page asks, and over what. */
export interface Moment {
  readonly nowMs: number;
  /** Start of the range of 30 days that a page with fixed starts has (monitoring). */
  readonly fromMs: number;
  readonly timeZone: string;
}

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
/** The history ends at 20:00 of a day in this zone. */
const TIME_ZONE = 'America/New_York';
const NEW_YORK_MS = -4 * HOUR_MS;
/** As long as the panel waits between two refreshes. */
const POLL_MS = 30_000;
const DAYS = 30;

/** Midnight before, in the panel's zone. */
export function todayStartMs(nowMs: number): number {
  return Math.floor((nowMs + NEW_YORK_MS) / DAY_MS) * DAY_MS - NEW_YORK_MS;
}

/** Thirty calendar days, today included. */
export function momentAt(nowMs: number): Moment {
  return { nowMs, fromMs: todayStartMs(nowMs) - (DAYS - 1) * DAY_MS, timeZone: TIME_ZONE };
}

/** Beyond the history, where nothing changes any more: the nth refresh of a page that asked at the end of it. */
export function refreshAt(poll: number): Moment {
  return momentAt(HISTORY_END_MS + poll * POLL_MS);
}
