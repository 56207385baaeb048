import { expect, test } from 'bun:test';
import type { TimelinePoint } from '@manager/core/contract/monitoring/sections';
import { resolvePeriod } from './period.ts';
import { reportChart } from './report-chart.ts';
import type { ReportMeasure } from './report-search.ts';
import type { Reported } from './use-report.ts';

const DAY_MS = 86_400_000;
const ZONE = 'Asia/Tokyo';
const startOf = (day: string) => Date.parse(`${day}T00:00+09:00`);

const points = (days: Readonly<Record<string, number>>): TimelinePoint[] =>
  Object.entries(days).map(([day, calls]) => ({
    bucket_ms: startOf(day),
    bucket_end_ms: startOf(day) + DAY_MS,
    calls,
    tokens: calls * 10,
    cost: calls === 3 ? 0 : calls / 2,
    unpriced_calls: calls === 3 ? 3 : 0,
  })) as unknown as TimelinePoint[];

/** The running month at noon of its fourth day, and the one before up to then. */
function reported(measure: ReportMeasure): Reported {
  const period = { kind: 'month', month: '2026-12' } as const;
  const nowMs = startOf('2026-12-04') + DAY_MS / 2;
  const answer = (days: Readonly<Record<string, number>>) => ({
    generated_at_ms: nowMs,
    granularity: 'day' as const,
    timeline: points(days),
  });
  return {
    answer: answer({ '2026-12-01': 4, '2026-12-03': 3, '2026-12-04': 2 }),
    before: {
      answer: answer({ '2026-11-02': 6, '2026-11-04': 1 }),
      fromMs: startOf('2026-11-01'),
      toMs: startOf('2026-11-04') + DAY_MS / 2,
    },
    search: {
      ...{ period, zone: ZONE, by: 'model', parts: null, measure },
      filters: { api_key_hash: [], model: [], account: [], provider: [] },
    },
    range: resolvePeriod(period, nowMs, ZONE),
    nowMs,
  };
}

test('days of a running month are beside those of the month before; today is incomplete, and the axis is the whole month', () => {
  const chart = reportChart(reported('requests'), (key) => key);
  expect(chart.lanes[0]?.series.map(({ id, values }) => [id, values])).toEqual([
    ['requests', [4, 0, 3, 2]],
    ['before', [0, 6, 0, 1]],
  ]);
  expect(chart.buckets.map(({ partial }) => partial ?? false)).toEqual([false, false, false, true]);
  expect([chart.fromMs, chart.toMs]).toEqual([startOf('2026-12-01'), startOf('2027-01-01')]);
});

test('a cost without a price is unknown, and there may be nothing before', () => {
  const chart = reportChart({ ...reported('cost'), before: null }, (key) => key);
  expect(chart.lanes[0]?.series.map(({ values }) => values)).toEqual([[2, 0, null, 1]]);
  expect(reportChart(reported('tokens'), (key) => key).lanes[0]?.series[0]?.values[0]).toBe(40);
});
