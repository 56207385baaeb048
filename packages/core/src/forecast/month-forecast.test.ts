import { describe, expect, test } from 'bun:test';
import { FORECAST_MAX_GAP_MS, type ForecastDay, forecastMonth, gapMsIn } from './month-forecast.ts';

const DAY_MS = 86_400_000;
/** A Sunday, and the first of a month. */
const FIRST_MS = Date.UTC(2026, 1, 1);

/** Days of a month of 28 days; values as given, 0 after them. */
const month = (values: readonly number[], gaps: Readonly<Record<number, number>> = {}): ForecastDay[] =>
  Array.from({ length: 28 }, (_, index) => ({
    startMs: FIRST_MS + index * DAY_MS,
    endMs: FIRST_MS + (index + 1) * DAY_MS,
    weekday: index % 7,
    value: values[index] ?? 0,
    gapMs: gaps[index] ?? 0,
  }));
const dayAt = (day: number, hours = 0) => FIRST_MS + day * DAY_MS + hours * 3_600_000;
const WEEK = [1, 10, 20, 30, 40, 50, 2];
const weekSum = 153;

describe('the forecast of a month', () => {
  test('repeats each weekday', () => {
    const forecast = forecastMonth(month(WEEK), dayAt(7), FIRST_MS);
    expect([forecast?.total, forecast?.basisDays]).toEqual([weekSum * 4, 7]);
  });

  test('uses the mean of a weekday that occurred more than once', () => {
    const days = month([...WEEK, 3, 30]);
    // Sundays of 1 and 3, Mondays of 10 and 30, so 2 and 20 from then on.
    expect(forecastMonth(days, dayAt(9), FIRST_MS)?.total).toBe(
      weekSum * 4 + (3 - 1) + (30 - 10) + 2 * (2 - 1) + 2 * (20 - 10),
    );
  });

  test('counts today as a whole day of its weekday, or as what it has already', () => {
    expect(forecastMonth(month([...WEEK, 0.5]), dayAt(7, 9), FIRST_MS)?.total).toBe(weekSum * 4);
    expect(forecastMonth(month([...WEEK, 6]), dayAt(7, 9), FIRST_MS)?.total).toBe(weekSum * 4 + 5);
  });

  test('leaves out days with a long gap, but not their requests', () => {
    const days = month([...WEEK, 0, 10], { 7: FORECAST_MAX_GAP_MS + 1 });
    const forecast = forecastMonth(days, dayAt(9), FIRST_MS);
    expect([forecast?.total, forecast?.basisDays]).toEqual([weekSum * 4 - 1, 8]);
    expect(forecastMonth(month(WEEK, { 3: FORECAST_MAX_GAP_MS }), dayAt(7), FIRST_MS)?.basisDays).toBe(7);
  });

  test('counts the time of overlapping gaps once, and an open one until the end', () => {
    const gaps = [
      { from_ms: 10, to_ms: 50 },
      { from_ms: 20, to_ms: 60 },
      { from_ms: 90, to_ms: null },
    ];
    expect(gapMsIn(gaps, 0, 100)).toBe(60);
  });

  test('is not made from less than a week, or without a weekday that is to come', () => {
    expect(forecastMonth(month(WEEK), dayAt(6, 23), FIRST_MS)).toBeNull();
    expect(forecastMonth(month(WEEK), dayAt(7), dayAt(1))).toBeNull();
    expect(forecastMonth(month([...WEEK, 1], { 2: DAY_MS }), dayAt(8), FIRST_MS)).toBeNull();
  });

  test('is what was counted once the month is over', () => {
    const forecast = forecastMonth(month([...WEEK, ...WEEK, ...WEEK, ...WEEK]), dayAt(28), FIRST_MS);
    expect(forecast?.total).toBe(weekSum * 4);
  });

  test('knows the day on which an amount is reached', () => {
    const forecast = forecastMonth(month(WEEK), dayAt(7), FIRST_MS);
    expect(forecast?.reaches(11)).toBe(dayAt(1));
    expect(forecast?.reaches(weekSum * 2)).toBe(dayAt(13));
    expect(forecast?.reaches(weekSum * 4)).toBe(dayAt(27));
    expect(forecast?.reaches(weekSum * 4 + 1)).toBeNull();
  });
});
