import { describe, expect, test } from 'bun:test';
import type { BreakdownRow } from '@manager/core/contract/monitoring/breakdown';
import type { TimelinePoint } from '@manager/core/contract/monitoring/sections';
import { resolvePeriod } from './period.ts';
import { reportForecasts } from './report-forecast.ts';
import type { Reported } from './use-report.ts';

const ZONE = 'Europe/Berlin';
const DAY_MS = 86_400_000;
/** Clocks change on the 25th, after which a day still begins at midnight. */
const FIRST_MS = Date.parse('2026-09-30T22:00:00Z');
const NOW = FIRST_MS + 10 * DAY_MS;
const NOTHING = {
  calls: 0,
  failure_calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_tokens: 0,
  cache_read_tokens: 0,
  cache_creation_tokens: 0,
  reasoning_tokens: 0,
  total_tokens: 0,
  cost: 0,
};

const reportForecast = (of: Reported) => {
  const forecasts = reportForecasts(of);
  return forecasts === undefined ? undefined : forecasts.total;
};

/** Ten days of ten requests each. */
function reported(
  more: { before?: boolean; nowMs?: number; gaps?: Reported['answer']['gaps']; month?: string } = {},
): Reported {
  const { before = true, nowMs = NOW, gaps = [], month = '2026-10' } = more;
  const timeline = Array.from({ length: 10 }, (_, day) => ({
    bucket_ms: FIRST_MS + day * DAY_MS,
    bucket_end_ms: FIRST_MS + (day + 1) * DAY_MS,
    calls: 10,
    tokens: 100,
    cost: 0.5,
  })) as unknown as TimelinePoint[];
  const period = { kind: 'month', month } as const;
  return {
    answer: {
      generated_at_ms: nowMs,
      granularity: 'day',
      timeline,
      gaps,
      breakdown: { total: { ...NOTHING, ...(before ? { before: NOTHING } : {}) }, rows: [] },
    },
    search: {
      period,
      zone: ZONE,
      by: 'client_key',
      parts: null,
      measure: 'cost',
      filters: { api_key_hash: [], model: [], account: [], provider: [] },
    },
    before: null,
    range: resolvePeriod(period, nowMs, ZONE),
    nowMs,
  };
}

test('a running month is continued by weekday, also over a change of clocks', () => {
  const forecast = reportForecast(reported());
  expect([forecast?.requests, forecast?.tokens, forecast?.basisDays]).toEqual([310, 3_100, 10]);
  expect(forecast?.cost).toBeCloseTo(15.5);
});

test('days with a long gap, and the first one of a history that begins with it, are no basis', () => {
  const gap = { from_ms: FIRST_MS + DAY_MS, to_ms: FIRST_MS + 1.5 * DAY_MS, kind: 'away', estimated_lost: null };
  expect(reportForecast(reported({ gaps: [gap] }))?.basisDays).toBe(9);
  expect(reportForecast(reported({ before: false }))?.basisDays).toBe(9);
});

test('a day without a midnight is one of the month, and so are those after it', () => {
  const zone = 'America/Santiago';
  const period = { kind: 'month', month: '2026-09' } as const;
  const days = Array.from({ length: 21 }, (_, day) => `2026-09-${String(day + 1).padStart(2, '0')}`);
  // Clocks go from 00:00 to 01:00 on the 6th.
  const starts = days.map((day) => Date.parse(day <= '2026-09-06' ? `${day}T04:00:00Z` : `${day}T03:00:00Z`));
  const nowMs = Date.parse('2026-09-22T03:00:00Z');
  const timeline = starts.map((startMs, index) => ({
    bucket_ms: startMs,
    bucket_end_ms: starts[index + 1] ?? nowMs,
    calls: 10,
    tokens: 100,
    cost: 0.5,
  })) as unknown as TimelinePoint[];
  const { answer, search } = reported();
  const forecast = reportForecast({
    answer: { ...answer, timeline },
    search: { ...search, period, zone },
    range: resolvePeriod(period, nowMs, zone),
    before: null,
    nowMs,
  });
  expect([forecast?.requests, forecast?.basisDays]).toEqual([300, 21]);
});

test('a week is needed, and no other period has a forecast', () => {
  expect(reportForecast(reported({ nowMs: FIRST_MS + 6 * DAY_MS }))).toBeNull();
  expect(reportForecast(reported({ nowMs: FIRST_MS + 40 * DAY_MS }))).toBeUndefined();
});

describe('the forecast of a row', () => {
  const days = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      date: `2026-10-${String(from + index).padStart(2, '0')}`,
      calls: 2,
      total_tokens: 20,
      cost: 0.1,
    }));
  const row = (of: Partial<BreakdownRow>): BreakdownRow => ({ id: 'a', ...NOTHING, ...of });
  const requests = (of: Partial<BreakdownRow>, more = {}) => reportForecasts(reported(more))?.of(row(of))?.requests;

  test('follows the rule of the total with the days of the row', () => {
    expect(requests({ before: NOTHING, days: days(1, 10) })).toBe(62);
    // Days without requests count where it had some before.
    expect(requests({ before: NOTHING, days: days(9, 2) })).toBeLessThan(20);
    expect(requests({ before: NOTHING, days: [] })).toBe(0);
  });

  test('needs enough days since the row began, and days at all', () => {
    expect(requests({ days: days(3, 8) })).toBe(58);
    expect(requests({ days: days(4, 7) })).toBeUndefined();
    expect(requests({ before: NOTHING })).toBeUndefined();
    expect(reportForecasts(reported({ nowMs: FIRST_MS + 40 * DAY_MS }))).toBeUndefined();
  });
});
