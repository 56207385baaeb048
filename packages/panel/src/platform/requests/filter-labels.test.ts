import { describe, expect, test } from 'bun:test';
import type { FilterOptions } from '@manager/core/contract/monitoring/analytics';
import { createMasker, PLAIN } from '../format/mask.ts';
import { type FilterNames, filterLabels } from './filter-labels.ts';
import { DEFAULT_REQUEST_FILTERS, setListFilter } from './request-filters.ts';
import { testEvent } from './testing/events.ts';

const search = setListFilter(DEFAULT_REQUEST_FILTERS, 'auth_index', ['3fa9c2d1']);
const address = 'operations@example.org';
const selectors = {
  account_stats: [{ id: 'a', account_snapshot: address, auth_indices: ['77', '3fa9c2d1'] }],
} as unknown as FilterOptions;
const names = (change: Partial<FilterNames>): FilterNames => ({
  t: ((key: string) => key) as FilterNames['t'],
  locale: 'en',
  keyNames: new Map(),
  masker: PLAIN,
  zone: 'UTC',
  selectors: undefined,
  rare: undefined,
  ...change,
});
const chip = (change: Partial<FilterNames>) => filterLabels(search, names(change))[0];

describe('the chip of an auth index', () => {
  test('names the account, the index is in its tooltip', () => {
    expect(chip({ selectors })).toMatchObject({
      label: `filter.account: ${address}`,
      title: 'filter.authIndex: 3fa9c2d1',
    });
  });

  test('masks the name', () => {
    const masked = chip({ selectors, masker: createMasker() });
    expect(masked?.label).toStartWith('filter.account: ope');
    expect(masked?.label).not.toContain(address);
  });

  test('takes the name from the requests on screen until the menus are there', () => {
    const loaded = [testEvent(1), testEvent(2, { auth_index: '3fa9c2d1', auth_label_snapshot: 'team two' })];
    expect(chip({ loaded })?.label).toBe('filter.account: team two');
  });

  test('shows the index of an unknown account', () => {
    expect(chip({})).toMatchObject({ label: 'filter.authIndex: 3fa9c2d1' });
    expect(chip({})?.title).toBeUndefined();
  });
});
