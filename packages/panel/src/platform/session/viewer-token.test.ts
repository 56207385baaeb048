import { describe, expect, test } from 'bun:test';
import { viewerAddress, viewerTokenIn } from './viewer-token.ts';

const TOKEN = `mgv_${'aB3-_'.repeat(8)}abc`;

describe('the address of a viewer link', () => {
  test('has its token in the fragment alone', () => {
    const url = new URL(viewerAddress('http://manager.test/management.html', TOKEN));
    expect([url.pathname, url.search]).toEqual(['/management.html', '']);
    expect(viewerTokenIn(url.hash)).toBe(TOKEN);
  });

  test.each([
    '',
    '#/',
    '#/dashboard',
    '#viewer=',
    `#viewer=${TOKEN}/x`,
    `#viewer=mgr_${'a'.repeat(43)}`,
    `#/x?viewer=${TOKEN}`,
  ])('is no other one: %s', (hash) => expect(viewerTokenIn(hash)).toBeNull());
});
