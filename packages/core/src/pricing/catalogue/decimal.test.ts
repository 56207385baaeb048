import { describe, expect, test } from 'bun:test';
import * as fc from 'fast-check';
import { decimalText, shiftDecimal } from './decimal.ts';

describe('decimal text', () => {
  test.each([
    ['1', 0, 1],
    ['0.0000033', 6, 3.3],
    ['0.00000014', 6, 0.14],
    ['1.1e-06', 6, 1.1],
    ['1.25E-6', 6, 1.25],
    ['0.000000028', 6, 0.028],
    ['3e-6', 6, 3],
    ['.000002', 6, 2],
    ['2.', 6, 2_000_000],
    ['-1', 6, -1_000_000],
    ['+5e-7', 6, 0.5],
    ['-0', 6, 0],
    ['0.00000000000000000001', 6, 1e-14],
    ['1e400', 6, Number.POSITIVE_INFINITY],
    ['1e-99999999999999999999', 6, 0],
    ['9e99999999999999999999', 6, Number.POSITIVE_INFINITY],
  ])('%s times 10^%i is %d', (text, places, value) => {
    expect(shiftDecimal(text, places)).toBe(value);
  });

  test('any price in dollars per token becomes the exact price per million', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 0, max: 9 }), (digits, places) => {
        const meant = Number(`${digits}e-${places}`);
        expect(shiftDecimal(`${digits}e-${places + 6}`, 6)).toBe(meant);
        const written = Number(`${digits}e-${places + 6}`);
        expect(shiftDecimal(String(written), 6)).toBe(meant);
      }),
    );
  });

  test.each([
    [JSON.rawJSON('1.10e-06'), '1.10e-06'],
    [0.5, '0.5'],
    [' 0.25 ', '0.25'],
    ['', null],
    ['free', null],
    ['0x10', null],
    ['1_000', null],
    ['Infinity', null],
    [Number.NaN, null],
    [JSON.rawJSON('"text"'), null],
    [true, null],
    [{}, null],
    [null, null],
    [undefined, null],
  ])('is read of %p', (value, text) => {
    expect(decimalText(value)).toBe(text);
  });
});
