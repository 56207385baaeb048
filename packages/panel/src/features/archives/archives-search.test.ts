import { expect, test } from 'bun:test';
import { isExact } from '../../platform/browser/address.ts';
import { parseUrlSearch, stringifyUrlSearch } from '../../platform/browser/url-search.ts';
import { ARCHIVES_ADDRESS, type ArchivesSearch, readArchivesSearch, writeArchivesSearch } from './archives-search.ts';

const id = '0198f0a1b2c37d4e8f90123456789abc';
const empty: ArchivesSearch = { tab: 'overview', status: '', mode: '', run: '' };

test.each<[string, Partial<ArchivesSearch>]>([
  ['', {}],
  ['?tab=runs&status=failed&mode=retention', { tab: 'runs', status: 'failed', mode: 'retention' }],
  [`?tab=storage&run=${id}`, { tab: 'storage', run: id }],
])('the address %p says what it says, both ways', (address, said) => {
  const search = parseUrlSearch(address);
  expect(readArchivesSearch(search)).toEqual({ ...empty, ...said });
  expect(stringifyUrlSearch(writeArchivesSearch({ ...empty, ...said }, {}))).toBe(address);
  expect(isExact(ARCHIVES_ADDRESS, search)).toBe(true);
});

test.each([
  '?tab=overview',
  '?tab=all',
  '?status=uploading',
  '?status=toString',
  '?mode=auto',
  '?run=1',
  `?run=${id}x`,
])('what means nothing in %p is put right', (address) => {
  const search = parseUrlSearch(`${address}&other=1`);
  expect(readArchivesSearch(search)).toEqual(empty);
  expect(isExact(ARCHIVES_ADDRESS, search)).toBe(false);
  expect(writeArchivesSearch(readArchivesSearch(search), search)).toEqual({ other: ['1'] });
});
