import { expect, test } from 'bun:test';
import { createAccountRows } from './rows.ts';
import { accountsOf, historyOf, NO_SOURCES, NOW, windowOf } from './testing/accounts.ts';

test('only changed rows are rebuilt', () => {
  const accounts = accountsOf({}, {}, {});
  const makeRows = createAccountRows();
  const sources = { ...NO_SOURCES, history: new Map([['index-0', historyOf(0)]]) };
  const before = makeRows(accounts, sources, NOW);
  expect(makeRows(accounts, { ...sources }, NOW)).toEqual(before);

  const windows = new Map([['index-1', [windowOf()]]]);
  const after = makeRows(accounts, { ...sources, windows }, NOW);
  expect(after.map((row, index) => row === before[index])).toEqual([true, false, true]);
  expect(after[1]?.quota.left).toBe(75);

  const later = makeRows(accounts, { ...sources, windows }, NOW + 1);
  expect(later.some((row, index) => row === after[index])).toBe(false);
});
