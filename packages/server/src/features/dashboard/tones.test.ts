import { expect, test } from 'bun:test';
import { channelTone, failureTone, pointTone } from './tones.ts';

test.each([
  [0, 0, false, 'empty'],
  [0, 0, true, 'future'],
  [10, 1, true, 'future'],
  [10, 0, false, 'good'],
  [11, 1, false, 'warn'],
  [10, 1, false, 'bad'],
  [1, 1, false, 'bad'],
] as const)('a point of %d calls with %d failures (future: %p) is %s', (calls, failures, isFuture, tone) => {
  expect(pointTone({ calls, failures }, isFuture)).toBe(tone);
});

test.each([
  [10, 0, null, 'good'],
  [10, 0, 14_999.9, 'good'],
  [10, 0, 15_000, 'warn'],
  [10, 0, 29_999, 'warn'],
  [10, 0, 30_000, 'bad'],
  [100, 1, null, 'warn'],
  [100, 4, null, 'warn'],
  [1000, 5, null, 'bad'],
  [20, 3, null, 'warn'],
  [19, 3, null, 'bad'],
  [4, 2, 8_012.5, 'bad'],
] as const)('a credential of %d calls with %d failures and %p ms is %s', (calls, failures, latencyMs, tone) => {
  expect(channelTone({ calls, failures }, latencyMs)).toBe(tone);
});

test.each([
  [3, 1, 'warn'],
  [2, 1, 'bad'],
  [1000, 4, 'warn'],
  [1000, 5, 'bad'],
] as const)('a source of %d calls with %d failures is %s', (calls, failures, tone) => {
  expect(failureTone({ calls, failures })).toBe(tone);
});
