import { expect, test } from 'bun:test';
import { coveredMs } from './covered.ts';

const SPANS = [
  { fromMs: 1_500, toMs: 1_800 },
  { fromMs: 900, toMs: 1_100 },
  { fromMs: 1_600, toMs: 1_700 },
  { fromMs: 1_750, toMs: 1_900 },
];

test.each([
  [1_000, 2_000, 500],
  [1_650, 1_850, 200],
  [0, 900, 0],
  [1_900, 5_000, 0],
])('of %p to %p, %p ms are covered', (fromMs, toMs, covered) => {
  expect(coveredMs(SPANS, fromMs, toMs)).toBe(covered);
});
