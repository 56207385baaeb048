import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isListed, PAGE_ENDPOINTS } from '../support/page-endpoints.ts';

/** All that the management API of the newest known gateway serves, and what the panel reads besides. */
const ENDPOINTS = [
  ...['config', 'config.yaml', 'debug', 'logging-to-file', 'logs-max-total-size-mb', 'error-logs-max-files'],
  ...['usage-statistics-enabled', 'request-log', 'ws-auth', 'proxy-url', 'request-retry', 'max-retry-credentials'],
  ...['max-retry-interval', 'force-model-prefix', 'quota-exceeded/switch-project'],
  ...['quota-exceeded/switch-preview-model', 'routing/strategy', 'api-keys', 'gemini-api-key', 'interactions-api-key'],
  ...['codex-api-key', 'xai-api-key', 'claude-api-key', 'vertex-api-key', 'openai-compatibility', 'api-key-usage'],
  ...['oauth-excluded-models', 'oauth-model-alias', 'oauth-request-scoped-errors', 'auth-files', 'auth-files/models'],
  ...['auth-files/download', 'auth-files/status', 'auth-files/fields', 'vertex/import', 'model-definitions/*'],
  ...['anthropic-auth-url', 'codex-auth-url', 'antigravity-auth-url', 'kimi-auth-url', 'xai-auth-url'],
  ...['get-auth-status', 'oauth-callback', 'oauth-session', 'api-call', 'reset-quota', 'logs', 'request-error-logs'],
  ...['request-error-logs/*', 'request-log-by-id/*', 'latest-version', 'plugins', 'plugins/*', 'plugins/*/enabled'],
  ...[
    'plugins/*/config',
    'plugin-store',
    'plugin-store/*/install',
    'usage-queue',
    'v0/resource/plugins/*/*',
    'v1/models',
  ],
].map((path) => `/${path}`);

const cells = (row: string) =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const code = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);

const rows = readFileSync(join(import.meta.dir, '..', '..', 'docs', 'gateway-endpoints.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [paths, methods = '', pages = ''] = cells(line);
    return { paths: code(paths), methods, pages };
  });

test('the table of the gateway’s endpoints has each of them once', () => {
  expect(rows.flatMap(({ paths }) => paths).sort()).toEqual([...ENDPOINTS].sort());
});

test('the pages that it names may send these requests', () => {
  const missing: string[] = [];
  for (const { paths, methods, pages } of rows) {
    // The settings that one text holds have no request of their own.
    if (methods === '–') continue;
    const named = pages === 'every page' ? Object.keys(PAGE_ENDPOINTS) : code(pages);
    for (const page of named) {
      expect(PAGE_ENDPOINTS).toHaveProperty([page]);
      for (const path of paths) {
        const full = /^\/v[01]\//.test(path) ? path : `/v0/management${path}`;
        if (!isListed(page, full.replaceAll('*', 'x'))) missing.push(`${page}: ${path}`);
      }
    }
  }
  expect(missing).toEqual([]);
});
