import { describe, expect, test } from 'bun:test';
import { createRateMeter, percentOf, secondsLeft } from './rate.ts';

describe('the rate', () => {
  test('is unknown before two things were heard', () => {
    const meter = createRateMeter();
    expect(meter.bytesPerSecond(0)).toBeNull();
    meter.note(0, 0);
    expect(meter.bytesPerSecond(5_000)).toBeNull();
    meter.note(1_000, 500);
    expect(meter.bytesPerSecond(1_000)).toBe(500);
  });

  test('is a mean of the last 10 seconds', () => {
    const meter = createRateMeter();
    for (let second = 0; second <= 20; second += 1) meter.note(second * 1_000, second * 100);
    for (let second = 21; second <= 31; second += 1) meter.note(second * 1_000, 2_000 + (second - 20) * 900);
    expect(meter.bytesPerSecond(31_000)).toBe(900);
  });

  test('falls while nothing arrives', () => {
    const meter = createRateMeter();
    meter.note(0, 0);
    meter.note(1_000, 1_000);
    expect(meter.bytesPerSecond(2_000)).toBe(500);
    expect(meter.bytesPerSecond(9_000)).toBeCloseTo(111.1, 1);
    expect(meter.bytesPerSecond(60_000)).toBeNull();
  });

  test('forgets what was before a pause', () => {
    const meter = createRateMeter();
    meter.note(0, 0);
    meter.note(1_000, 1_000);
    meter.reset();
    expect(meter.bytesPerSecond(1_000)).toBeNull();
  });
});

test('percent are rounded down', () => {
  expect([percentOf(0, 3), percentOf(2, 3), percentOf(999, 1_000), percentOf(3, 3), percentOf(0, 0)]).toEqual([
    0, 66, 99, 100, 0,
  ]);
});

test('the time left is unknown without a rate', () => {
  expect([secondsLeft(1_000, 300), secondsLeft(1_000, null), secondsLeft(1_000, 0), secondsLeft(0, 5)]).toEqual([
    4,
    null,
    null,
    0,
  ]);
});
