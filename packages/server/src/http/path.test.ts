import { describe, expect, test } from 'bun:test';
import { hasEncodedSlash, routingPath, trimSlashes } from './path.ts';

describe('the routing path', () => {
  test.each([
    ['http://host/health', '/health'],
    ['http://host', '/'],
    ['http://host/?a=/b', '/'],
    ['http://host/a?x=1#y', '/a'],
    ['http://host/v0/management/%75sage', '/v0/management/usage'],
    ['http://host/v0/management/%7e%2D', '/v0/management/~-'],
    ['http://host/a%20b%2Fc', '/a%20b%2Fc'],
    ['http://host/a%zz', '/a%zz'],
    ['http://host//double//slash/', '//double//slash/'],
  ])('of %s is %s', (url, path) => {
    expect(routingPath(url)).toBe(path);
  });

  test('an encoded slash is detected in both spellings', () => {
    expect(['/a%2fb', '/a%2Fb', '/a%5cb', '/a%5Cb'].every(hasEncodedSlash)).toBe(true);
    expect(hasEncodedSlash('/a/b%20c')).toBe(false);
  });

  test('trailing slashes are removed, the root is kept', () => {
    expect([trimSlashes('/a/b//'), trimSlashes('/a'), trimSlashes('/'), trimSlashes('//')]).toEqual([
      '/a/b',
      '/a',
      '/',
      '/',
    ]);
  });
});
