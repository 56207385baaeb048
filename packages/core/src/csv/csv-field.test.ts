import { describe, expect, test } from 'bun:test';
import { csvField } from './csv-field.ts';

describe('a CSV field', () => {
  test.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['@cmd', "'@cmd"],
    ['  =1+1', "'  =1+1"],
    ['＝1+1', "'＝1+1"],
    ['\t=1', "'\t=1"],
    ['-5 or less', "'-5 or less"],
    ['a=b', 'a=b'],
    [null, ''],
    [Number.NaN, ''],
    [-5, '-5'],
    [false, 'false'],
  ])('field %p is written as %p', (value, text) => {
    expect(csvField(value)).toBe(text);
  });
});
