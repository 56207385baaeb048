import { describe, expect, test } from 'bun:test';
import { ALL_ENTRIES, activeEntry } from './navigation.ts';

describe('the active entry', () => {
  test.each([
    ['/monitoring', undefined, 'nav.monitoring'],
    ['/monitoring/event/abc', undefined, 'nav.monitoring'],
    ['/accounts', undefined, 'nav.accounts'],
    ['/accounts', 'health', 'nav.health'],
    ['/accounts', 'oauth', 'nav.accounts'],
    ['/accounts/actions', undefined, 'nav.actions'],
    ['/accountsx', undefined, undefined],
  ] as const)('of %s with view %p is %p', (path, view, label) => {
    expect(activeEntry(path, view)?.label).toBe(label as never);
  });

  test('letters of shortcuts are not taken twice', () => {
    const keys = ALL_ENTRIES.flatMap((entry) => (entry.key === undefined ? [] : [entry.key]));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
