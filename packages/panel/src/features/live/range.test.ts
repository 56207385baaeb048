import { describe, expect, test } from 'bun:test';
import { type RangeName, resolveRange, shiftRange } from './range.ts';

const now = Date.parse('2026-08-27T12:32:06Z');
const resolve = (name: RangeName, fromMs: number | null = null, toMs: number | null = null) =>
  resolveRange({ name, fromMs, toMs }, now, 'Europe/Berlin');

describe('ranges', () => {
  test.each([
    ['1h', '2026-08-27T11:32:06.000Z'],
    ['today', '2026-08-26T22:00:00.000Z'],
    ['24h', '2026-08-26T12:32:06.000Z'],
    ['7d', '2026-08-20T22:00:00.000Z'],
    ['30d', '2026-07-28T22:00:00.000Z'],
    ['all', '1970-01-01T00:00:00.001Z'],
  ] as const)('%s begins at %s and ends now', (name, from) => {
    const range = resolve(name);
    expect(new Date(range.fromMs).toISOString()).toBe(from);
    expect(range.moving).toBe(true);
    expect(range.toMs).toBeGreaterThan(now);
    expect(range.toMs - now).toBeLessThan(10_000);
  });

  test('yesterday does not move', () => {
    expect(resolve('yesterday')).toEqual({
      fromMs: Date.parse('2026-08-25T22:00:00Z'),
      toMs: Date.parse('2026-08-26T22:00:00Z'),
      moving: false,
    });
  });

  test('a custom range that ends in the future is cut to now', () => {
    expect(resolve('custom', now - 1000, now + 86_400_000).toMs).toBeLessThan(now + 10_000);
    expect(resolve('custom', now - 1000, now + 86_400_000).moving).toBe(true);
    expect(resolve('custom', 1000, 2000)).toEqual({ fromMs: 1000, toMs: 2000, moving: false });
  });

  test('the neighbour has the same length and lies in the past', () => {
    const range = { fromMs: 5000, toMs: 7000, moving: false };
    expect(shiftRange(range, -1, now)).toEqual({ name: 'custom', fromMs: 3000, toMs: 5000 });
    expect(shiftRange(range, 1, 6000)).toBeNull();
    expect(shiftRange({ fromMs: 1, toMs: now, moving: true }, -1, now)).toBeNull();
  });
});
