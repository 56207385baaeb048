import { describe, expect, test } from 'bun:test';
import { classifyManagementPath, RESERVED_HEADS } from './path-class.ts';

/** What the manager and every released gateway answer themselves. */
const RESERVED = `
  account-action-candidates account-inspection api-key-aliases codex-inspection dashboard model-prices monitoring
  quota-snapshots usage
  accounts anthropic-auth-url antigravity-auth-url api-call api-key-usage api-keys auth-files claude-api-key
  codex-api-key codex-auth-url config config.yaml debug error-logs-max-files force-model-prefix gemini-api-key
  get-auth-status interactions-api-key kimi-auth-url latest-version logging-to-file logs logs-max-total-size-mb
  max-retry-credentials max-retry-interval model-definitions oauth-excluded-models oauth-model-alias
  oauth-request-scoped-errors oauth-session openai-compatibility plugin-store plugins proxy-url quota-exceeded reload
  request-error-logs request-log request-log-by-id request-retry reset-quota routing usage-queue
  usage-statistics-enabled vertex vertex-api-key ws-auth xai-api-key xai-auth-url`
  .trim()
  .split(/\s+/);

test('the reserved list is complete', () => {
  expect([...RESERVED_HEADS].sort()).toEqual(RESERVED.sort());
});

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];

describe.each(METHODS)('%s', (method) => {
  test('of a reserved head needs the admin key, however it is written', () => {
    const spellings = RESERVED.flatMap((head) => [
      head,
      `${head}/`,
      `${head}/x/y`,
      head.toUpperCase(),
      `%${head.charCodeAt(0).toString(16)}${head.slice(1)}`,
      `/${head}`,
    ]);
    const open = spellings.filter((path) => classifyManagementPath(method, `/v0/management/${path}`) !== 'built-in');
    expect(open).toEqual([]);
  });

  test('of the OAuth return is open for GET and POST alone', () => {
    const isOpen = method === 'GET' || method === 'POST';
    const expected = isOpen ? 'oauth-return' : 'built-in';
    expect(classifyManagementPath(method, '/v0/management/oauth-callback')).toBe(expected);
    expect(classifyManagementPath(method, '/v0/management/oauth-callback/')).toBe(expected);
    expect(classifyManagementPath(method, '/v0/management/oauth-callback/x')).toBe('built-in');
  });

  test('of any other head may be a plugin', () => {
    for (const head of ['some-plugin', 'configs', 'usage2', 'config.yml', 'some-plugin-auth-url'])
      expect(classifyManagementPath(method, `/v0/management/${head}`)).toBe('plugin-owned');
    for (const head of ['', '%zz', '%E0%A4'])
      expect(classifyManagementPath(method, `/v0/management/${head}`)).toBe('built-in');
  });
});
