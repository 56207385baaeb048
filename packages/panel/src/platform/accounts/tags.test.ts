import { expect, test } from 'bun:test';
import { isRecord, readStored, removeStored, writeStored } from '../browser/storage.ts';
import { changeTags, cleanTags, parseTags } from './tags.ts';
import { accountsOf } from './testing/accounts.ts';

test('labels are trimmed, without duplicates and limited', () => {
  expect(cleanTags([' b ', 'a', 'b', '', 'x'.repeat(60)])).toEqual(['a', 'b', 'x'.repeat(40)]);
  expect(cleanTags(Array.from({ length: 30 }, (_, index) => String(index)))).toHaveLength(20);
});

test('valid parts of the browser storage are used', () => {
  expect([...parseTags({ a: ['x', 3], b: [], c: 'y' })]).toEqual([['a', ['x']]]);
  expect(parseTags([1]).size).toBe(0);
});

test('labels that another tab has set meanwhile stay', () => {
  const stored = () => {
    const tags = readStored('browser', 'tags');
    return isRecord(tags) ? tags : {};
  };
  const [one = [], two = []] = accountsOf({}, {}).map((account) => [account]);
  changeTags(one, () => ['mine']);
  writeStored('browser', 'tags', { ...stored(), other: ['theirs'] });
  changeTags(two, () => ['mine']);
  expect(Object.values(stored()).toSorted()).toEqual([['mine'], ['mine'], ['theirs']]);
  expect(stored().other).toEqual(['theirs']);
  removeStored('browser', 'tags');
});
