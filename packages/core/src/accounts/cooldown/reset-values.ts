import { msAfter } from '../../usage/response-headers.ts';
import { decimalFrom, readAbsoluteMs } from '../../usage/timestamp.ts';

/** Smaller numbers are counters or seconds in the wrong member, not times. */
const SECONDS_ABOVE = 1e9;
const MS_ABOVE = 1e12;
/** The largest time a date can hold. */
const LAST_DATE_MS = 8.64e15;

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' ? decimalFrom(value) : null;
}

/**
 * The absolute time in a member of an error body, in ms: RFC 3339, RFC 1123, `YYYY-MM-DD HH:MM:SS`, milliseconds above
 * 10^12 or seconds above 10^9. `null` for anything else.
 *
 * @example absoluteResetMs('1700003600') // 1_700_003_600_000
 */
export function absoluteResetMs(value: unknown): number | null {
  const number = numberOf(value);
  if (number === null) return readAbsoluteMs(value);
  const ms = number > MS_ABOVE ? Math.floor(number) : number > SECONDS_ABOVE ? Math.floor(number) * 1000 : null;
  return ms === null || ms > LAST_DATE_MS ? null : ms;
}

/** The time a given number of seconds after the event, in ms; `null` when that is not a number above 0. */
export function relativeResetMs(value: unknown, eventMs: number): number | null {
  const seconds = numberOf(value);
  return seconds === null || seconds <= 0 ? null : msAfter(eventMs, seconds);
}
