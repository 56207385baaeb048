import { expect, test } from 'bun:test';
import { cleanTags, parseTags } from './tags.ts';

test('labels are trimmed, stand once each and are bounded', () => {
  expect(cleanTags([' b ', 'a', 'b', '', 'x'.repeat(60)])).toEqual(['a', 'b', 'x'.repeat(40)]);
  expect(cleanTags(Array.from({ length: 30 }, (_, index) => String(index)))).toHaveLength(20);
});

test('what the browser kept is taken as far as it makes sense', () => {
  expect([...parseTags({ a: ['x', 3], b: [], c: 'y' })]).toEqual([['a', ['x']]]);
  expect(parseTags([1]).size).toBe(0);
});
