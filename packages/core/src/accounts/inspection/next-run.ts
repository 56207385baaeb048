import type { InspectionSchedule } from '../../contract/inspection/config.ts';
import type { ScheduleMoment } from './schedule.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A local time that clocks skip exists on the next day. */
const DAYS_AHEAD = 3;

export interface NextRunMoment extends Pick<ScheduleMoment, 'nowMs' | 'lastScheduledMs'> {
  readonly zone: { offsetAt(ms: number): number };
}

/**
 * When the next scheduled run is due, ms; null = never. It starts up to half a minute later, and is skipped while
 * another run is active at a time point. A time in the past means: now.
 *
 * @example nextScheduledRun({ mode: 'interval', intervalMinutes: 60, timePoints: [] }, { nowMs, lastScheduledMs: nowMs
 * - 600_000, zone }) // nowMs + 3 000 000
 */
export function nextScheduledRun(
  schedule: Pick<InspectionSchedule, 'mode' | 'intervalMinutes' | 'timePoints'>,
  { nowMs, lastScheduledMs, zone }: NextRunMoment,
): number | null {
  if (schedule.mode === 'time_points') return nextTimePoint(schedule.timePoints, nowMs, zone);
  return lastScheduledMs === null ? nowMs : lastScheduledMs + schedule.intervalMinutes * MINUTE_MS;
}

function nextTimePoint(points: readonly string[], nowMs: number, zone: NextRunMoment['zone']): number | null {
  const midnight = Math.floor((nowMs + zone.offsetAt(nowMs)) / DAY_MS) * DAY_MS;
  for (let day = 0; day <= DAYS_AHEAD; day += 1) {
    const times = points
      .flatMap((point) => instantsOf(midnight + day * DAY_MS + minutesOf(point) * MINUTE_MS, zone))
      .filter((ms) => ms > nowMs);
    if (times.length > 0) return Math.min(...times);
  }
  return null;
}

function minutesOf(point: string): number {
  const [hours, minutes] = point.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** The first instant with a local time; empty when clocks skip it. Only the first of a repeated minute starts a run. */
function instantsOf(localMs: number, zone: NextRunMoment['zone']): readonly number[] {
  const found = [localMs - zone.offsetAt(localMs - DAY_MS), localMs - zone.offsetAt(localMs + DAY_MS)].filter(
    (ms) => ms + zone.offsetAt(ms) === localMs,
  );
  return found.length === 0 ? [] : [Math.min(...found)];
}
