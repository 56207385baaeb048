import { expect, test } from 'bun:test';
import { hasFilters, NO_FILTERS, readActionsSearch, writeActionsSearch } from './account-actions-search.ts';

test('filters and the open candidate stand in the address and come back from it', () => {
  const search = { status: 'ignored', type: 'reauth', provider: 'codex', search: 'ops@', candidate: '12' };
  const written = writeActionsSearch(search, { lang: ['x'] });
  expect(written).toEqual({
    lang: ['x'],
    status: ['ignored'],
    type: ['reauth'],
    provider: ['codex'],
    search: ['ops@'],
    candidate: ['12'],
  });
  expect(readActionsSearch(written)).toEqual(search);
  expect(hasFilters(search)).toBe(true);
});

test('what waits is the default and is not written, all is', () => {
  const all = { ...NO_FILTERS, status: '', candidate: '' };
  expect(writeActionsSearch({ ...NO_FILTERS, candidate: '' }, { status: ['ignored'], candidate: ['3'] })).toEqual({});
  expect(writeActionsSearch(all, {})).toEqual({ status: ['all'] });
  expect(readActionsSearch({ status: ['all'] })).toEqual(all);
  expect(hasFilters(all)).toBe(false);
});

test('values that mean nothing count as none', () => {
  expect(readActionsSearch({ status: ['nonsense'], candidate: ['../1'] })).toEqual({ ...NO_FILTERS, candidate: '' });
});
