import { describe, expect, test } from 'bun:test';
import { isExact } from '../../platform/browser/address.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { CLIENT_KEYS_ADDRESS, readClientKeysSearch, writeClientKeysSearch } from './client-keys-search.ts';

const HASH = 'ab'.repeat(32);

describe('the address of the page', () => {
  test('without parameters is the default, and the default writes none', () => {
    const read = readClientKeysSearch({});
    expect(read).toEqual({ range: { name: '30d', fromMs: null, toMs: null }, show: 'active', search: '', key: '' });
    expect(writeClientKeysSearch(read, { other: ['x'] })).toEqual({ other: ['x'] });
  });

  test('comes back as it was', () => {
    const url = { range: ['7d'], show: ['orphan'], search: ['team a'], key: [HASH], sort: ['-cost'] };
    expect(writeClientKeysSearch(readClientKeysSearch(url), url)).toEqual(url);
    expect(isExact(CLIENT_KEYS_ADDRESS, url)).toBe(true);
  });

  test.each<UrlSearch>([{ show: ['some'] }, { key: ['sk-no-hash'] }, { range: ['1y'] }, { search: ['x'.repeat(301)] }])(
    'is put right: %j',
    (url) => {
      expect(isExact(CLIENT_KEYS_ADDRESS, url)).toBe(false);
      expect(writeClientKeysSearch(readClientKeysSearch(url), url)).toEqual({});
    },
  );

  test('has a hash in small letters only', () => {
    expect(readClientKeysSearch({ key: [HASH.toUpperCase()] }).key).toBe(HASH);
  });
});
