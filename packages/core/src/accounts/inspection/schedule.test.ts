import { describe, expect, test } from 'bun:test';
import type { InspectionSchedule } from '../../contract/inspection/config.ts';
import { createZone } from '../../time/zones.ts';
import vectors from '../fixtures/inspection-vectors.json';
import { scheduleVerdict } from './schedule.ts';
import { vectorsOf } from './testing.ts';

interface ScheduleVector {
  readonly name: string;
  readonly schedule: Partial<InspectionSchedule> & Pick<InspectionSchedule, 'mode'>;
  readonly nowMs: number;
  readonly lastScheduledMs: number | null;
  readonly expect: { readonly due: boolean; readonly triggerKey: string };
}

describe('a scheduled run', () => {
  for (const vector of vectorsOf(vectors.schedule as readonly ScheduleVector[])) {
    test(vector.name, () => {
      const schedule = { intervalMinutes: 60, timePoints: [], ...vector.schedule };
      const zone = createZone(vector.schedule.timeZone ?? '');
      expect(scheduleVerdict(schedule, { ...vector, zone })).toEqual(vector.expect);
    });
  }

  test('at a local minute that clocks skip never starts', () => {
    const schedule = { mode: 'time_points', intervalMinutes: 0, timePoints: ['02:30'] } as const;
    const zone = createZone('Europe/Berlin');
    const start = Date.UTC(2026, 2, 29);
    const due = Array.from({ length: 180 }, (_, minute) =>
      scheduleVerdict(schedule, { nowMs: start + minute * 60_000, lastScheduledMs: null, zone }),
    ).filter((verdict) => verdict.due);
    expect(due).toEqual([]);
  });
});
