import { dateAndTime, hourAndMinute, shortDate, startOfDay, timeOfDay } from '../../platform/format/time.ts';
import type { ChartBucket } from './types.ts';

const MINUTE_MS = 60_000;

/** `27 Aug`, `27 Aug 09:00 – 10:00`: a bucket in the panel's time zone. */
export function bucketName({ startMs, endMs }: ChartBucket, zone: string, locale: string): string {
  const wholeDays = startOfDay(startMs, zone) === startMs && startOfDay(endMs, zone) === endMs && endMs > startMs;
  if (wholeDays) {
    const [first, last] = [shortDate(startMs, zone, locale), shortDate(endMs - 1, zone, locale)];
    return first === last ? first : `${first} – ${last}`;
  }
  if (endMs - startMs < MINUTE_MS) return `${dateAndTime(startMs, zone, locale)} – ${timeOfDay(endMs, zone)}`;
  const end = startOfDay(endMs, zone) === endMs ? '24:00' : hourAndMinute(endMs, zone);
  return `${shortDate(startMs, zone, locale)} ${hourAndMinute(startMs, zone)} – ${end}`;
}
