import { describe, expect, test } from 'bun:test';
import { customProblem, cutoffOf, defaultDays, type PresetDays } from './cutoff.ts';

const DAY = 86_400_000;
const now = 1_780_000_012_345;
const none: ReadonlySet<PresetDays> = new Set();

describe('the cutoff', () => {
  test('of a preset is a whole minute, so that it stays the same between renders', () => {
    const cutoff = cutoffOf({ kind: 'days', days: 7 }, now);
    expect(cutoff % 60_000).toBe(0);
    expect(now - 7 * DAY - cutoff).toBeLessThan(60_000);
    expect(cutoffOf({ kind: 'custom', atMs: 5 }, now)).toBe(5);
  });

  test.each([
    [0, 30],
    [now - DAY, 30],
    // A shorter one is chosen by a person alone.
    [now - 8 * DAY, 30],
    [now - 31 * DAY, 30],
    [now - 90 * DAY - 1, 90],
    [now - 400 * DAY, 90],
  ])('with a first event at %d is %d days old by default', (oldest, days) => {
    expect(defaultDays(oldest, now, none)).toBe(days as PresetDays);
  });

  test('moves on where everything that old is archived already', () => {
    expect(defaultDays(now - 400 * DAY, now, new Set([90]))).toBe(30);
    expect(defaultDays(now - 400 * DAY, now, new Set([90, 30]))).toBe(30);
    expect(defaultDays(now - 400 * DAY, now, new Set([90, 30, 7]))).toBe(30);
  });

  test('that is typed lies in the past', () => {
    expect([customProblem(null, now), customProblem(0, now), customProblem(now + 1, now)]).toEqual([
      'missing',
      'missing',
      'future',
    ]);
    expect(customProblem(now, now)).toBeNull();
  });
});
