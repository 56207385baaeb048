import { expect, test } from 'bun:test';
import { BUILT_IN, isOf, pluginProviders } from './providers.ts';

test('running plugins with a sign-in are providers, each once, and never in the place of a built-in one', () => {
  const plugin = (oauth_provider: unknown, change: object = {}) => ({
    supports_oauth: true,
    effective_enabled: true,
    oauth_provider,
    ...change,
  });
  const plugins = [
    plugin('kiro'),
    plugin('KIRO'),
    plugin('claude'),
    plugin('anthropic'),
    plugin('../api-keys'),
    plugin(''),
    plugin('off', { effective_enabled: false }),
    plugin('other', { supports_oauth: false }),
    null,
  ];
  expect(pluginProviders(plugins).map(({ wire }) => wire)).toEqual(['kiro']);
});

test('an account belongs to its provider under both names', () => {
  const claude = BUILT_IN.find(({ id }) => id === 'claude');
  if (claude === undefined) throw new Error('missing');
  expect(['claude', 'Anthropic', 'codex', ''].map((listed) => isOf(claude, listed))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
