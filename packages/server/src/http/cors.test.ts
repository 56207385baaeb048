import { afterAll, describe, expect, test } from 'bun:test';
import { createCors } from './cors.ts';
import { startTestServer } from './testing.ts';

const CORS_ROUTES = [
  '/health',
  '/status',
  '/usage-service/info',
  '/usage-service/config',
  '/usage-service/account-processing-policy',
  '/usage-service/quota-cooldowns',
  '/setup',
  '/v0/management/model-prices',
  '/v0/management/api-key-aliases',
  '/v0/management/account-action-candidates',
  '/v0/management/codex-inspection/run',
  '/v0/management/dashboard/summary',
  '/v0/management/monitoring/analytics',
  '/v0/management/quota-snapshots',
  '/v0/management/usage',
  '/v0/management/usage/export',
  '/v0/management/config',
  '/v0/management/auth-files/fields',
  '/v1/models',
  '/models',
  '/v0/resource/plugins/a',
];

describe('CORS over a socket', () => {
  const server = startTestServer({ corsOrigins: ['https://panel.example', 'https://other.example'] });
  afterAll(() => server.stop(0));

  test.each(CORS_ROUTES)('a preflight of %s needs no key', async (path) => {
    const answer = await fetch(server.url + path, {
      method: 'OPTIONS',
      headers: { origin: 'https://other.example', 'access-control-request-method': 'PATCH' },
    });
    expect(answer.status).toBe(204);
    expect(await answer.text()).toBe('');
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://other.example');
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    expect(answer.headers.get('access-control-allow-headers')).toContain('X-CPAMP-Auth-File-Delete-Identities');
    expect(answer.headers.get('access-control-allow-headers')).toContain('If-None-Match');
    expect(answer.headers.get('vary')).toBe('Origin');
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
  });

  test.each(CORS_ROUTES)('every answer of %s can be read by a page of an allowed origin', async (path) => {
    const answer = await fetch(server.url + path, { method: 'PATCH', headers: { origin: 'https://panel.example' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://panel.example');
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-CPA-VERSION');
    expect(answer.headers.get('access-control-expose-headers')).toContain('ETag');
  });

  test.each(['/management.html', '/', '/nothing'])('%s has no CORS headers', async (path) => {
    const answer = await fetch(server.url + path, { headers: { origin: 'https://panel.example' }, redirect: 'manual' });
    expect(answer.headers.has('access-control-allow-methods')).toBe(false);
  });
});

describe('CORS before a gateway is connected', () => {
  let open = true;
  const server = startTestServer({ setupOpen: () => open });
  afterAll(() => server.stop(0));
  const allowed = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(server.url + path, { method, headers: { origin: 'https://evil.example', ...headers } });
    return answer.headers.has('access-control-allow-origin') || answer.headers.has('access-control-allow-methods');
  };

  test.each([
    ['GET', '/health'],
    ['GET', '/usage-service/info'],
    ['GET', '/usage-service/config'],
    ['GET', '/usage-service/account-processing-policy'],
    ['POST', '/setup'],
    ['GET', '/v0/management/some-plugin'],
    ['POST', '/v0/management/oauth-callback'],
    ['GET', '/v1/models'],
    ['GET', '/v0/resource/plugins/a'],
  ])('%s %s, open without a key, can be read by no other page, nor be permitted to it', async (method, path) => {
    open = true;
    expect(await allowed(method, path)).toBe(false);
    expect(await allowed('OPTIONS', path, { 'access-control-request-method': method })).toBe(false);
    expect(await allowed('OPTIONS', path)).toBe(false);
    open = false;
    expect(await allowed(method, path)).toBe(true);
    expect(await allowed('OPTIONS', path, { 'access-control-request-method': method })).toBe(true);
  });

  test.each([
    ['PUT', '/usage-service/config'],
    ['GET', '/status'],
    ['POST', '/v0/management/monitoring/analytics'],
  ])('%s %s needs the key anyway', async (method, path) => {
    open = true;
    expect(await allowed(method, path)).toBe(true);
    expect(await allowed('OPTIONS', path, { 'access-control-request-method': method })).toBe(true);
  });
});

describe('the allowed origin', () => {
  test.each([
    { origins: ['*'], origin: 'https://a', allowed: '*', vary: null },
    { origins: ['*'], origin: null, allowed: '*', vary: null },
    { origins: ['https://a', '*'], origin: 'https://a', allowed: 'https://a', vary: null },
    { origins: ['https://a', '*'], origin: 'https://b', allowed: '*', vary: null },
    { origins: ['https://a', 'https://b'], origin: 'https://b', allowed: 'https://b', vary: 'Origin' },
    { origins: ['https://a', 'https://b'], origin: 'https://c', allowed: null, vary: 'Origin' },
    { origins: ['https://a'], origin: null, allowed: null, vary: 'Origin' },
    { origins: ['https://a', 'null'], origin: 'null', allowed: 'null', vary: 'Origin' },
  ])('of $origins for $origin is $allowed', ({ origins, origin, allowed, vary }) => {
    const headers = new Headers();
    createCors(origins)(request(origin), headers);
    expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([allowed, vary]);
  });

  test('an empty list means no CORS headers at all', () => {
    const headers = new Headers();
    createCors([])(request('https://a'), headers);
    expect([...headers.keys()]).toEqual([]);
  });
});

function request(origin: string | null): Request {
  return new Request('http://manager/health', { headers: origin === null ? {} : { origin } });
}
