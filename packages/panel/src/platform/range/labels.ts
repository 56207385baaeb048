import { dateAndTime, hourAndMinute, shortDate, startOfDay } from '../format/time.ts';
import type { TextKey } from '../i18n/index.ts';
import type { RangeName, ResolvedRange } from './range.ts';

export const RANGE_LABELS = {
  '1h': 'range.1h',
  today: 'range.today',
  yesterday: 'range.yesterday',
  '24h': 'range.24h',
  '7d': 'range.7d',
  '14d': 'range.14d',
  '30d': 'range.30d',
  last_week: 'range.lastWeek',
  month: 'range.month',
  last_month: 'range.lastMonth',
  all: 'range.all',
  custom: 'range.custom',
} as const satisfies Record<RangeName, TextKey>;

/** `20 Aug 14:32 – 27 Aug 14:32`, `20 Aug – 26 Aug` for whole days; in the panel's time zone. */
export function rangeText(
  { fromMs, toMs }: Pick<ResolvedRange, 'fromMs' | 'toMs'>,
  zone: string,
  locale: string,
): string {
  const day = (ms: number) => shortDate(ms, zone, locale);
  if (startOfDay(fromMs, zone) === fromMs && startOfDay(toMs, zone) === toMs) {
    const [first, last] = [day(fromMs), day(toMs - 1)];
    return first === last ? first : `${first} – ${last}`;
  }
  // Seconds only where the range has them.
  const exact = fromMs % 60_000 !== 0 && toMs - fromMs < 3_600_000;
  const at = (ms: number) => (exact ? dateAndTime(ms, zone, locale) : `${day(ms)} ${hourAndMinute(ms, zone)}`);
  return `${at(fromMs)} – ${at(toMs)}`;
}
