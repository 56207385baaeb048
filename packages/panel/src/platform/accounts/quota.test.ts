import { describe, expect, test } from 'bun:test';
import { accountQuota } from './quota.ts';
import { NOW, windowOf } from './testing/accounts.ts';

const quota = (...windows: readonly Parameters<typeof windowOf>[0][]) =>
  accountQuota('codex', windows.map(windowOf), NOW);

describe('the quota of an account', () => {
  test('is what its tightest window has left', () => {
    const { left, resetAtMs, bars } = quota(
      { used_percent: 25 },
      { provider_window_id: 'weekly', used_percent: 90, cycle_end_ms: NOW + 5 },
    );
    expect([left, resetAtMs]).toEqual([10, NOW + 5]);
    expect(bars.map((bar) => bar.left)).toEqual([75, 10]);
  });

  test('of two windows that are used up, the later reset counts', () => {
    const { resetAtMs } = quota(
      { used_percent: 100, cycle_end_ms: NOW + 9 },
      { provider_window_id: 'weekly', used_percent: 100, cycle_end_ms: NOW + 7 },
    );
    expect(resetAtMs).toBe(NOW + 9);
  });

  test('is the one of the family with most left, where there are several', () => {
    const { left, bars } = accountQuota(
      'antigravity',
      [
        windowOf({ model_scope_key: 'gemini', used_percent: 100 }),
        windowOf({ model_scope_key: 'claude_gpt', used_percent: 40 }),
      ],
      NOW,
    );
    expect(left).toBe(60);
    expect(bars.map(({ group }) => group)).toEqual(['claude gpt', 'gemini']);
  });

  test('is unknown without a window, and windows of single models do not count', () => {
    expect(quota().left).toBeNull();
    const spark = quota({ model_scope_kind: 'models', model_ids: ['gpt-5.3-codex-spark'], used_percent: 100 });
    expect([spark.left, spark.bars[0]?.group]).toEqual([null, 'spark']);
  });

  test('uses amounts where no percentage is given, and never more than there is', () => {
    expect(quota({ used_percent: undefined, used_value: 30, limit_value: 120 }).left).toBe(75);
    expect(quota({ used_percent: undefined }).left).toBeNull();
  });

  test('shows the time left in a window', () => {
    expect(quota({}).bars[0]?.timeLeft).toBe(0.5);
    expect(quota({ cycle_end_ms: NOW - 1 }).bars[0]?.timeLeft).toBe(0);
    expect(quota({ cycle_end_ms: undefined }).bars[0]?.timeLeft).toBeNull();
  });

  test('counts reset credits with the one that expires first', () => {
    const credits = [
      { id: 'a', expires_at_ms: NOW + 50 },
      { id: 'b', expires_at_ms: NOW + 20 },
      { id: 'c', expires_at_ms: NOW - 1 },
    ];
    expect(quota({ reset_credits_available: 2, reset_credits: credits }).credits).toEqual({
      count: 2,
      nextExpiryMs: NOW + 20,
    });
    expect(quota({}).credits).toBeNull();
  });

  test('of other providers is not kept', () => {
    expect(accountQuota('vertex', [], NOW).supported).toBe(false);
  });
});
