import { describe, expect, test } from 'bun:test';
import type { AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import type { Summary, TimelinePoint } from '@manager/core/contract/monitoring/sections';
import { timelineGranularity } from './granularity.ts';
import { denseBuckets, overviewChart } from './overview-chart.ts';
import type { Overview } from './use-overview.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 7, 27);

function point(bucketMs: number, lengthMs: number, success: number, failure = 0): TimelinePoint {
  return {
    bucket_ms: bucketMs,
    bucket_end_ms: bucketMs + lengthMs,
    label: '',
    calls: success + failure,
    tokens: 0,
    success,
    failure,
    input_tokens: 0,
    output_tokens: 0,
    cached_tokens: 0,
    cache_read_tokens: 0,
    cache_creation_tokens: 0,
    cache_hit_rate: 0,
    reasoning_tokens: 0,
    total_tokens: 0,
    cost: 0,
    average_latency_ms: null,
    p95_latency_ms: null,
    p95_ttft_ms: null,
    success_rate: 1,
    failure_rate: 0,
  };
}

function overview(answer: Partial<AnalyticsResponse>, span: Partial<Overview> = {}): Overview {
  return {
    answer: { generated_at_ms: 0, granularity: 'hour', summary: {} as Summary, ...answer },
    fromMs: START,
    toMs: START + 12 * HOUR,
    nowMs: START + 12 * HOUR,
    granularity: 'hour',
    tab: 'realtime',
    ...span,
  };
}

const t = (key: string): string => key;

describe('the timeline of the monitoring page', () => {
  test('has about a hundred buckets over any range', () => {
    expect(timelineGranularity(START, START + HOUR)).toBe('5m');
    expect(timelineGranularity(START, START + DAY)).toBe('15m');
    expect(timelineGranularity(START, START + 25 * HOUR)).toBe('15m');
    expect(timelineGranularity(START, START + 7 * DAY)).toBe('hour');
    expect(timelineGranularity(1, START)).toBe('day');
  });

  test('knows that nothing happened between two buckets and after the last one', () => {
    const points = [point(START, HOUR, 3), point(START + 3 * HOUR, HOUR, 1)];
    const dense = denseBuckets(points, 'hour', START + 5.5 * HOUR, 'UTC');
    expect(dense.map(({ bucket_ms, point: own }) => [(bucket_ms - START) / HOUR, own?.calls ?? null])).toEqual([
      [0, 3],
      [1, null],
      [2, null],
      [3, 1],
      [4, null],
    ]);
    expect(denseBuckets([], 'hour', START + HOUR, 'UTC')).toEqual([]);
  });

  test('follows the days of a zone, also over a change of clocks', () => {
    const zone = 'Europe/Berlin';
    const midnight = Date.UTC(2026, 9, 23, 22);
    const dense = denseBuckets([point(midnight, DAY, 1)], 'day', midnight + 4 * DAY, zone);
    // 25 October has 25 hours.
    expect(dense.map(({ bucket_ms }) => bucket_ms)).toEqual([
      midnight,
      midnight + DAY,
      midnight + 2 * DAY + HOUR,
      midnight + 3 * DAY + HOUR,
    ]);
  });

  test('stacks failed and successful requests, and lays the other range over them from its own start', () => {
    const now = overview({ timeline: [point(START, HOUR, 4, 1), point(START + HOUR, HOUR, 2)] });
    const before = overview(
      { timeline: [point(START - 12 * HOUR, HOUR, 7), point(START - 11 * HOUR, HOUR, 9)] },
      { fromMs: START - 12 * HOUR, toMs: START },
    );
    const chart = overviewChart(now, before, '24h', 'UTC', t as never);
    const [failed, succeeded, compared] = chart.lanes[0]?.series ?? [];
    expect(failed?.values.slice(0, 2)).toEqual([1, 0]);
    expect(succeeded?.values.slice(0, 2)).toEqual([4, 2]);
    expect(compared?.values.slice(0, 3)).toEqual([7, 9, 0]);
    expect(chart.buckets.length).toBe(12);
  });

  test('keeps the shape of the day, and draws where nothing was collected', () => {
    const today = overview({
      timeline: [point(START + HOUR, HOUR, 2)],
      gaps: [{ from_ms: START + 2 * HOUR, to_ms: null, kind: 'away', estimated_lost: null }],
    });
    const chart = overviewChart(today, undefined, 'today', 'UTC', t as never);
    expect([chart.fromMs, chart.toMs]).toEqual([START, START + DAY]);
    expect(chart.gaps).toEqual([{ fromMs: START + 2 * HOUR, toMs: START + 12 * HOUR, text: 'gap.away' }]);
    expect(overviewChart(today, undefined, 'all', 'UTC', t as never).fromMs).toBe(START + HOUR);
  });
});
