import { expect, test } from 'bun:test';
import { nextAttemptMs } from './next-attempt.ts';

test('failed attempts back off, up to a limit', () => {
  expect([1, 2, 3, 20].map((failed) => nextAttemptMs(failed, 0))).toEqual([15_000, 30_000, 60_000, 900_000]);
});
