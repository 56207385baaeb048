import { expect, test } from 'bun:test';
import {
  hasFilters,
  NO_FILTERS,
  readAccountActionsSearch,
  writeAccountActionsSearch,
} from './account-actions-search.ts';

test('filters and the open candidate stand in the address and come back from it', () => {
  const search = { status: 'ignored', type: 'reauth', provider: 'codex', search: 'ops@', candidate: '12' };
  const written = writeAccountActionsSearch(search, { lang: ['x'] });
  expect(written).toEqual({
    lang: ['x'],
    status: ['ignored'],
    type: ['reauth'],
    provider: ['codex'],
    search: ['ops@'],
    candidate: ['12'],
  });
  expect(readAccountActionsSearch(written)).toEqual(search);
  expect(hasFilters(search)).toBe(true);
});

test('what waits is the default and is not written, all is', () => {
  const all = { ...NO_FILTERS, status: '', candidate: '' };
  expect(
    writeAccountActionsSearch({ ...NO_FILTERS, candidate: '' }, { status: ['ignored'], candidate: ['3'] }),
  ).toEqual({});
  expect(writeAccountActionsSearch(all, {})).toEqual({ status: ['all'] });
  expect(readAccountActionsSearch({ status: ['all'] })).toEqual(all);
  expect(hasFilters(all)).toBe(false);
});

test('values that mean nothing count as none', () => {
  expect(readAccountActionsSearch({ status: ['nonsense'], candidate: ['../1'] })).toEqual({
    ...NO_FILTERS,
    candidate: '',
  });
});
