import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { ALL_ENTRIES, activeEntry, isServed, NAVIGATION, REDIRECTS, startPath } from './navigation.ts';

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
      '/doctor',
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

test('every link of the panel leads to a page that exists', async () => {
  const root = join(import.meta.dir, '..');
  const router = await Bun.file(join(root, 'shell/router.tsx')).text();
  const pages = new Set([...Object.keys(REDIRECTS), ...matches(router, /path: '(\/[^']*)'/g)]);
  const linked = new Set<string>(ALL_ENTRIES.map(({ path }) => path));
  for await (const file of new Bun.Glob('**/*.{ts,tsx}').scan(root)) {
    if (file.includes('.test.') || file.startsWith('shell/router')) continue;
    const text = await Bun.file(join(root, file)).text();
    for (const path of matches(text, /\bto(?:=|: |=\{)["'](\/[\w$/-]*)["']|\blink\(\s*'(\/[\w$/-]*)'/g))
      linked.add(path);
  }
  expect(linked.size).toBeGreaterThan(15);
  // A page inside another one has the path of both.
  const exists = (path: string) =>
    pages.has(path) || [...pages].some((page) => path.startsWith(page) && pages.has(path.slice(page.length)));
  expect([...linked].filter((path) => !exists(path))).toEqual([]);
});

/** The first group that took part, of every match. */
function matches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].flatMap((found) => found.slice(1).find((group) => group !== undefined) ?? []);
}
