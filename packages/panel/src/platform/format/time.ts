import { isoWithOffset as isoAtOffset } from '@manager/core/time/iso';
import { NONE } from './format.ts';

/** Instants are ms everywhere; only here they become text or local days. */

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(
  locale: string,
  zone: string,
  name: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${locale}|${zone}|${name}`;
  let found = formatters.get(key);
  if (found === undefined) {
    found = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone, hourCycle: 'h23' });
    formatters.set(key, found);
  }
  return found;
}

const known = (ms: number | null | undefined): ms is number =>
  ms !== null && ms !== undefined && Number.isFinite(ms) && ms > 0;

/** `14:32:06` */
export function timeOfDay(ms: number | null | undefined, zone: string): string {
  if (!known(ms)) return NONE;
  return formatter('en-GB', zone, 'time', { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(ms);
}

/** `27 Aug 14:32:06`; optionally with the year. */
export function dateAndTime(ms: number | null | undefined, zone: string, locale: string, year = false): string {
  if (!known(ms)) return NONE;
  const date = formatter(locale, zone, year ? 'dated' : 'date', {
    day: 'numeric',
    month: 'short',
    ...(year ? { year: 'numeric' } : {}),
  }).format(ms);
  return `${date} ${timeOfDay(ms, zone)}`;
}

/** `14:32` */
export function hourAndMinute(ms: number, zone: string): string {
  return formatter('en-GB', zone, 'minute', { hour: '2-digit', minute: '2-digit' }).format(ms);
}

/** `27 Aug` */
export function shortDate(ms: number, zone: string, locale: string): string {
  return formatter(locale, zone, 'date', { day: 'numeric', month: 'short' }).format(ms);
}

/** `27 Aug 2025` */
export function datedDay(ms: number, zone: string, locale: string): string {
  return formatter(locale, zone, 'dated', { day: 'numeric', month: 'short', year: 'numeric' }).format(ms);
}

/** `21 Jul – 28 Nov 2026`: shared parts appear once. */
export function dayRange(fromMs: number, toMs: number, zone: string, locale: string): string {
  const options = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  return formatter(locale, zone, 'dated', options).formatRange(fromMs, toMs);
}

/** Time alone on the day of `nowMs`, with the date on other days. */
export function shortTime(ms: number | null | undefined, nowMs: number, zone: string, locale: string): string {
  if (!known(ms)) return NONE;
  return isSameDay(ms, nowMs, zone) ? timeOfDay(ms, zone) : dateAndTime(ms, zone, locale);
}

/** `14:32` on the day of `nowMs`, `27 Aug` on others: for narrow places. */
export function dayOrTime(ms: number | null | undefined, nowMs: number, zone: string, locale: string): string {
  if (!known(ms)) return NONE;
  return isSameDay(ms, nowMs, zone) ? hourAndMinute(ms, zone) : shortDate(ms, zone, locale);
}

interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Wall clock of an instant in a zone. */
function localTime(ms: number, zone: string): LocalTime {
  const parts = formatter('en-GB', zone, 'parts', {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(ms);
  const value = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((part) => part.type === type)?.value ?? 0);
  return {
    year: value('year'),
    month: value('month'),
    day: value('day'),
    hour: value('hour'),
    minute: value('minute'),
    second: value('second'),
  };
}

const asUtc = (local: LocalTime): number =>
  Date.UTC(local.year, local.month - 1, local.day, local.hour, local.minute, local.second);

/** Offset of a zone at an instant, ms. */
export function zoneOffset(ms: number, zone: string): number {
  const whole = Math.floor(ms / 1000) * 1000;
  return asUtc(localTime(whole, zone)) - whole;
}

/**
 * Instant of a wall clock time. For a repeated hour the first, for a skipped one the first instant after it, which suits days
 * that begin at a skipped midnight.
 */
function instantOf(local: LocalTime, zone: string): number {
  const utc = asUtc(local);
  const before = zoneOffset(utc - 86_400_000, zone);
  const after = zoneOffset(utc + 86_400_000, zone);
  const candidates = [utc - before, utc - after].filter((ms) => asUtc(localTime(ms, zone)) === utc);
  return candidates.length > 0 ? Math.min(...candidates) : utc - before;
}

/** A wall clock some months and days earlier; days that a month lacks overflow into the next one. */
function earlier(local: LocalTime, months: number, days: number): LocalTime {
  const shifted = new Date(Date.UTC(local.year, local.month - 1 - months, local.day - days));
  return {
    ...local,
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
  };
}

const MIDNIGHT = { hour: 0, minute: 0, second: 0 } as const;

/** First instant of the local day, `daysBack` days earlier when given. */
export function startOfDay(ms: number, zone: string, daysBack = 0): number {
  return instantOf({ ...earlier(localTime(ms, zone), 0, daysBack), ...MIDNIGHT }, zone);
}

/** First instant of the next local day, from a day's start: 36 h later is the next day, whether this one has 23, 24 or 25 h. */
export const nextDay = (startMs: number, zone: string): number => startOfDay(startMs + 36 * 3_600_000, zone);

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Weekday of an instant in a zone, 0 = Sunday. */
export const weekdayOf = (ms: number, zone: string): number =>
  WEEKDAYS.indexOf(formatter('en-US', zone, 'weekday', { weekday: 'short' }).format(ms));

/** First instant of the local week, which begins with a Monday; `weeksBack` weeks earlier when given. */
export function startOfWeek(ms: number, zone: string, weeksBack = 0): number {
  const { year, month, day } = localTime(ms, zone);
  const sinceMonday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
  return startOfDay(ms, zone, sinceMonday + 7 * weeksBack);
}

/** First instant of the local month, `monthsBack` months earlier when given. */
export function startOfMonth(ms: number, zone: string, monthsBack = 0): number {
  return instantOf({ ...earlier({ ...localTime(ms, zone), day: 1 }, monthsBack, 0), ...MIDNIGHT }, zone);
}

/** The zone conversion uses whole seconds; milliseconds are kept. */
const fraction = (ms: number): number => ms - Math.floor(ms / 1000) * 1000;

/** The same time of day some days earlier. */
export function daysEarlier(ms: number, zone: string, days: number): number {
  return instantOf(earlier(localTime(ms, zone), 0, days), zone) + fraction(ms);
}

/** The same day and time some months earlier; the end of a month that has no such day. */
export function monthsEarlier(ms: number, zone: string, months: number): number {
  const same = instantOf(earlier(localTime(ms, zone), months, 0), zone) + fraction(ms);
  return Math.min(same, startOfMonth(ms, zone, months - 1));
}

/** Maximum distance of two instants of one local day, ms: clocks are set back by two hours at most. */
const LONGEST_DAY_MS = 26 * 3_600_000;

/** Whether two instants are on one local day. Fast path: many times are compared with now, most of them of other days. */
export function isSameDay(ms: number, otherMs: number, zone: string): boolean {
  if (Math.abs(ms - otherMs) >= LONGEST_DAY_MS) return false;
  const [one, other] = [localTime(ms, zone), localTime(otherMs, zone)];
  return one.day === other.day && one.month === other.month && one.year === other.year;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** A wall clock as `2026-08-27T14:32`. */
export function toInputValue(ms: number, zone: string): string {
  const local = localTime(ms, zone);
  return `${String(local.year).padStart(4, '0')}-${two(local.month)}-${two(local.day)}T${two(local.hour)}:${two(local.minute)}`;
}

/** null for what is no time of a day. */
export function fromInputValue(text: string, zone: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute] = match.slice(1).map(Number);
  return instantOf(
    { year: year ?? 0, month: month ?? 1, day: day ?? 1, hour: hour ?? 0, minute: minute ?? 0, second: 0 },
    zone,
  );
}

/** A typed time of day as `09:05`: `9`, `9:5`, `905` and `9.05` are understood; null for what is none. */
export function timeFromTyping(text: string): string | null {
  const match = /^(\d{1,2})(?:[:.](\d{1,2}))?$/.exec(text.trim()) ?? /^(\d{1,2})(\d{2})$/.exec(text.trim());
  if (match === null) return null;
  const [hour, minute] = [Number(match[1]), Number(match[2] ?? 0)];
  return hour < 24 && minute < 60 ? `${two(hour)}:${two(minute)}` : null;
}

/** ISO 8601 with the zone's offset, for copying. */
export const isoWithOffset = (ms: number, zone: string): string => isoAtOffset(ms, zoneOffset(ms, zone));

/** Name of a weekday; the first day of 2023 was a Sunday. */
export function weekdayName(weekday: number, locale: string, style: 'short' | 'long'): string {
  return new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' }).format(Date.UTC(2023, 0, 1 + weekday));
}
