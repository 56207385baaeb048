import { expect, test } from 'bun:test';
import { hasFilters, NO_FILTERS, readInspectionSearch, writeInspectionSearch } from './inspection-search.ts';

const RUN = '0198f2c4a1b27c3d8e4f5a6b7c8d9e0f';

test('what the address says comes back as it was written', () => {
  const url = {
    view: ['health'],
    other: ['kept'],
    run: [RUN],
    tab: ['log'],
    action: ['delete'],
    provider: ['codex'],
    state: ['failed'],
    search: ['one@'],
    result: ['31'],
    level: ['error'],
    runs: ['all'],
  };
  expect(writeInspectionSearch(readInspectionSearch(url), url)).toEqual(url);
});

test('defaults are not written, and what is invalid is a default', () => {
  const url = { view: ['health'], run: ['../x'], tab: ['nothing'], action: ['burn'], state: ['?'], result: ['0'] };
  const search = readInspectionSearch(url);
  expect(search).toMatchObject({
    run: '',
    tab: 'results',
    action: '',
    state: '',
    result: '',
    level: '',
    allRuns: false,
  });
  expect(writeInspectionSearch(search, url)).toEqual({ view: ['health'] });
});

test('only what hides results is a filter', () => {
  const search = readInspectionSearch({ run: [RUN], level: ['error'], result: ['4'] });
  expect(hasFilters(search)).toBe(false);
  expect(hasFilters({ ...search, state: 'failed' })).toBe(true);
  expect(hasFilters({ ...readInspectionSearch({ provider: ['xai'] }), ...NO_FILTERS })).toBe(false);
});
