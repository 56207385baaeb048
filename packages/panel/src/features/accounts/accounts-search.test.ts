import { describe, expect, test } from 'bun:test';
import { hasFilters, NO_FILTERS, readAccountsSearch, writeAccountsSearch } from './accounts-search.ts';

const DEFAULT = readAccountsSearch({});

describe('the address of the page', () => {
  test('holds what differs from the default and can be read back', () => {
    const search = {
      ...DEFAULT,
      search: 'team',
      provider: 'codex',
      plan: 'pro',
      status: 'risk',
      quota: 'lt20',
      operation: 'cooldown',
      tag: 'night shift',
      group: 'tag',
      sort: 'quota',
      direction: 'desc',
      pageSize: 0,
      page: 3,
      account: 'e645679a8a8d0dab',
      tab: 'quota',
    } as const;
    const written = writeAccountsSearch(search, { view: ['list'] });
    expect(written).toMatchObject({ view: ['list'], pageSize: ['all'], tab: ['quota'], direction: ['desc'] });
    expect(readAccountsSearch(written)).toEqual(search);
    expect(hasFilters(search)).toBe(true);
    expect(writeAccountsSearch(DEFAULT, { search: ['x'], page: ['2'] })).toEqual({});
    expect(hasFilters({ ...search, ...NO_FILTERS })).toBe(false);
  });

  test('never holds a name of a person', () => {
    expect(writeAccountsSearch({ ...DEFAULT, search: 'ops@example.com' }, {})).toEqual({});
  });

  test('takes values that mean nothing for the default', () => {
    const url = {
      status: ['ok'],
      quota: ['x'],
      operation: [''],
      sort: ['up'],
      direction: ['left'],
      pageSize: ['7'],
      page: ['-1'],
      tab: ['x'],
    };
    expect(readAccountsSearch(url)).toEqual(DEFAULT);
  });

  test('knows the older name of a tab, and the initial direction of a sort order', () => {
    expect(readAccountsSearch({ tab: ['credential'] }).tab).toBe('config');
    expect(readAccountsSearch({ sort: ['recent'] }).direction).toBe('desc');
    expect(writeAccountsSearch({ ...DEFAULT, sort: 'recent', direction: 'desc' }, {})).toEqual({ sort: ['recent'] });
  });
});
