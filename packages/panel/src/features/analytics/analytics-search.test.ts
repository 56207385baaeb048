import { describe, expect, test } from 'bun:test';
import { isExact } from '../../platform/browser/address.ts';
import { parseUrlSearch, stringifyUrlSearch } from '../../platform/browser/url-search.ts';
import {
  ANALYTICS_ADDRESS,
  clearScope,
  compareSides,
  countScopeFilters,
  DEFAULT_SCOPE,
  readAnalyticsSearch,
  withFilters,
  writeAnalyticsSearch,
} from './analytics-search.ts';

const read = (query: string) => readAnalyticsSearch(parseUrlSearch(query));
const write = (query: string) => stringifyUrlSearch(writeAnalyticsSearch(read(query), {}));

describe('the address of usage analytics', () => {
  test.each([
    '?tab=trends&series=requests&series=p95',
    '?time_range=7d&granularity=hour',
    '?time_range=custom&from_ms=1000&to_ms=2000',
    '?model=a&model=b&status=failed&min_latency_ms=3000&cache_status=hit&search=x',
    '?api_key_keyword=team&by=tokens',
    '?tab=heatmap&open=1-9&heat=failureRate&scale=byHour&day=1700000000000',
    '?tab=apiKeys&lines=aa&lines=bb&open=aa',
    '?tab=compare&mode=models&a=model%3Dx%26time_range%3D7d&b=model%3Dy%26time_range%3D24h',
  ])('%s comes back the same', (query) => {
    expect(parseUrlSearch(write(query))).toEqual(parseUrlSearch(query));
  });

  test.each([
    '',
    '?tab=overview',
    '?time_range=24h',
    '?granularity=auto',
    '?by=cost',
    '?tab=nothing',
    '?day=x',
    '?status=x',
  ])('defaults and nonsense are not written: %s', (query) => {
    expect(write(query)).toBe('');
    expect(isExact(ANALYTICS_ADDRESS, parseUrlSearch(query))).toBe(query === '');
  });

  test('parameters of others stay', () => {
    expect(writeAnalyticsSearch(read('?time_range=7d'), { sort: ['-tokens'] })).toEqual({
      sort: ['-tokens'],
      time_range: ['7d'],
    });
    expect(isExact(ANALYTICS_ADDRESS, parseUrlSearch('?sort=-tokens&utm=1'))).toBe(true);
  });

  test('keys and addresses that were typed never get into it', () => {
    const secret = { ...read('').scope, search: 'sk-abcdefghijklmnop', keyKeyword: 'me@example.com' };
    expect(writeAnalyticsSearch({ ...read(''), scope: secret }, {})).toEqual({});
  });

  test('filters of request monitoring keep the range and the keyword; clearing drops both filters', () => {
    const scope = read('?time_range=7d&model=a&api_key_keyword=team').scope;
    expect(countScopeFilters(scope)).toBe(2);
    expect(withFilters(scope, { ...scope, status: 'failed' }).keyKeyword).toBe('team');
    const { keyKeyword: _, ...cleared } = DEFAULT_SCOPE;
    expect(withFilters(scope, cleared)).toMatchObject({ keyKeyword: '', range: { name: '7d' } });
    expect(countScopeFilters(clearScope(scope))).toBe(0);
  });
});

describe('the sides of a comparison', () => {
  test('are this range and the time before it, with the same filters', () => {
    const { a, b, before } = compareSides(read('?tab=compare&time_range=7d&model=x'));
    expect(before).toBe(true);
    expect([a.range.name, b.range.name]).toEqual(['7d', '7d']);
    expect([a.lists.model, b.lists.model]).toEqual([['x'], ['x']]);
  });

  test('have ranges of their own where the address says so', () => {
    const { a, b, before } = compareSides(read('?tab=compare&a=time_range%3D30d&b=time_range%3D24h'));
    expect(before).toBe(false);
    expect([a.range.name, b.range.name]).toEqual(['30d', '24h']);
  });

  test('share one range when two models are compared', () => {
    const { a, b, before } = compareSides(read('?tab=compare&mode=models&a=time_range%3D7d%26model%3Dx&b=model%3Dy'));
    expect(before).toBe(false);
    expect([a.range.name, b.range.name]).toEqual(['7d', '7d']);
    expect([a.lists.model, b.lists.model]).toEqual([['x'], ['y']]);
  });
});
