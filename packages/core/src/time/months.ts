import { bucketAt, localDay, localWeekday } from './buckets.ts';
import type { Zone } from './zones.ts';

/** A date of a zone. */
export interface LocalDate {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly startMs: number;
  readonly endMs: number;
  /** 0 = Sunday. */
  readonly weekday: number;
}

export interface LocalMonth {
  readonly fromMs: number;
  /** Start of the next month. */
  readonly toMs: number;
  /** Its dates in order; one that the zone skipped is missing. */
  readonly dates: readonly LocalDate[];
}

const DAY_MS = 86_400_000;

/**
 * The local month of an instant.
 * @example monthAt(createZone('UTC'), Date.UTC(2026, 1, 14)).dates.length // 28
 */
export function monthAt(zone: Zone, ms: number): LocalMonth {
  const local = new Date(localDay(zone, ms) * DAY_MS);
  const dayOf = (months: number) => Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + months) / DAY_MS;
  const [first, after] = [dayOf(0), dayOf(1)];
  const dates = Array.from({ length: after - first }, (_, index) => dateOf(zone, first + index)).filter(
    (date, index) => date.day === first + index,
  );
  return { fromMs: dates[0]?.startMs ?? ms, toMs: dates.at(-1)?.endMs ?? ms, dates };
}

/**
 * The date, or the one that its noon falls into where the zone skipped it.
 * @param day days since 1970-01-01
 * @example dateOf(createZone('Asia/Kolkata'), 1).startMs // 66_600_000
 */
export function dateOf(zone: Zone, day: number): LocalDate {
  const noon = (day + 0.5) * DAY_MS;
  const { startMs, endMs } = bucketAt(zone, 'day', noon - zone.offsetAt(noon));
  return { day: localDay(zone, startMs), startMs, endMs, weekday: localWeekday(zone, startMs) };
}
