import type { QuietHours } from '@manager/core/contract/notifications/targets';
import type { Zone } from '@manager/core/time/zones';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/**
 * Whether an instant is within quiet hours by the clock on the wall, so that they begin and end at the same local time in summer and in
 * winter. `from` belongs to them, `to` does not; equal times are no quiet hours.
 *
 * @example isQuiet({ from: '22:00', to: '07:00' }, createZone('Europe/Berlin'), nowMs)
 */
export function isQuiet(hours: QuietHours | null, zone: Zone, ms: number): boolean {
  if (hours === null) return false;
  const from = minutesOf(hours.from);
  const to = minutesOf(hours.to);
  const local = Math.floor((ms + zone.offsetAt(ms)) / MINUTE_MS);
  const minute = ((local % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}

function minutesOf(text: string): number {
  const [hours = '', minutes = ''] = text.split(':');
  return Number(hours) * 60 + Number(minutes);
}
