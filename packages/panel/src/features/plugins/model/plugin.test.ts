import { describe, expect, test } from 'bun:test';
import { pagePath, plainText, readPlugins, runningPages, stateOf } from './plugin.ts';

const entry = (change: object = {}) => ({
  id: 'echo',
  configured: true,
  registered: true,
  enabled: true,
  effective_enabled: true,
  supports_oauth: true,
  oauth_provider: 'echo',
  menus: [
    { path: '/v0/resource/plugins/echo/index.html', menu: 'Tom &amp; &lt;b&gt;Jerry', description: '' },
    { path: '/v0/management/config', menu: 'Config', description: '' },
  ],
  config_fields: [
    { name: 'mode', type: 'enum', enum_values: ['a&amp;b'], description: 'say &#34;it&#34;' },
    { name: 'later', type: 'duration', enum_values: [], description: '' },
  ],
  metadata: { name: 'Echo\u202e\n&lt;script&gt;', version: '1.0', github_repository: 'javascript:alert(1)' },
  ...change,
});

describe('the list of plugins', () => {
  test('has texts, which are unescaped once, in one line and without tricks', () => {
    const [plugin] = readPlugins({ plugins_enabled: true }, [entry()]).plugins;
    expect(plugin).toMatchObject({ name: 'Echo\ufffd <script>', repository: '', oauthProvider: 'echo' });
    expect(plugin?.menus.map(({ label }) => label)).toEqual(['Tom & <b>Jerry', 'Config']);
    expect(plugin?.fields).toEqual([{ name: 'mode', type: 'enum', choices: ['a&b'], description: 'say "it"' }]);
    expect(plainText('&amp;lt;')).toBe('&lt;');
  });

  test('leaves out what has no valid id, and takes a plugin without metadata', () => {
    const list = [entry({ id: '../x' }), entry({ id: 'bare', metadata: null, menus: null }), 7];
    expect(readPlugins({}, list).plugins.map(({ id, name, menus }) => [id, name, menus])).toEqual([
      ['bare', 'bare', []],
    ]);
  });

  test('has pages of running plugins below their own path alone', () => {
    const list = readPlugins({}, [entry(), entry({ id: 'off', effective_enabled: false })]);
    expect(runningPages(list).map(({ plugin, menu }) => [plugin.id, menu.index, menu.path])).toEqual([
      ['echo', 0, '/v0/resource/plugins/echo/index.html'],
    ]);
  });
});

test.each([
  ['/v0/resource/plugins/echo/a/b.html?x=1#y', '/v0/resource/plugins/echo/a/b.html?x=1#y'],
  ['/v0/resource/plugins/echo/', '/v0/resource/plugins/echo/'],
  ['/v0/resource/plugins/echo/../other/x', null],
  ['/v0/resource/plugins/echo/%2e%2e/other/x', null],
  ['/v0/resource/plugins/echo/a%2f..%2fx', null],
  ['/v0/resource/plugins/other/x', null],
  ['/management.html', null],
  ['//evil.test/v0/resource/plugins/echo/x', null],
  ['https://evil.test/v0/resource/plugins/echo/x', null],
  ['/\\evil.test/v0/resource/plugins/echo/x', null],
  ['javascript:alert(1)', null],
  ['', null],
])('the page %p has the path %p', (path, expected) => {
  expect(pagePath('echo', path)).toBe(expected);
});

test.each([
  [{}, true, 'running'],
  [{ enabled: false, effective_enabled: false }, true, 'off'],
  [{ effective_enabled: false }, false, 'allOff'],
  [{ effective_enabled: false }, true, 'notLoaded'],
  [{ effective_enabled: false, registered: false }, true, 'missing'],
] as const)('a plugin of %p with plugins %p is %s', (change, pluginsEnabled, state) => {
  const [plugin] = readPlugins({}, [entry(change)]).plugins;
  expect(plugin && stateOf(plugin, pluginsEnabled)).toBe(state);
});
