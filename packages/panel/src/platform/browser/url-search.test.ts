import { describe, expect, test } from 'bun:test';
import { parseUrlSearch, stringifyUrlSearch } from './url-search.ts';

describe('query of the address', () => {
  test('repeated parameters become lists', () => {
    expect(parseUrlSearch('?model=a&model=b&range=7d')).toEqual({ model: ['a', 'b'], range: ['7d'] });
  });

  test('any text survives the way there and back', () => {
    const search = { search: ['100% & a=b + 雷 #?'], model: ['x/y:z', ''] };
    expect(parseUrlSearch(stringifyUrlSearch(search))).toEqual(search);
  });

  test('nothing is no question mark', () => {
    expect(stringifyUrlSearch({})).toBe('');
    expect(stringifyUrlSearch({ gone: undefined })).toBe('');
  });
});
