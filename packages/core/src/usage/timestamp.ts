import type { JsonObject } from '../json/json.ts';
import { firstExisting, type Spellings } from '../json/readers.ts';
import { trimText } from '../json/text.ts';

/** An instant with the precision of its source: `text` keeps nanoseconds, because it is part of the identity. */
export interface Instant {
  /** Milliseconds since the epoch, truncated. */
  readonly ms: number;
  /** RFC 3339 in UTC, without trailing zeros of the fraction. */
  readonly text: string;
}

export const TIME_SPELLINGS: Spellings = [
  'timestamp',
  'time',
  'created_at',
  'createdAt',
  'created',
  'request_time',
  'requestTime',
];

/** Numbers below this are seconds, the others milliseconds. */
const FIRST_MILLISECOND_VALUE = 10_000_000_000;

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))?$/;
const PLAIN_INTEGER = /^[+-]?\d+$/;

/** 0000-01-01 and the end of 9999: the range of RFC 3339. */
const FIRST_MS = -62_167_219_200_000;
export const LAST_MS = 253_402_300_799_999;

/** Whether RFC 3339 can write the instant. */
export function isInstantMs(ms: number): boolean {
  return ms >= FIRST_MS && ms <= LAST_MS;
}

/** Writes an instant of millisecond precision. */
export function instantFromMs(ms: number): Instant | null {
  return isInstantMs(ms) ? { ms, text: withFraction(ms, '') } : null;
}

function withFraction(ms: number, digits: string): string {
  const iso = new Date(ms).toISOString();
  const fraction = (digits === '' ? iso.slice(20, 23) : digits).replace(/0+$/, '');
  return fraction === '' ? `${iso.slice(0, 19)}Z` : `${iso.slice(0, 19)}.${fraction}Z`;
}

function msFromNumber(value: number): number {
  const whole = Math.trunc(value) + 0;
  return whole < FIRST_MILLISECOND_VALUE ? whole * 1000 : whole;
}

function fromNumber(value: number): Instant | null {
  return instantFromMs(msFromNumber(value));
}

function fromDateTime(text: string): Instant | null {
  const match = DATE_TIME.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const inRange = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  const dayExists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (!inRange || !dayExists || Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null;
  const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offsetMinutes * 60;
  const nanoseconds = fraction.slice(0, 9);
  const ms = date.getTime() + seconds * 1000 + Number(nanoseconds.slice(0, 3).padEnd(3, '0'));
  if (ms < FIRST_MS || ms > LAST_MS) return null;
  return { ms, text: withFraction(ms, nanoseconds === '' ? '000' : nanoseconds) };
}

/**
 * Reads one time value: RFC 3339 with any offset, date and time without an offset as UTC, seconds or milliseconds as number
 * or integer text. `null` when it is none of these.
 *
 * @example readInstant('2026-03-01T20:15:30.123456789+08:00')
 * // { ms: 1772367330123, text: '2026-03-01T12:15:30.123456789Z' }
 */
export function readInstant(value: unknown): Instant | null {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string') return null;
  const text = trimText(value);
  return PLAIN_INTEGER.test(text) ? fromNumber(Number(text)) : fromDateTime(text);
}

/** Whether `readInstant` can read a value; does not build the text of a number. */
export function isInstant(value: unknown): boolean {
  return typeof value === 'number' ? isInstantMs(msFromNumber(value)) : readInstant(value) !== null;
}

/** The time of a record; the arrival time when it has no readable one. */
export function readRecordTime(item: JsonObject, nowMs: number): Instant {
  return readInstant(firstExisting(item, TIME_SPELLINGS)) ?? { ms: nowMs, text: withFraction(nowMs, '') };
}

/**
 * Whether a record has a time; otherwise the arrival time is used, and the same record becomes another event each time.
 */
export function hasRecordTime(item: JsonObject): boolean {
  return isInstant(firstExisting(item, TIME_SPELLINGS));
}

const YEAR_2000_MS = 946_684_800_000;
const DAY_MS = 86_400_000;

/** True outside of 2000-01-01 … arrival + 1 day: such events are stored as sent but kept out of "latest" views. */
export function isImplausibleTime(timestampMs: number, arrivalMs: number): boolean {
  return timestampMs < YEAR_2000_MS || timestampMs > arrivalMs + DAY_MS;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const HTTP_DATE =
  /^[A-Za-z]{3,9}, (\d{1,2})[ -]([A-Za-z]{3})[ -](\d{4}) (\d\d:\d\d:\d\d) (?:GMT|UTC|([+-]\d\d)(\d\d))$/;

/** Smallest numbers that count as an absolute time in seconds and in milliseconds. */
const ABSOLUTE_SECONDS_ABOVE = 1e9;
const ABSOLUTE_MS_ABOVE = 1e12;

/**
 * Absolute time of a header or of an error body, in ms: RFC 3339, RFC 1123, `YYYY-MM-DD HH:MM:SS`, or a number that is large
 * enough. `null` for anything else.
 */
export function readAbsoluteMs(value: unknown): number | null {
  const number = typeof value === 'number' ? value : typeof value === 'string' ? decimalFrom(value) : null;
  if (number !== null) {
    if (number > ABSOLUTE_MS_ABOVE) return inDateRange(Math.trunc(number));
    return number > ABSOLUTE_SECONDS_ABOVE ? inDateRange(Math.trunc(number * 1000)) : null;
  }
  if (typeof value !== 'string') return null;
  const text = trimText(value);
  const match = HTTP_DATE.exec(text);
  if (match === null) return fromDateTime(text)?.ms ?? null;
  const [, day = '', month = '', year = '', clock = '', offsetHour = '+00', offsetMinute = '00'] = match;
  const monthNumber = MONTHS.indexOf(month.toLowerCase()) + 1;
  const date = `${year}-${String(monthNumber).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return fromDateTime(`${date}T${clock}${offsetHour}:${offsetMinute}`)?.ms ?? null;
}

function inDateRange(ms: number): number | null {
  return ms <= LAST_MS ? ms : null;
}

/** Decimal number of a text, without the other notations that `Number` accepts. */
export function decimalFrom(text: string): number | null {
  const trimmed = trimText(text);
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}
