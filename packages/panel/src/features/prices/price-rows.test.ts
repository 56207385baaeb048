import { describe, expect, test } from 'bun:test';
import type { ModelPrice } from '@manager/core/pricing/price';
import { isExact } from '../../platform/browser/address.ts';
import { countFilter, defaultFilter, filterRows, priceRows } from './price-rows.ts';
import { PRICES_ADDRESS, readPricesSearch, writePricesSearch } from './prices-search.ts';

const price: ModelPrice = { prompt: 1, completion: 2, cache: 0, source: 'models.dev' };
const used = (model: string, requested: number, resolved: number) => ({
  model,
  calls: requested + resolved,
  requested_calls: requested,
  resolved_calls: resolved,
});

const rows = priceRows({
  prices: { 'acme-chat': price },
  usage: {
    sampled_events: 9,
    total_events: 9,
    truncated: false,
    models: [used('alias', 4, 0), used('other', 2, 1), used('gpt-5.6-sol', 1, 0)],
  },
  lookups: new Map([['alias', [{ names: ['acme-chat', 'alias'], used: 'acme-chat', family: false, requests: 4 }]]]),
  candidates: new Set(['new-one']),
  conflicts: new Set(),
});

describe('rows of prices', () => {
  test('show why a model has its price, or none', () => {
    expect(Object.fromEntries(rows.map((row) => [row.model, row.state]))).toEqual({
      'acme-chat': 'saved',
      alias: 'elsewhere',
      other: 'missing',
      'gpt-5.6-sol': 'builtIn',
      'new-one': 'candidate',
    });
    expect(rows.find((row) => row.model === 'alias')?.pricedAs).toBe('acme-chat');
  });

  test('of two names of one model only one has to be priced', () => {
    const lookup = { names: ['acme-large', 'alias'], used: null, family: false, requests: 4 };
    const models = [used('alias', 4, 0), used('acme-large', 0, 4)];
    const both = priceRows({
      prices: {},
      usage: { sampled_events: 4, total_events: 4, truncated: false, models },
      lookups: new Map([['alias', [lookup]]]),
      candidates: new Set(),
      conflicts: new Set(),
    });
    expect(both.map(({ model, state, pricedAs }) => [model, state, pricedAs])).toEqual([
      ['alias', 'waiting', 'acme-large'],
      ['acme-large', 'missing', null],
    ]);
    expect([countFilter(both, 'missing'), countFilter(both, 'indirect')]).toEqual([1, 1]);
  });

  test('start with what lacks a price', () => {
    expect(defaultFilter(rows)).toBe('missing');
    expect(defaultFilter(filterRows(rows, 'saved', ''))).toBe('all');
    expect(filterRows(rows, 'missing', '').map((row) => row.model)).toEqual(['other', 'new-one']);
    expect(filterRows(rows, 'all', 'MODELS.dev acme').map((row) => row.model)).toEqual(['acme-chat']);
  });
});

test('missing, saved and indirect prices add up to all, also while one was changed by somebody else', () => {
  const conflicting = priceRows({
    prices: { 'acme-chat': price },
    usage: undefined,
    lookups: new Map(),
    candidates: new Set(['new-one', 'gpt-5.6-sol']),
    conflicts: new Set(['acme-chat', 'new-one']),
  });
  for (const all of [rows, conflicting]) {
    const counts = (['missing', 'saved', 'indirect'] as const).map((filter) => countFilter(all, filter));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(countFilter(all, 'all'));
    expect(countFilter(all, 'candidates')).toBeLessThanOrEqual(countFilter(all, 'missing'));
  }
  expect(countFilter(rows, 'indirect')).toBe(2);
});

describe('the address', () => {
  test('goes there and back, and keeps what belongs to others', () => {
    const url = { filter: ['saved'], search: ['acme'], model: ['a/b'], sort: ['-prompt'] };
    expect(writePricesSearch(readPricesSearch(url), url)).toEqual(url);
    expect(isExact(PRICES_ADDRESS, url)).toBe(true);
    expect(isExact(PRICES_ADDRESS, { filter: ['nonsense'] })).toBe(false);
    expect(readPricesSearch({ filter: ['nonsense'] })).toEqual({ filter: null, search: '', model: '' });
  });
});
