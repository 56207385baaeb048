import type { InspectionSchedule } from '../../contract/inspection/config.ts';
import type { Zone } from '../../time/zones.ts';

const MINUTE_MS = 60_000;

export interface ScheduleMoment {
  readonly nowMs: number;
  /** End, else start, of the newest scheduled run, whatever its result; null = there was none. */
  readonly lastScheduledMs: number | null;
  /** Zone of the schedule, else of the server. */
  readonly zone: Zone;
}

export interface ScheduleVerdict {
  readonly due: boolean;
  /** A key starts only one scheduled run. */
  readonly triggerKey: string;
}

/**
 * Whether a scheduled run must start now. A local minute that clocks repeat has one key; one that they skip never
 * starts.
 *
 * @example scheduleVerdict({ mode: 'interval', intervalMinutes: 60, … }, { nowMs, lastScheduledMs: null, zone }).due //
 * true
 */
export function scheduleVerdict(
  schedule: Pick<InspectionSchedule, 'mode' | 'intervalMinutes' | 'timePoints'>,
  { nowMs, lastScheduledMs, zone }: ScheduleMoment,
): ScheduleVerdict {
  if (schedule.mode === 'time_points') {
    const local = new Date(nowMs + zone.offsetAt(nowMs)).toISOString();
    const time = local.slice(11, 16);
    return { due: schedule.timePoints.includes(time), triggerKey: `${local.slice(0, 10)} ${time}` };
  }
  const minutes = schedule.intervalMinutes;
  const due = lastScheduledMs === null || nowMs - lastScheduledMs >= minutes * MINUTE_MS;
  const slot = Math.floor(nowMs / 1000 / (minutes * 60));
  return { due, triggerKey: `interval:${minutes}:${slot}` };
}
