import { localDay, localHour, localWeekday } from '@manager/core/time/buckets';
import type { Zone } from '@manager/core/time/zones';
import { type Dimension, timeDimension } from '../kernels/dimensions.ts';

/** Dimensions of local time in which a repeated hour merges with the first one. */

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const HOURS_PER_DAY = 24;

/** Values are 0–23. */
export function hourDimension(zone: Zone): Dimension {
  return localDimension(zone, 'hour of day', HOUR_MS, (ms) => localHour(zone, ms));
}

/** Values are weekday · 24 + hour; weekday 0 = Sunday. */
export function weekHourDimension(zone: Zone): Dimension {
  const valueAt = (ms: number) => localWeekday(zone, ms) * HOURS_PER_DAY + localHour(zone, ms);
  return localDimension(zone, 'hour of week', HOUR_MS, valueAt);
}

export function weekHourOf(value: number): { readonly weekday: number; readonly hour: number } {
  return { weekday: Math.floor(value / HOURS_PER_DAY), hour: value % HOURS_PER_DAY };
}

/** Values are days since 1970-01-01 of the local date. */
export function dateDimension(zone: Zone): Dimension {
  return localDimension(zone, 'date', DAY_MS, (ms) => localDay(zone, ms));
}

/** @param widthMs length of the stretches of local time with one value */
function localDimension(zone: Zone, name: string, widthMs: number, valueAt: (ms: number) => number): Dimension {
  return timeDimension(`${name}:${zone.name}`, (ms) => {
    const { fromMs, toMs, offsetMs } = zone.stretchAt(ms);
    const startMs = Math.floor((ms + offsetMs) / widthMs) * widthMs - offsetMs;
    return { fromMs: Math.max(fromMs, startMs), toMs: Math.min(toMs, startMs + widthMs), value: valueAt(ms) };
  });
}
