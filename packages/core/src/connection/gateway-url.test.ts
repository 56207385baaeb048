import { describe, expect, test } from 'bun:test';
import { normaliseGatewayUrl } from './gateway-url.ts';

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
    ['http:/g:1', 'http://g:1'],
    ['HTTP://g:1', 'http://g:1'],
    ['http//g:1', 'http://g:1'],
    ['https:\\\\g:1', 'https://g:1'],
    ['//g:1/', 'http://g:1'],
    ['g:1/Management.html#/', 'http://g:1'],
  ];
  for (const [input, expected] of cases) {
    test(JSON.stringify(input), () => expect(normaliseGatewayUrl(input)).toBe(expected));
  }
});
