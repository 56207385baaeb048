import { describe, expect, test } from 'bun:test';
import { isDue, MAX_BACKOFF_MS, nextRefreshDelay, overdue, type RefreshSituation } from './refresh-policy.ts';

const usual: RefreshSituation = { intervalMs: 10_000, hidden: false, paused: false };

describe('automatic refresh', () => {
  test('waits the interval, ten percent more or less', () => {
    expect(nextRefreshDelay(usual, 0)).toBe(9_000);
    expect(nextRefreshDelay(usual, 0.5)).toBe(10_000);
    expect(nextRefreshDelay(usual, 0.999)).toBeLessThanOrEqual(11_000);
  });

  test('failures double the wait of a part up to five minutes', () => {
    expect(isDue(10_000, 0, 0)).toBe(true);
    expect(isDue(10_000, 1, 11_000)).toBe(false);
    expect(isDue(10_000, 1, 18_000)).toBe(true);
    expect(isDue(10_000, 3, 71_000)).toBe(false);
    expect(isDue(10_000, 3, 72_000)).toBe(true);
    expect(isDue(10_000, 1_000, MAX_BACKOFF_MS)).toBe(true);
    expect(isDue(MAX_BACKOFF_MS * 2, 1, MAX_BACKOFF_MS)).toBe(false);
  });

  test('rests when off, hidden or paused', () => {
    expect(nextRefreshDelay({ ...usual, intervalMs: 0 }, 0.5)).toBeNull();
    expect(nextRefreshDelay({ ...usual, hidden: true }, 0.5)).toBeNull();
    expect(nextRefreshDelay({ ...usual, paused: true }, 0.5)).toBeNull();
  });

  test('is made up for on return when it is due', () => {
    expect(overdue(usual, 10_000)).toBe(true);
    expect(overdue(usual, 9_999)).toBe(false);
    expect(overdue({ ...usual, paused: true }, 99_999)).toBe(false);
    expect(overdue({ ...usual, intervalMs: 0 }, 99_999)).toBe(false);
  });
});
