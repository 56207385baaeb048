import { describe, expect, test } from 'bun:test';
import { normaliseBaseUrl, requireBaseUrl, withoutSecrets } from './base-url.ts';

describe('normalization', () => {
  const cases: [string, string][] = [
    ['', ''],
    ['   ', ''],
    ['gateway:8317', 'http://gateway:8317'],
    [' http://gateway:8317/ ', 'http://gateway:8317'],
    ['https://g///', 'https://g'],
    ['http://g/v0/management', 'http://g'],
    ['http://g/v0/management/', 'http://g'],
    ['http://g/v0/', 'http://g'],
    ['http://g/base/v0/management', 'http://g/base'],
    ['http://g/v0/v0/management', 'http://g'],
    ['http://g:1/management.html', 'http://g:1'],
    ['g:1/base/management.html/#/login?x=1', 'http://g:1/base'],
    ['http://g/management.html?x=1', 'http://g'],
    ['[::1]:8317', 'http://[::1]:8317'],
  ];
  for (const [input, expected] of cases) {
    test(JSON.stringify(input), () => expect(normaliseBaseUrl(input)).toBe(expected));
  }
});

describe('what may be saved', () => {
  test('a plain address', () => expect(requireBaseUrl('g:1/base/')).toBe('http://g:1/base'));
  for (const bad of [
    'ftp://g',
    'http://',
    'http://u:p@g',
    'http://u@g',
    'http://g?x=1',
    'http://g/?',
    'http://g#f',
    'http://g x',
    'http://g:0',
    'g:0/base',
  ]) {
    test(`not ${bad}`, () => expect(() => requireBaseUrl(bad)).toThrow(/gateway URL/));
  }
});

describe('a URL that may be shown', () => {
  test('has no user info, query and fragment', () => expect(withoutSecrets('http://u:p@g/x?k=1#f')).toBe('http://g/x'));
  test('also for text that is no URL', () => expect(withoutSecrets('http://u:p@g h/x?k=1')).not.toContain('u:p'));
  test('keeps a clean one', () => expect(withoutSecrets('http://g/x')).toBe('http://g/x'));
});
