import { describe, expect, test } from 'bun:test';
import { ALL_ENTRIES, activeEntry, isServed, NAVIGATION, startPath } from './navigation.ts';

describe('the active entry', () => {
  test.each([
    ['/monitoring', undefined, 'nav.monitoring'],
    ['/monitoring/event/abc', undefined, 'nav.monitoring'],
    ['/accounts', undefined, 'nav.accounts'],
    ['/accounts', 'health', 'nav.inspection'],
    ['/accounts', 'oauth', 'nav.accounts'],
    ['/accounts/actions', undefined, 'nav.accountActions'],
    ['/accountsx', undefined, undefined],
  ] as const)('of %s with view %p is %p', (path, view, label) => {
    expect(activeEntry(path, view)?.label).toBe(label as never);
  });

  test('of a gateway alone has no page that needs the manager', () => {
    const paths = NAVIGATION.flatMap(({ entries }) => entries)
      .filter((entry) => isServed(entry, 'gateway'))
      .map(({ path, view }) => [path, view].filter(Boolean).join(' '));
    expect(paths).toEqual([
      '/dashboard',
      '/accounts',
      '/oauth',
      '/providers',
      '/api-keys',
      '/config',
      '/plugins',
      '/logs',
      '/system',
    ]);
    expect(ALL_ENTRIES.every((entry) => isServed(entry, 'manager'))).toBe(true);
  });

  test('letters of shortcuts are unique', () => {
    const keys = ALL_ENTRIES.flatMap((entry) => (entry.key === undefined ? [] : [entry.key]));
    expect(new Set(keys).size).toBe(keys.length);
  });
});

test.each([
  ['/accounts', 'manager', '/accounts'],
  ['/monitoring', 'manager', '/monitoring'],
  ['/monitoring', 'gateway', '/dashboard'],
  ['/plugins', 'gateway', '/plugins'],
  ['/no-such-page', 'manager', '/dashboard'],
] as const)('the chosen page %s of a %s makes / lead to %s', (chosen, mode, path) => {
  expect(startPath(chosen, mode)).toBe(path);
});
