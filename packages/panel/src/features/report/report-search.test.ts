import { describe, expect, test } from 'bun:test';
import { isExact } from '../../platform/browser/address.ts';
import { parseUrlSearch } from '../../platform/browser/url-search.ts';
import { REPORT_ADDRESS, type ReportSearch, withRows } from './report-search.ts';

const read = (query: string): ReportSearch => REPORT_ADDRESS.read(parseUrlSearch(query));

describe('the address of a report', () => {
  test.each([
    '?month=2026-10&zone=Europe%2FBerlin',
    '?from=2026-10-03&to=2026-10-09&zone=UTC&by=account&parts=client_key&measure=tokens',
    '?by=provider&parts=none&measure=requests',
    '?by=model&parts=account',
    '?api_key_hash=aa&api_key_hash=bb&model=gpt&account=h%3A0123456789abcdef&provider=codex&month=2026-10&zone=UTC',
    '',
  ])('%s comes back the same', (query) => {
    expect(isExact(REPORT_ADDRESS, parseUrlSearch(query))).toBe(true);
  });

  test.each([
    '?month=2026-13',
    '?from=2026-10-09&to=2026-10-03',
    '?zone=Mars%2FOlympus',
    '?by=client_key',
    '?by=weather',
    '?by=model&parts=model',
    '?parts=model',
    '?measure=cost',
  ])('%s is corrected', (query) => {
    expect(isExact(REPORT_ADDRESS, parseUrlSearch(query))).toBe(false);
  });

  test('leaves period and zone open where it has none', () => {
    const filters = { api_key_hash: [], model: [], account: [], provider: [] };
    expect(read('')).toEqual({ period: null, zone: '', by: 'client_key', parts: 'model', measure: 'cost', filters });
    expect(read('?by=model').parts).toBe('client_key');
  });
});

test('rows and parts change places when both would be the same', () => {
  const search = read('?by=client_key&parts=account');
  expect(withRows(search, 'account')).toEqual({ by: 'account', parts: 'client_key' });
  expect(withRows(search, 'provider')).toEqual({ by: 'provider', parts: 'account' });
  expect(withRows({ ...search, parts: null }, 'model')).toEqual({ by: 'model', parts: null });
});
