import { expect, test } from 'bun:test';
import { isoWithOffset } from './iso.ts';

test.each([
  [0, 0, '1970-01-01T00:00:00.000+00:00'],
  [5, 19_800_000, '1970-01-01T05:30:00.005+05:30'],
  [0, -12_600_000, '1969-12-31T20:30:00.000-03:30'],
  [8.64e15, 3_600_000, ''],
])('%p with an offset of %p is %p', (ms, offsetMs, text) => {
  expect(isoWithOffset(ms, offsetMs)).toBe(text);
});
