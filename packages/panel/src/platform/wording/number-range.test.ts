import { expect, test } from 'bun:test';
import { fitsRange, rangeText } from './number-range.ts';

test.each([
  [0, { least: 1 }, false],
  [1, { least: 1 }, true],
  [1.5, { least: 1 }, false],
  [101, { least: 1, most: 100 }, false],
  [99.5, { least: 0.1, most: 100, decimals: 1 }, true],
  [99.55, { least: 0.1, most: 100, decimals: 1 }, false],
  [1e300, { least: 1 }, false],
  [Number.NaN, { least: 1 }, false],
  [null, { least: 0 }, false],
] as const)('%p in %p: %p', (value, range, fits) => {
  expect(fitsRange(value, range)).toBe(fits);
});

test('a refused number names what is allowed', () => {
  expect(rangeText({ least: 1 })).toEqual({ key: 'common.numberLeast', values: { least: '1' } });
  expect(rangeText({ least: 1, most: 100 }).key).toBe('common.wholeNumberRange');
  expect(rangeText({ least: 0.1, most: 100, decimals: 1 })).toEqual({
    key: 'common.numberRange',
    values: { least: '0.1', most: '100' },
  });
});
