import { describe, expect, test } from 'bun:test';
import { accountQuota } from '../../../platform/accounts/quota.ts';
import { account, HOUR, NOW, windowOf } from '../../../platform/accounts/testing/accounts.ts';
import { windowForecast } from './forecast.ts';
import { usageWindows } from './window-periods.ts';

const bar = (change: Parameters<typeof windowOf>[0] = {}) => {
  const [one] = accountQuota('codex', [windowOf(change)], NOW).bars;
  if (one === undefined) throw new Error('no bar was made');
  return one;
};
const usage = (total_requests: number, total_cost: number, change: object = {}) => ({
  total_requests,
  total_tokens: total_requests * 10,
  total_cost,
  matched: true,
  scope_match_status: 'complete' as const,
  ...change,
});

describe('a forecast', () => {
  test('is calculated from the share of the quota used', () => {
    expect(windowForecast(bar(), usage(40, 0.31), null)).toEqual({
      basis: 'quota',
      requests: 160,
      tokens: 1600,
      cost: 1.24,
    });
  });

  test('is never less than what was used', () => {
    expect(windowForecast(bar({ used_percent: 100 }), usage(3, 0.005), null)).toMatchObject({
      requests: 3,
      cost: 0.01,
    });
  });

  test('waits until enough is used', () => {
    expect(windowForecast(bar({ used_percent: 4 }), usage(40, 1), usage(9, 1))).toEqual({ basis: 'early' });
  });

  test('is the previous window where nothing can be calculated', () => {
    expect(windowForecast(bar({ used_percent: 0 }), usage(0, 0), usage(9, 1))).toMatchObject({
      basis: 'previous',
      requests: 9,
    });
    expect(windowForecast(bar(), usage(4, 1, { scope_match_status: 'partial' }), usage(9, 1))).toMatchObject({
      basis: 'previous',
    });
    expect(windowForecast(bar({ used_percent: 0 }), null, null)).toBeNull();
  });

  test('is null for bounds that are estimated, unknown or past', () => {
    for (const change of [
      { boundary_accuracy: 'estimated' },
      { boundary_accuracy: 'unknown' },
      { stale: true },
    ] as const)
      expect(windowForecast(bar(change), usage(40, 1), usage(9, 1))).toBeNull();
  });
});

describe('the requested times', () => {
  const of = (change: Parameters<typeof windowOf>[0]) =>
    usageWindows(account(), [bar(change)], NOW).map(({ period, from_ms, to_ms }) => [
      period,
      (from_ms ?? 0) - NOW,
      (to_ms ?? 0) - NOW,
    ]);

  test('are the running window so far and the same time before it', () => {
    expect(of({})).toEqual([
      ['current', -2.5 * HOUR, 0],
      ['previous_equal_range', -7.5 * HOUR, -2.5 * HOUR],
    ]);
  });

  test('a rolling window is the time until now', () => {
    expect(of({ window_mode: 'rolling', duration_seconds: 3_600 })[0]).toEqual(['current', -HOUR, 0]);
  });

  test('without bounds nothing is requested', () => {
    expect(of({ cycle_start_ms: undefined, cycle_end_ms: undefined })).toEqual([]);
  });
});
