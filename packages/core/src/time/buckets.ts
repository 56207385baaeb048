import type { Granularity } from '../contract/monitoring/analytics.ts';
import type { Zone } from './zones.ts';

/**
 * Buckets of local time. A bucket is identified by its start, an instant: two local hours of the same name (the hour
 * repeated in autumn) are two buckets.
 */

export type { Granularity } from '../contract/monitoring/analytics.ts';

export interface Bucket {
  readonly startMs: number;
  /**
   * Start of the next bucket. Where clocks were set back over midnight, the repeated part of the earlier date belongs
   * to its day bucket although it is after this end.
   */
  readonly endMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const DAYS_PER_WEEK = 7;
/** The epoch was a Thursday; 0 = Sunday. */
const EPOCH_WEEKDAY = 4;
/** No zone was ever farther from UTC (Manila until 1844: −15:56:08). */
const MAX_OFFSET_MS = 16 * HOUR_MS;

const WIDTH_MS: Readonly<Record<Exclude<Granularity, 'day'>, number>> = {
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  hour: HOUR_MS,
};

/**
 * The bucket of an instant: the local hour (or 5 or 15 minutes of it), cut where the offset changes inside it; or the
 * local date, from its first instant to the first instant of the next existing date.
 * @example bucketAt(createZone('Asia/Kolkata'), 'hour', 0) // { startMs: -1_800_000, endMs: 1_800_000 }
 */
export function bucketAt(zone: Zone, granularity: Granularity, ms: number): Bucket {
  return granularity === 'day' ? dayBucket(zone, localDay(zone, ms)) : clockBucket(zone, WIDTH_MS[granularity], ms);
}

/** `HH:MM` of the local start; `MM/DD` for days. */
export function bucketLabel(zone: Zone, granularity: Granularity, startMs: number): string {
  const local = new Date(startMs + zone.offsetAt(startMs));
  return granularity === 'day'
    ? `${twoDigits(local.getUTCMonth() + 1)}/${twoDigits(local.getUTCDate())}`
    : `${twoDigits(local.getUTCHours())}:${twoDigits(local.getUTCMinutes())}`;
}

/** Local hour of the day, 0–23. */
export function localHour(zone: Zone, ms: number): number {
  return Math.floor(floorModulo(ms + zone.offsetAt(ms), DAY_MS) / HOUR_MS);
}

/** Local weekday, 0 = Sunday. */
export function localWeekday(zone: Zone, ms: number): number {
  return floorModulo(localDay(zone, ms) + EPOCH_WEEKDAY, DAYS_PER_WEEK);
}

/** Days from 1970-01-01 to the local date. */
export function localDay(zone: Zone, ms: number): number {
  return Math.floor((ms + zone.offsetAt(ms)) / DAY_MS);
}

function clockBucket(zone: Zone, widthMs: number, ms: number): Bucket {
  const { offsetMs } = zone.stretchAt(ms);
  const startMs = ms - floorModulo(ms + offsetMs, widthMs);
  return {
    startMs: offsetStart(zone, ms, offsetMs, startMs),
    endMs: offsetEnd(zone, ms, offsetMs, startMs + widthMs),
  };
}

/** The change that started the offset at `ms`, if it is after `limitMs`; else `limitMs`. */
function offsetStart(zone: Zone, ms: number, offsetMs: number, limitMs: number): number {
  let { fromMs } = zone.stretchAt(ms);
  while (fromMs > limitMs) {
    const before = zone.stretchAt(fromMs - 1);
    if (before.offsetMs !== offsetMs) return fromMs;
    fromMs = before.fromMs;
  }
  return limitMs;
}

/** The change that ends the offset at `ms`, if it is before `limitMs`; else `limitMs`. */
function offsetEnd(zone: Zone, ms: number, offsetMs: number, limitMs: number): number {
  let { toMs } = zone.stretchAt(ms);
  while (toMs < limitMs) {
    const after = zone.stretchAt(toMs);
    if (after.offsetMs !== offsetMs) return toMs;
    toMs = after.toMs;
  }
  return limitMs;
}

function dayBucket(zone: Zone, day: number): Bucket {
  const startMs = firstInstantOf(zone, day) ?? day * DAY_MS;
  let next = day + 1;
  let endMs = firstInstantOf(zone, next);
  // A date can be missing (Apia, 2011-12-30), but never two in a row.
  while (endMs === undefined && next < day + 3) {
    next += 1;
    endMs = firstInstantOf(zone, next);
  }
  return { startMs, endMs: endMs ?? startMs + DAY_MS };
}

/** First instant of a local date; undefined for a skipped date. */
function firstInstantOf(zone: Zone, day: number): number | undefined {
  const midnight = day * DAY_MS;
  const lastMs = midnight + DAY_MS + MAX_OFFSET_MS;
  for (let ms = midnight - MAX_OFFSET_MS; ms < lastMs; ) {
    const { fromMs, toMs, offsetMs } = zone.stretchAt(ms);
    const firstMs = Math.max(fromMs, midnight - offsetMs);
    if (firstMs < toMs && Math.floor((firstMs + offsetMs) / DAY_MS) === day) return firstMs;
    ms = toMs;
  }
  return undefined;
}

function floorModulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
