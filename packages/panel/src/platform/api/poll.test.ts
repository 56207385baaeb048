import { expect, test } from 'bun:test';
import { pollPause, sizedPause } from './poll.ts';

const MINUTE = 60_000;

test.each([
  ['answers came', 10 * MINUTE, 0, MINUTE],
  ['answers come again', 10 * MINUTE, 9 * MINUTE, MINUTE],
  ['the first question failed', 0, 10 * MINUTE, MINUTE],
  ['one failed', 10 * MINUTE, 11 * MINUTE, MINUTE],
  ['two failed', 10 * MINUTE, 12 * MINUTE, 2 * MINUTE],
  ['three failed', 10 * MINUTE, 14 * MINUTE, 4 * MINUTE],
  ['many failed', 10 * MINUTE, 90 * MINUTE, 5 * MINUTE],
])('the pause doubles with failures up to five minutes: %s', (_, dataUpdatedAt, errorUpdatedAt, pause) => {
  expect(pollPause({ dataUpdatedAt, errorUpdatedAt }, MINUTE)).toBe(pause);
});

test('a long answer is requested less often, and at least as often as when idle', () => {
  expect([0, 400, 3_000, 50_000].map((rows) => sizedPause(rows, 2_000, 30_000))).toEqual([
    2_000, 2_000, 12_000, 30_000,
  ]);
});
