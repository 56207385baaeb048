import { describe, expect, test } from 'bun:test';
import { createZone } from '../../time/zones.ts';
import { nextScheduledRun } from './next-run.ts';
import { scheduleVerdict } from './schedule.ts';

const at = (iso: string): number => Date.parse(iso);
const next = (points: string[], now: string, zone: string): string | null => {
  const ms = nextScheduledRun(
    { mode: 'time_points', intervalMinutes: 60, timePoints: points },
    { nowMs: at(now), lastScheduledMs: null, zone: createZone(zone) },
  );
  return ms === null ? null : new Date(ms).toISOString();
};

describe('the next scheduled run', () => {
  test('is due one interval after the end of the last, at once when there was none', () => {
    const schedule = { mode: 'interval', intervalMinutes: 60, timePoints: [] } as const;
    const zone = createZone('');
    const nowMs = at('2026-08-01T10:00:00Z');
    expect(nextScheduledRun(schedule, { nowMs, lastScheduledMs: nowMs - 600_000, zone })).toBe(nowMs + 3_000_000);
    expect(nextScheduledRun(schedule, { nowMs, lastScheduledMs: null, zone })).toBe(nowMs);
  });

  test.each([
    [['06:30', '18:00'], '2026-08-01T05:00:00Z', 'UTC', '2026-08-01T06:30:00.000Z'],
    [['06:30', '18:00'], '2026-08-01T06:30:00Z', 'UTC', '2026-08-01T18:00:00.000Z'],
    [['06:30'], '2026-08-01T07:00:00Z', 'UTC', '2026-08-02T06:30:00.000Z'],
    // The next day in the zone of the schedule.
    [['01:00'], '2026-08-01T20:00:00Z', 'Asia/Shanghai', '2026-08-02T17:00:00.000Z'],
    // Clocks skip 02:30 on March 29.
    [['02:30'], '2026-03-29T00:00:00Z', 'Europe/Berlin', '2026-03-30T00:30:00.000Z'],
    // Clocks repeat 02:30 on October 25; the first one counts.
    [['02:30'], '2026-10-25T00:00:00Z', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    [['02:30'], '2026-10-25T00:45:00Z', 'Europe/Berlin', '2026-10-26T01:30:00.000Z'],
    [[], '2026-08-01T05:00:00Z', 'UTC', null],
  ])('at %p, asked at %s in %s, is %p', (points, now, zone, expected) => {
    expect(next(points, now, zone)).toBe(expected);
  });

  test('is a minute at which the schedule is due', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'Asia/Shanghai', 'America/New_York']) {
      const zone = createZone(name);
      const schedule = { mode: 'time_points', intervalMinutes: 60, timePoints: ['00:00', '02:30', '13:37'] } as const;
      for (let nowMs = at('2026-03-01T00:00:00Z'); nowMs < at('2026-12-01T00:00:00Z'); nowMs += 86_400_000 * 3.7) {
        const due = nextScheduledRun(schedule, { nowMs, lastScheduledMs: null, zone });
        expect(due).not.toBeNull();
        expect(scheduleVerdict(schedule, { nowMs: due ?? 0, lastScheduledMs: null, zone }).due).toBe(true);
      }
    }
  });
});
