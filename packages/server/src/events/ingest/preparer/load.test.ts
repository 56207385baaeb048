import { expect, test } from 'bun:test';
import { createLoad } from './load.ts';

test('a load is high when it took its share of a second or more', () => {
  let nowMs = 0;
  const load = createLoad(0.5, () => nowMs);
  const after = (passedMs: number, tookMs: number) => {
    nowMs += passedMs;
    return load.isHigh(tookMs);
  };
  expect(after(500, 500)).toBe(false);
  expect(after(500, 100)).toBe(true);
  expect(after(999, 999)).toBe(false);
  expect(after(1_000, 0)).toBe(false);
  // A batch after an hour of rest.
  expect(after(3_600_000, 900)).toBe(false);
  expect(after(1_200, 600)).toBe(true);
});
