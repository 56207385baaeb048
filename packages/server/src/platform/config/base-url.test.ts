import { describe, expect, test } from 'bun:test';
import { requireBaseUrl, withoutSecrets } from './base-url.ts';

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
    'http://g/a b',
    'http://g\nx',
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
