import { expect, test } from 'bun:test';
import { countAccounts, countCompatible, countErrorLogs, countProviderKeys, KEY_LISTS } from './inventory-view.ts';

test('accounts that are switched off do not fail', () => {
  const files = [
    { name: 'a.json', status: 'active' },
    { name: 'b.json', status: 'error' },
    { name: 'c.json', unavailable: true },
    { name: 'd.json', disabled: true, status: 'error' },
  ];
  expect(countAccounts(files)).toEqual({ all: 4, on: 3, failing: 2 });
});

test('provider keys of all lists are added up, also where a list does not exist', () => {
  const lists = KEY_LISTS.map((_, index) => (index === 1 ? [] : index === 0 ? [{}, {}] : [{}]));
  expect(countProviderKeys(lists)).toEqual({ keys: 6, providers: 5 });
  expect(countProviderKeys([])).toEqual({ keys: 0, providers: 0 });
});

test('compatible upstreams, and those that are off', () => {
  expect(countCompatible([{ name: 'a' }, { name: 'b', disabled: true }])).toEqual({
    all: 2,
    off: 1,
  });
});

test('the newest error log', () => {
  const files = [{ modified: 1_780_000_000 }, { modified: 1_790_000_000 }, { name: 'no time' }];
  expect(countErrorLogs(files)).toEqual({ files: 3, newestMs: 1_790_000_000_000 });
  expect(countErrorLogs([])).toEqual({ files: 0, newestMs: null });
});
