import { describe, expect, test } from 'bun:test';
import { isPrivateText } from '../../platform/browser/private-text.ts';
import { clearFilters, countFilters, setListFilter, toFilters } from '../../platform/requests/request-filters.ts';
import {
  changedUrl,
  DEFAULT_MONITORING_SEARCH,
  type MonitoringSearch,
  readMonitoringSearch,
  writeMonitoringSearch,
} from './monitoring-search.ts';

const full: MonitoringSearch = {
  ...setListFilter(setListFilter(DEFAULT_MONITORING_SEARCH, 'model', ['a', 'b']), 'api_key_hash', ['0f']),
  range: { name: 'custom', fromMs: 1000, toMs: 2000 },
  status: 'failed',
  minLatencyMs: 3000,
  cache: 'hit',
  search: 'timeout 100%',
  pageSize: 50,
  page: 3,
};

describe('the address of the monitoring page', () => {
  test('holds only what differs from the default', () => {
    expect(writeMonitoringSearch(DEFAULT_MONITORING_SEARCH, {})).toEqual({});
  });

  test('survives the way there and back', () => {
    expect(readMonitoringSearch(writeMonitoringSearch(full, {}))).toEqual(full);
  });

  test('begins with the first page when the filters change, not when the page does', () => {
    const url = writeMonitoringSearch(full, {});
    expect(changedUrl({ ...full, status: 'all' }, url).page).toBeUndefined();
    expect(changedUrl({ ...full, page: 2 }, url).page).toEqual(['2']);
  });

  test('keeps parameters of others and drops its own old ones', () => {
    const url = { other: ['1'], model: ['old'], status: ['failed'] };
    expect(writeMonitoringSearch(DEFAULT_MONITORING_SEARCH, url)).toEqual({ other: ['1'] });
  });

  test.each([
    [{ range: ['9y'] }],
    [{ range: ['custom'] }],
    [{ range: ['custom'], from_ms: ['5'], to_ms: ['5'] }],
    [{ range: ['custom'], from_ms: ['1'], to_ms: ['1e99'] }],
    [{ status: ['maybe'], min_latency_ms: ['-1'], cache_status: ['warm'] }],
    [{ min_latency_ms: ['1.5'] }],
    [{ pageSize: ['7'], page: ['0'] }],
    [{ pageSize: [''], page: ['x'] }],
  ])('takes the default for %p', (url) => {
    expect(readMonitoringSearch(url)).toEqual(DEFAULT_MONITORING_SEARCH);
  });

  test('never holds an e-mail address or a key', () => {
    for (const text of [
      'ops@example.com',
      'sk-abc123',
      'x sk-ant-api03-xyz',
      'AIzaSyD-1234',
      'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4MTIz',
    ]) {
      expect(isPrivateText(text)).toBe(true);
      expect(writeMonitoringSearch({ ...DEFAULT_MONITORING_SEARCH, search: text }, {})).toEqual({});
    }
    for (const text of [
      'timeout',
      'req_7f3e19c0b2d4',
      'a'.repeat(64),
      '0193c0de-7f3e-7abc-8def-0123456789ab',
      '上游超时',
      '1_0',
    ]) {
      expect(isPrivateText(text)).toBe(false);
    }
  });
});

describe('filters of a request', () => {
  test('carry the names of the wire', () => {
    expect(
      toFilters({ ...full, lists: { ...full.lists, account: ['h:0123456789abcdef'] } }, ['ops@example.com']),
    ).toEqual({
      models: ['a', 'b'],
      api_key_hashes: ['0f'],
      accounts: ['ops@example.com'],
      failed_only: true,
      min_latency_ms: 3000,
      cache_status: 'hit',
    });
    expect(toFilters({ ...DEFAULT_MONITORING_SEARCH, status: 'success' }, [])).toEqual({ include_failed: false });
    expect(toFilters(DEFAULT_MONITORING_SEARCH, [])).toEqual({});
  });

  test('are counted one by one, and cleared without the range', () => {
    expect(countFilters(full)).toBe(7);
    expect(countFilters(DEFAULT_MONITORING_SEARCH)).toBe(0);
    expect(clearFilters(full)).toEqual({ ...DEFAULT_MONITORING_SEARCH, range: full.range, pageSize: 50, page: 3 });
  });
});
