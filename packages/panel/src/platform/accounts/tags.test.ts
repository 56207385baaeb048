import { expect, test } from 'bun:test';
import { cleanTags, parseTags } from './tags.ts';

test('labels are trimmed, without duplicates and limited', () => {
  expect(cleanTags([' b ', 'a', 'b', '', 'x'.repeat(60)])).toEqual(['a', 'b', 'x'.repeat(40)]);
  expect(cleanTags(Array.from({ length: 30 }, (_, index) => String(index)))).toHaveLength(20);
});

test('valid parts of the browser storage are used', () => {
  expect([...parseTags({ a: ['x', 3], b: [], c: 'y' })]).toEqual([['a', ['x']]]);
  expect(parseTags([1]).size).toBe(0);
});
