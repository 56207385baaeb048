import type { Translate } from '../i18n/index.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** A quota window by its length in seconds: `5 hours`, `7 days`, `Month`. */
export function windowLength(seconds: number, t: Translate): string {
  if (seconds === 5 * HOUR) return t('quota.fiveHours');
  if (seconds === 7 * DAY) return t('quota.week');
  if (seconds >= 28 * DAY && seconds <= 31 * DAY) return t('inspectionQuota.month');
  return seconds % DAY === 0
    ? t('inspectionQuota.days', { days: seconds / DAY })
    : t('quota.hours', { hours: Math.round((seconds / HOUR) * 10) / 10 });
}
