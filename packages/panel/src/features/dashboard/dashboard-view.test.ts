import { describe, expect, test } from 'bun:test';
import { DASHBOARD_HOURS, DASHBOARD_POINTS, type DashboardResponse } from '@manager/core/contract/dashboard';
import type { StatusResponse } from '@manager/core/contract/system/status';
import {
  accountHealth,
  accountTone,
  exceedsGrid,
  healthColumns,
  isQuietDay,
  lastHours,
  trafficChart,
  verdictOf,
} from './dashboard-view.ts';

const HOUR_MS = 3_600_000;
const ZONE = 'Europe/Berlin';

function day(startMs: number, nowMs: number, parts: Partial<DashboardResponse> = {}): DashboardResponse {
  const share = { calls_share: 0, tokens_share: 0, failure_rate: 0 };
  return {
    generated_at_ms: nowMs,
    window: { today_start_ms: startMs, now_ms: nowMs, rolling_30m_start_ms: nowMs - 1_800_000 },
    today: {
      total_calls: 10,
      success_calls: 10,
      failure_calls: 0,
      success_rate: 1,
      input_tokens: 0,
      output_tokens: 0,
      cached_tokens: 0,
      cache_read_tokens: 0,
      cache_creation_tokens: 0,
      reasoning_tokens: 0,
      total_tokens: 0,
      total_cost: 0,
      average_latency_ms: null,
      zero_token_calls: 0,
      unpriced_calls: 0,
    },
    rolling_30m: { rpm: 2.5, tpm: 0, total_calls: 75, total_tokens: 0 },
    top_models_today: [],
    model_cost_rank: [],
    traffic_timeline: Array.from({ length: DASHBOARD_HOURS }, (_, hour) => ({
      bucket_ms: startMs + hour * HOUR_MS,
      calls: hour,
      tokens: 0,
      success: hour,
      failure: 0,
      ...share,
    })),
    hourly_activity: [],
    today_request_health_timeline: {
      from_ms: startMs,
      to_ms: startMs + 24 * HOUR_MS,
      bucket_ms: 600_000,
      success_calls: 0,
      failure_calls: 0,
      total_calls: 0,
      success_rate: 0,
      points: Array.from({ length: DASHBOARD_POINTS }, (_, index) => ({
        bucket_ms: startMs + index * 600_000,
        calls: 0,
        tokens: 0,
        success: 0,
        failure: 0,
        success_rate: 0,
        failure_rate: 0,
        tone: 'empty' as const,
        intensity: 0,
        future: false,
      })),
    },
    token_mix: [],
    channel_health: [],
    failure_sources: [],
    recent_failures: [],
    ...parts,
  };
}

const collector = (state: Partial<StatusResponse['collector']>) =>
  ({ collector: { collector: 'running', ...state } }) as unknown as StatusResponse;

describe('the verdict', () => {
  const start = Date.UTC(2026, 7, 1, 22);
  const now = start + 10 * HOUR_MS;
  const good = day(start, now);

  test('names the worst first', () => {
    const broken = day(start, now, { today: { ...good.today, failure_calls: 3 } });
    expect(verdictOf(good, collector({})).fact).toBe('verdict.healthy');
    expect(verdictOf(broken, collector({})).fact).toBe('verdict.degraded');
    expect(verdictOf(broken, collector({ collector: 'error', lastError: 'consume: closed' })).fact).toBe(
      'verdict.notCollecting',
    );
    expect(verdictOf(good, collector({ collector: 'stopped' })).fact).toBe('verdict.off');
  });

  test('an upstream that does not answer goes before everything but a refused key', () => {
    expect(verdictOf(good, collector({}), false).fact).toBe('verdict.unreachable');
    const away = collector({ collector: 'error', lastError: 'connect: connection refused' });
    expect(verdictOf(good, away).fact).toBe('verdict.unreachable');
    const refused = collector({
      keyRefused: { reason: 'key_rejected', tries: 1, lastAtMs: now, nextTryAtMs: now + 60_000 },
    });
    expect(verdictOf(good, refused, false).fact).toBe('verdict.notCollecting');
  });

  test('shows which account fails most', () => {
    const worst = {
      auth_index: '0123',
      account_snapshot: 'ops@example.test',
      calls: 10,
      failures: 6,
      failure_rate: 0.6,
      success_rate: 0.4,
      tokens: 0,
      cost: 0,
      average_latency_ms: null,
      tone: 'bad',
    } as const;
    expect(verdictOf(day(start, now, { channel_health: [worst] }), collector({}))).toMatchObject({ worst });
    const often = { ...worst, calls: 1_000, failure_rate: 0.006, success_rate: 0.994 };
    const verdict = verdictOf(day(start, now, { channel_health: [often] }), collector({}));
    expect([verdict.fact, verdict.worst]).toEqual(['verdict.healthy', undefined]);
    const both = day(start, now, { channel_health: [often, worst] });
    expect(verdictOf(both, collector({})).worst).toBe(worst);
    expect(accountHealth(both)).toEqual([worst, often]);
    const named = day(start, now, {
      channel_health: [often],
      failing_channels: [{ ...worst, auth_index: '4567' }, worst],
    });
    expect(accountHealth(named).map(({ auth_index, calls }) => [auth_index, calls])).toEqual([
      ['4567', 10],
      ['0123', 10],
    ]);
    expect(verdictOf(named, collector({})).others).toEqual({ count: 1, text: '1' });
    expect(verdictOf(both, collector({})).others).toBeUndefined();
    const many = ['1', '2', '3', '4', '5', '6'].map((auth_index) => ({ ...worst, auth_index }));
    expect(verdictOf(day(start, now, { failing_channels: many }), collector({})).others).toEqual({
      count: 4,
      text: '4+',
    });
    expect([accountTone(worst), accountTone(often)]).toEqual(['bad', 'warn']);
  });

  test('no traffic is no problem', () => {
    const quiet = day(start, now, { today: { ...good.today, total_calls: 0, success_calls: 0 } });
    expect(verdictOf(quiet, collector({})).tone).toBe('wait');
    expect(isQuietDay(quiet)).toBe(true);
    // A gap is drawn, whatever else happened.
    const gap = { kind: 'outage', from_ms: start, to_ms: now, estimated_lost: null };
    expect(isQuietDay({ ...quiet, gaps: [gap] })).toBe(false);
    expect(isQuietDay(day(start, now))).toBe(false);
  });
});

describe('the day in the zone of the panel', () => {
  test('hours to come have no value, the running one is partial', () => {
    const start = Date.UTC(2026, 7, 1, 22);
    const chart = trafficChart(day(start, start + 9.5 * HOUR_MS), ZONE, (key) => key);
    expect(chart.toMs - chart.fromMs).toBe(24 * HOUR_MS);
    expect(chart.lanes[0]?.series[0]?.values.slice(8, 11)).toEqual([8, 9, null]);
    expect(chart.buckets[8]?.partial).toBeUndefined();
    expect(chart.buckets[9]?.partial).toBe(true);
  });

  test('a day of 23 hours ends earlier, one of 25 hours is marked', () => {
    const spring = Date.UTC(2026, 2, 28, 23);
    const autumn = Date.UTC(2026, 9, 24, 22);
    expect(trafficChart(day(spring, spring), ZONE, (key) => key).buckets).toHaveLength(23);
    expect(healthColumns(day(spring, spring), ZONE)).toHaveLength(23);
    expect(exceedsGrid(day(spring, spring), ZONE)).toBe(false);
    expect(exceedsGrid(day(autumn, autumn), ZONE)).toBe(true);
    expect(healthColumns(day(autumn, autumn), ZONE)).toHaveLength(24);
  });

  test('a phone shows the twelve hours up to now, or the first twelve of the day', () => {
    const start = Date.UTC(2026, 7, 1, 22);
    const at = (hours: number) => {
      const dashboard = day(start, start + hours * HOUR_MS);
      const timeline = dashboard.today_request_health_timeline;
      const points = timeline.points.map((point) =>
        point.bucket_ms > dashboard.window.now_ms ? { ...point, tone: 'future' as const } : point,
      );
      const shown = { ...dashboard, today_request_health_timeline: { ...timeline, points } };
      return lastHours(healthColumns(shown, ZONE), 12).map(([first]) => ((first?.bucket_ms ?? 0) - start) / HOUR_MS);
    };
    expect(at(14.5)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    expect(at(2)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(at(23.9).at(-1)).toBe(23);
  });
});
