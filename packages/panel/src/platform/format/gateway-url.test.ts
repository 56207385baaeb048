import { expect, test } from 'bun:test';
import { gatewayUrl } from './gateway-url.ts';

test.each([
  [' gateway:8317/ ', 'http://gateway:8317'],
  ['https://gw.example.com/v0/management/', 'https://gw.example.com'],
  ['http://[::1]:8317?x=1#y', 'http://[::1]:8317'],
  ['http://gw/base/', 'http://gw/base'],
  ['gw:8317/management.html#/login?a=1', 'http://gw:8317'],
  ['http:/gw', 'http://gw'],
  ['', ''],
])('address %p becomes %p', (text, url) => {
  expect(gatewayUrl(text)).toBe(url);
});
