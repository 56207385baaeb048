import { describe, expect, test } from 'bun:test';
import type { InspectionRun } from '@manager/core/contract/inspection/runs';
import type { Translate } from '../../platform/i18n/index.ts';
import { canRecoverAll, FEW_RUNS, nextRun, scheduleText } from './schedule-view.ts';

const t: Translate = (key, values) => (values === undefined ? key : `${key} ${Object.values(values).join(' ')}`);
const NOW = Date.parse('2026-08-01T10:00:00Z');
const interval = { enabled: true, schedule: { mode: 'interval', intervalMinutes: 30 } } as const;
const points = { enabled: true, schedule: { mode: 'time_points' as const, timePoints: ['06:00', '18:30'] } } as const;
const ended = (triggerType: 'manual' | 'scheduled', finishedAtMs: number) =>
  ({ triggerType, startedAtMs: finishedAtMs - 1_000, finishedAtMs }) as InspectionRun;

test.each([
  [['codex'], false, true],
  [['codex', 'xai'], false, false],
  [['xai'], false, false],
  [['codex', 'xai'], true, true],
  [[], false, true],
] as const)('of %j with test requests %p, all can be enabled again: %p', (targets, xaiInferenceEnabled, all) => {
  expect(canRecoverAll({ targets, xaiInferenceEnabled })).toBe(all);
});

describe('a schedule', () => {
  test('is named by its times and their zone', () => {
    const given = {
      enabled: true as const,
      schedule: { mode: 'time_points' as const, timePoints: ['06:00', '18:30'] },
    };
    expect(scheduleText(interval, t)).toBe('inspectionSettings.every 30');
    expect(scheduleText(given, t)).toBe('inspectionSettings.atServer 06:00, 18:30');
    expect(scheduleText({ ...given, schedule: { ...given.schedule, timeZone: 'Asia/Tokyo' } }, t)).toBe(
      'inspectionSettings.at 06:00, 18:30 Asia/Tokyo',
    );
    expect(scheduleText({ schedule: { mode: 'interval' } }, t)).toBe('inspectionSettings.noSchedule');
  });

  test('with an interval continues from the last scheduled run, whatever was started manually', () => {
    const runs = [ended('manual', NOW - 60_000), ended('scheduled', NOW - 600_000)];
    expect(nextRun(interval, runs, NOW)).toEqual({ kind: 'at', ms: NOW + 1_200_000 });
    expect(nextRun(interval, [ended('manual', NOW)], NOW)).toEqual({ kind: 'soon' });
    expect(nextRun(interval, [ended('scheduled', NOW - 86_400_000)], NOW)).toEqual({ kind: 'soon' });
  });

  test('is not guessed at where the last scheduled run may be older than all that is known', () => {
    expect(nextRun(interval, undefined, NOW)).toEqual({ kind: 'unknown' });
    expect(nextRun(interval, Array(FEW_RUNS).fill(ended('manual', NOW)), NOW)).toEqual({ kind: 'unknown' });
    expect(nextRun({ schedule: { mode: 'interval' } }, [], NOW)).toEqual({ kind: 'off' });
  });

  test('with times of day needs their zone', () => {
    const given = { ...points, schedule: { ...points.schedule, timePoints: [...points.schedule.timePoints] } };
    expect(nextRun(given, [], NOW)).toEqual({ kind: 'unknown' });
    const tokyo = { ...given, schedule: { ...given.schedule, timeZone: 'Asia/Tokyo' } };
    // 19:00 there: the next one is 06:00, at 21:00 UTC.
    expect(nextRun(tokyo, [], NOW)).toEqual({ kind: 'at', ms: Date.parse('2026-08-01T21:00:00Z') });
  });
});
