import { expect, test } from 'bun:test';
import { pageOf } from './pages.ts';

test('pages of a list; one beyond the end is the last', () => {
  const list = [1, 2, 3, 4, 5];
  expect(pageOf(list, 2, 2)).toEqual({ rows: [3, 4], page: 2, pages: 3, first: 3 });
  expect(pageOf(list, 9, 2)).toMatchObject({ rows: [5], page: 3 });
  expect(pageOf(list, 3, 0).rows).toBe(list);
  expect(pageOf([], 1, 20)).toEqual({ rows: [], page: 1, pages: 1, first: 1 });
});
