import { describe, expect, test } from 'bun:test';
import { resolveCompare } from '../../platform/range/range.ts';
import { isDay, isMonth, type Period, recentMonths, resolvePeriod, shiftPeriod } from './period.ts';

const month = (text: string): Period => ({ kind: 'month', month: text });
const days = (from: string, to: string): Period => ({ kind: 'days', from, to });
const at = (text: string) => Date.parse(text);
const NOW = at('2026-11-18T09:30:00Z');

describe('a period', () => {
  test.each([
    [month('2026-10'), 'UTC', '2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z'],
    // Clocks change within the month.
    [month('2026-10'), 'Europe/Berlin', '2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z'],
    [month('2025-12'), 'Asia/Kolkata', '2025-11-30T18:30:00Z', '2025-12-31T18:30:00Z'],
    [days('2026-11-03', '2026-11-03'), 'America/New_York', '2026-11-03T05:00:00Z', '2026-11-04T05:00:00Z'],
  ])('%j in %s begins and ends with local days', (period, zone, from, to) => {
    const range = resolvePeriod(period, NOW, zone);
    expect([range.fromMs, range.toMs, range.moving]).toEqual([at(from), at(to), false]);
  });

  test('that is running ends now, and is compared with the same days of the month before', () => {
    const range = resolvePeriod(month('2026-11'), NOW, 'UTC');
    expect([range.moving, range.toMs - NOW, range.endMs]).toEqual([true, 2_000, at('2026-12-01T00:00:00Z')]);
    expect(resolveCompare({ kind: 'previous' }, range, 'UTC')).toMatchObject({
      fromMs: at('2026-10-01T00:00:00Z'),
      toMs: NOW + 2_000 - 31 * 86_400_000,
    });
  });

  test('that is over is compared with a whole month', () => {
    const range = resolvePeriod(month('2026-03'), NOW, 'Europe/Berlin');
    expect(resolveCompare({ kind: 'previous' }, range, 'Europe/Berlin')).toMatchObject({
      fromMs: at('2026-01-31T23:00:00Z'),
      toMs: at('2026-02-28T23:00:00Z'),
    });
  });

  test('has neighbours of its own length, but none in the future', () => {
    const step = (period: Period, direction: -1 | 1) => shiftPeriod(period, direction, NOW, 'UTC');
    expect(step(month('2026-01'), -1)).toEqual(month('2025-12'));
    expect(step(month('2026-10'), 1)).toEqual(month('2026-11'));
    expect(step(month('2026-11'), 1)).toBeNull();
    expect(step(days('2026-11-08', '2026-11-14'), -1)).toEqual(days('2026-11-01', '2026-11-07'));
    expect(step(days('2026-11-08', '2026-11-14'), 1)).toEqual(days('2026-11-15', '2026-11-21'));
    expect(step(days('2026-11-15', '2026-11-21'), 1)).toBeNull();
  });
});

test('the newest months begin with the running one of the zone', () => {
  const newYear = at('2026-12-31T23:30:00Z');
  expect(recentMonths(newYear, 'UTC', 3)).toEqual(['2026-12', '2026-11', '2026-10']);
  expect(recentMonths(newYear, 'Europe/Berlin', 2)).toEqual(['2027-01', '2026-12']);
});

test('only months and days of the calendar are read', () => {
  expect(['2026-11', '2026-13', '2026-1', '1999-12', 'x'].map(isMonth)).toEqual([true, false, false, false, false]);
  expect(['2026-02-28', '2026-02-30', '2026-2-3', '1970-01-01', ''].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
