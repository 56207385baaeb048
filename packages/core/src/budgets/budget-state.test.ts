import { describe, expect, test } from 'bun:test';
import type { Budget } from '../contract/budgets.ts';
import type { ForecastDay } from '../forecast/month-forecast.ts';
import { budgetState } from './budget-state.ts';

const DAY_MS = 86_400_000;
const FIRST_MS = Date.UTC(2026, 1, 1);
const BUDGET: Budget = { scope: 'model', name: 'gpt', usd: 100, timeZone: 'UTC' };
const dayAt = (day: number) => FIRST_MS + day * DAY_MS;

function stateOf(values: readonly number[], usd = 100) {
  const days = Array.from(
    { length: 28 },
    (_, index): ForecastDay => ({
      startMs: dayAt(index),
      endMs: dayAt(index + 1),
      weekday: index % 7,
      value: values[index] ?? 0,
      gapMs: 0,
    }),
  );
  const use = { days, usedUsd: values.reduce((sum, value) => sum + value, 0), unpricedCalls: 2, sinceMs: FIRST_MS };
  return budgetState({ ...BUDGET, usd }, use, dayAt(values.length));
}

describe('a budget', () => {
  test('shows what is used, what the month comes to and when that is too much', () => {
    expect(stateOf(Array(10).fill(5))).toEqual({
      ...BUDGET,
      fromMs: FIRST_MS,
      toMs: dayAt(28),
      usedUsd: 50,
      unpricedCalls: 2,
      forecastUsd: 140,
      reachedMs: dayAt(19),
      passed: false,
    });
  });

  test('that lasts is reached on no day', () => {
    expect(stateOf(Array(10).fill(5), 141)).toMatchObject({ reachedMs: null, passed: false });
  });

  test('that is passed says since when, also without a forecast', () => {
    expect(stateOf([40, 60])).toMatchObject({ forecastUsd: null, reachedMs: dayAt(1), passed: true });
    expect(stateOf([40, 59.99])).toMatchObject({ forecastUsd: null, reachedMs: null, passed: false });
  });
});
