import { hourAndMinute, shortDate, startOfDay, zoneOffset } from '../../platform/format/time.ts';
import type { AxisTick } from './types.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

/** Steps between two labels, ms. */
const STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 10_080, 20_160, 40_320, 80_640, 161_280, 524_160,
].map((minutes) => minutes * MINUTE);
/** Weeks begin on Monday; 1 January 1970 was a Thursday. */
const FIRST_MONDAY = 4 * DAY;

/** Instant of a wall clock encoded as UTC. A skipped hour becomes the next one. */
function instantOfLocal(local: number, zone: string): number {
  const first = local - zoneOffset(local, zone);
  return local - zoneOffset(first, zone);
}

/**
 * Labels of a time axis, at most `most`, at round times of the zone's clock; handles offsets that are not whole hours, and offset
 * changes.
 */
export function timeTicks(
  fromMs: number,
  toMs: number,
  most: number,
  zone: string,
  locale: string,
): readonly AxisTick[] {
  const span = toMs - fromMs;
  if (!(span > 0) || most < 1) return [];
  const step = STEPS.find((candidate) => span / candidate <= most) ?? Math.ceil(span / most / DAY) * DAY;
  const origin = step % (7 * DAY) === 0 ? FIRST_MONDAY : 0;
  const localFrom = fromMs + zoneOffset(fromMs, zone);
  const oneDay = span <= 26 * HOUR;
  const ticks: AxisTick[] = [];
  for (
    let local = Math.ceil((localFrom - origin) / step) * step + origin;
    local <= localFrom + span + 2 * HOUR;
    local += step
  ) {
    const atMs = instantOfLocal(local, zone);
    const before = ticks.at(-1);
    if (atMs < fromMs || atMs > toMs || (before !== undefined && atMs <= before.atMs)) continue;
    ticks.push({ atMs, label: label(atMs) });
  }
  return ticks;

  function label(atMs: number): string {
    if (step >= DAY) return shortDate(atMs, zone, locale);
    const midnight = startOfDay(atMs, zone) === atMs;
    // The end of a day shown alone is its 24th hour.
    if (midnight && oneDay && atMs === toMs) return '24:00';
    return midnight && !oneDay ? shortDate(atMs, zone, locale) : hourAndMinute(atMs, zone);
  }
}
