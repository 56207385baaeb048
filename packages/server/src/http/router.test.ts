import { afterAll, describe, expect, test } from 'bun:test';
import { AppError } from '@manager/core/contract/errors';
import { Hono } from 'hono';
import type { ManagerEnv } from './environment.ts';
import { jsonResponse } from './json.ts';
import { ADMIN, exchange, INSTANCE_ID, startTestServer } from './testing.ts';

const server = startTestServer();
afterAll(() => server.stop(0));

const FORWARD = 'area":"management"';

interface Scenario {
  readonly request: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly contains?: readonly string[];
  readonly absent?: readonly string[];
  readonly allow?: string;
}

const NOT_FOUND = { status: 404, contains: ['"code":"request_failed"'] };
const NO_KEY = { status: 401, contains: ['"code":"invalid_admin_key"'], absent: ['area'] };

const FOREIGN = { status: 403, contains: ['"code":"cross_site_refused"'], absent: ['area'] };
const PASSED = { status: 200, contains: [FORWARD] };

const scenarios: readonly Scenario[] = [
  { request: 'GET /health', status: 200, contains: ['info'] },
  { request: 'GET /health?x=1', status: 200, contains: ['info'] },
  { request: 'GET /usage-service/info', status: 200, contains: ['info'] },
  { request: 'POST /health', status: 405, contains: ['method_not_allowed'], allow: 'GET, OPTIONS' },
  { request: 'HEAD /health', status: 405 },
  { request: 'GET /health/', ...NOT_FOUND },
  { request: 'GET /status', ...NO_KEY },
  { request: 'POST /status', status: 405, contains: ['method_not_allowed'] },
  { request: 'GET /status', headers: ADMIN, status: 200, contains: ['status'] },
  { request: 'GET /status', headers: { authorization: 'bEARER  mgr_test-admin-key ' }, status: 200 },
  { request: 'GET /status', headers: { authorization: 'Basic mgr_test-admin-key' }, ...NO_KEY },
  { request: 'GET /status', headers: { 'x-management-key': 'mgr_test-admin-key' }, ...NO_KEY },
  { request: 'GET /status?key=mgr_test-admin-key', ...NO_KEY },
  { request: 'GET /status/', headers: ADMIN, ...NOT_FOUND },
  { request: 'GET /usage-service/config', ...NO_KEY },
  { request: 'GET /usage-service/config', headers: ADMIN, status: 200, contains: ['setup'] },
  { request: 'PUT /usage-service/config', ...NO_KEY },
  { request: 'DELETE /usage-service/config', status: 405, allow: 'GET, PUT, OPTIONS' },
  { request: 'POST /setup', headers: { authorization: 'Bearer wrong' }, ...NO_KEY },
  { request: 'GET /setup', status: 405, allow: 'POST, OPTIONS' },
  { request: 'GET /usage-service/account-processing-policy', ...NO_KEY },
  {
    request: 'GET /usage-service/account-processing-policy',
    headers: ADMIN,
    status: 200,
    contains: ['processingPolicy'],
  },
  { request: 'PATCH /usage-service/account-processing-policy', ...NO_KEY },
  { request: 'PATCH /usage-service/account-processing-policy', headers: ADMIN, status: 200 },
  { request: 'GET /usage-service/quota-cooldowns', ...NO_KEY },
  { request: 'GET /usage-service/quota-cooldowns', headers: ADMIN, status: 200, contains: ['quotaCooldowns'] },
  { request: 'GET /usage-service/quota-cooldowns/x', headers: ADMIN, ...NOT_FOUND },
  { request: 'GET /management.html', status: 200, contains: ['panel'] },
  { request: 'POST /management.html', status: 405, allow: 'GET, HEAD' },
  { request: 'OPTIONS /management.html', status: 405, allow: 'GET, HEAD' },
  { request: 'GET /management.html/', ...NOT_FOUND },

  { request: 'GET /v0/management/model-prices', ...NO_KEY },
  {
    request: 'GET /v0/management/model-prices',
    headers: ADMIN,
    status: 200,
    contains: ['prices'],
    absent: [FORWARD],
  },
  { request: 'POST /v0/management/model-prices', headers: ADMIN, status: 405, allow: 'GET, PUT, OPTIONS' },
  { request: 'GET /v0/management/model-prices-x', headers: ADMIN, status: 200, contains: [FORWARD] },
  { request: 'GET /v0/management/api-key-aliases', ...NO_KEY },
  { request: 'GET /v0/management/api-key-aliases', headers: ADMIN, status: 200, contains: ['aliases'] },
  { request: 'GET /v0/management/api-key-aliases//', headers: ADMIN, status: 200, contains: ['aliases'] },
  { request: 'DELETE /v0/management/api-key-aliases/a%20b/', headers: ADMIN, status: 200, contains: ['"hash":"a b"'] },
  { request: 'POST /v0/management/api-key-aliases', headers: ADMIN, status: 405, allow: 'GET, OPTIONS' },
  { request: 'HEAD /v0/management/api-key-aliases', headers: ADMIN, status: 405, allow: 'GET, OPTIONS' },
  { request: 'GET /v0/management/api-key-aliases/x', headers: ADMIN, status: 405, allow: 'DELETE, OPTIONS' },
  { request: 'GET /v0/management/api-key-aliases/x/y', headers: ADMIN, status: 405, allow: 'OPTIONS' },
  { request: 'GET /v0/management/api-key-aliases/x/y', ...NO_KEY },
  {
    request: 'GET /v0/management/account-action-candidates',
    headers: ADMIN,
    status: 200,
    contains: ['accountActions'],
  },
  { request: 'POST /v0/management/codex-inspection/run', headers: ADMIN, status: 200, contains: ['inspection'] },
  { request: 'GET /v0/management/account-inspection/runs', headers: ADMIN, status: 200, contains: ['inspection'] },
  { request: 'GET /v0/management/account-inspection/other', headers: ADMIN, status: 405, allow: 'OPTIONS' },
  { request: 'GET /v0/management/dashboard/summary', headers: ADMIN, status: 200, contains: ['"area":"dashboard"'] },
  { request: 'POST /v0/management/dashboard/summary', headers: ADMIN, status: 405, allow: 'GET, OPTIONS' },
  { request: 'GET /v0/management/dashboard/other', headers: ADMIN, status: 405, allow: 'OPTIONS' },
  { request: 'GET /v0/management/dashboard/summary', ...NO_KEY },
  { request: 'GET /v0/management/dashboard', headers: ADMIN, status: 200, contains: [FORWARD] },
  { request: 'POST /v0/management/monitoring/analytics/', headers: ADMIN, status: 200, contains: ['monitoring'] },
  { request: 'GET /v0/management/monitoring/header-snapshots', ...NO_KEY },
  { request: 'GET /v0/management/monitoring/unknown', headers: ADMIN, status: 405 },
  { request: 'POST /v0/management/quota-snapshots/', headers: ADMIN, status: 200, contains: ['quotaSnapshots'] },
  { request: 'POST /v0/management/quota-snapshots/query', headers: ADMIN, status: 200, contains: ['quotaSnapshots'] },
  { request: 'GET /v0/management/quota-snapshots/query', headers: ADMIN, status: 405, allow: 'POST, OPTIONS' },
  { request: 'POST /v0/management/quota-snapshots/other', headers: ADMIN, status: 405 },
  { request: 'GET /v0/management/usage/', headers: ADMIN, status: 200, contains: ['usage'] },
  { request: 'GET /v0/management/%75sage', headers: ADMIN, status: 200, contains: ['"area":"usage"'] },
  { request: 'GET /v0/management/usage/export', ...NO_KEY },
  { request: 'POST /v0/management/usage/import', headers: ADMIN, status: 200, contains: ['"area":"imports"'] },
  { request: 'PUT /v0/management/usage/import-sessions/1/chunk?offset=0', headers: ADMIN, ...NOT_FOUND },
  { request: 'GET /v0/management/usage/archives', headers: ADMIN, status: 200, contains: ['"area":"archives"'] },
  { request: 'POST /v0/management/usage/archives/1/unknown', headers: ADMIN, ...NOT_FOUND },
  { request: 'GET /v0/management/usage/archives/unknown/path', ...NO_KEY },
  { request: 'GET /v0/management/usage/maintenance/', headers: ADMIN, status: 200, contains: ['"area":"maintenance"'] },
  { request: 'HEAD /v0/management/usage/maintenance', headers: ADMIN, status: 204 },
  { request: 'HEAD /v0/management/usage/maintenance', ...NO_KEY, contains: [] },
  { request: 'HEAD /v0/management/usage/maintenance/x', headers: ADMIN, status: 404 },
  { request: 'POST /v0/management/usage/maintenance', headers: ADMIN, status: 405, allow: 'GET, HEAD, OPTIONS' },
  { request: 'DELETE /v0/management/usage', headers: ADMIN, status: 405, allow: 'GET, OPTIONS' },
  { request: 'GET /v0/management/usage-queue', headers: ADMIN, status: 200, contains: [FORWARD, '"isAdmin":true'] },
  { request: 'GET /v0/management/config', status: 200, contains: [FORWARD, '"isAdmin":false'] },
  // What a web page of another address can make a browser send without a key.
  { request: 'HEAD /v0/management/x', headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
  { request: 'GET /v0/management/x', headers: { 'sec-fetch-site': 'cross-site' }, ...FOREIGN },
  {
    request: 'GET /v0/management/x',
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    ...FOREIGN,
  },
  { request: 'POST /v0/management/x', headers: { origin: 'https://evil.example' }, ...FOREIGN },
  {
    request: 'POST /v0/management/x',
    headers: { origin: 'https://evil.example', authorization: 'Bearer k' },
    ...PASSED,
  },
  { request: 'POST /v0/management/x', headers: { origin: 'null', 'x-management-key': 'k' }, ...PASSED },
  { request: 'POST /v0/management/x', headers: { origin: 'https://evil.example', ...ADMIN }, ...PASSED },
  { request: 'POST /v0/management/x', ...PASSED },
  { request: 'GET /v0/management/oauth-callback?state=a', headers: { 'sec-fetch-site': 'cross-site' }, ...FOREIGN },
  {
    request: 'GET /v0/management/oauth-callback?state=a',
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    ...PASSED,
  },
  { request: 'GET /v0/management/oauth-callback?state=a', ...PASSED },
  { request: 'POST /v0/management/oauth-callback', status: 415, contains: ['json_required'] },
  {
    request: 'POST /v0/management/oauth-callback',
    headers: { 'content-type': 'application/json', origin: 'null', 'sec-fetch-mode': 'navigate' },
    ...FOREIGN,
  },
  { request: 'POST /v0/management/oauth-callback', headers: { 'content-type': 'application/json' }, ...PASSED },
  { request: 'POST /v0/management/oauth-callback', headers: { ...ADMIN, origin: 'https://evil.example' }, ...PASSED },
  {
    request: 'POST /v0/resource/plugins/x',
    headers: { origin: 'null', 'sec-fetch-site': 'cross-site' },
    status: 200,
    contains: ['pluginResources'],
  },
  { request: 'GET /v1/models', headers: { 'sec-fetch-site': 'cross-site' }, status: 200, contains: ['models'] },
  { request: 'GET /v0/management/a%2Fb', headers: ADMIN, ...NOT_FOUND },
  { request: 'GET /v0/management/a%5cb', headers: ADMIN, ...NOT_FOUND },
  { request: 'GET /v0/management/config/../usage', headers: ADMIN, status: 200, contains: ['"area":"usage"'] },
  { request: 'GET /v0/management/config/%2e%2e/usage', headers: ADMIN, status: 200, contains: ['"area":"usage"'] },
  { request: 'GET /v0/management', headers: ADMIN, ...NOT_FOUND },
  { request: 'GET /models', status: 200, contains: ['models'] },
  { request: 'GET /v1/models/', status: 200, contains: ['models'] },
  { request: 'GET /v1/models//', ...NOT_FOUND },
  { request: 'POST /models', status: 405, allow: 'GET, OPTIONS' },
  { request: 'GET /v0/resource/plugins', status: 200, contains: ['pluginResources'] },
  { request: 'PATCH /v0/resource/plugins/a/b', status: 200, contains: ['pluginResources'] },
  { request: 'GET /v0/resource/plugins-x', ...NOT_FOUND },
  { request: 'POST /', status: 405 },
  { request: 'GET /nothing', ...NOT_FOUND },
  {
    request: 'GET /health',
    headers: { 'x-manager-hop': `other, ${INSTANCE_ID}` },
    status: 508,
    contains: ['upstream_loop_detected'],
  },
  { request: 'GET /health', headers: { 'x-manager-hop': 'other' }, status: 200 },
];

describe('routing', () => {
  test.each(scenarios.map((scenario) => [title(scenario), scenario] as const))('%s', async (_, scenario) => {
    const [method = '', path = ''] = scenario.request.split(' ');
    const answer = await fetch(server.url + path, { method, headers: { ...scenario.headers } });
    const body = await answer.text();
    expect(answer.status).toBe(scenario.status);
    for (const text of scenario.contains ?? []) expect(body).toContain(text);
    for (const text of scenario.absent ?? []) expect(body).not.toContain(text);
    if (scenario.allow !== undefined) expect(answer.headers.get('allow')).toBe(scenario.allow);
    if (answer.status >= 400 && method !== 'HEAD') {
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(Object.keys(JSON.parse(body))).toEqual(['error', 'code']);
    }
  });

  test('the root redirects to the panel', async () => {
    const answer = await fetch(`${server.url}/`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/management.html']);
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  });
});

describe('targets that a client library would correct', () => {
  test.each([
    ['GET //health HTTP/1.1\r\nHost: x\r\n\r\n', 'HTTP/1.1 404'],
    ['GET http://other.example/health HTTP/1.1\r\nHost: x\r\n\r\n', 'HTTP/1.1 200'],
    ['GET /health HTTP/1.0\r\n\r\n', 'HTTP/1.1 200'],
    ['GET /status HTTP/1.1\r\nHost: a/b?c\r\n\r\n', 'HTTP/1.1 400'],
    ['GET /v0/management/config HTTP/1.0\r\n\r\n', 'HTTP/1.1 400'],
  ])('%j', async (request, status) => {
    expect(await exchange(server, [request])).toStartWith(status);
  });

  test('without a Host a feature gets query, headers and body of the request', async () => {
    const echo = startTestServer({
      handlers: {
        setup: new Hono<ManagerEnv>().post('/setup', async (c) =>
          jsonResponse({ a: c.req.query('a'), agent: c.req.header('user-agent'), body: await c.req.raw.text() }),
        ),
      },
    });
    const request = 'POST /setup?a=b+c HTTP/1.0\r\nUser-Agent: old\r\nContent-Length: 4\r\n\r\nbody';
    expect(await exchange(echo, [request], '}')).toEndWith('{"a":"b c","agent":"old","body":"body"}');
    await echo.stop(0);
  });
});

describe('errors', () => {
  const failing = startTestServer({
    handlers: {
      info: new Hono<ManagerEnv>()
        .get('/health', () => {
          throw new Error('SQLITE_ERROR: no such table /data/usage.sqlite sk-secret');
        })
        .get('/usage-service/info', () => {
          throw new AppError('usage_queue_taken', { message: 'for you', headers: { 'Retry-After': '3' } });
        }),
      management: () => {
        throw new TypeError('secret detail');
      },
    },
  });
  afterAll(() => failing.stop(0));

  test('that are unexpected are opaque, and their detail is logged under the id of the answer', async () => {
    const answer = await fetch(`${failing.url}/health`);
    const body = await answer.text();
    expect(answer.status).toBe(500);
    expect(body).toContain('"code":"request_failed"');
    expect(body).not.toMatch(/SQLITE|usage\.sqlite|sk-secret/);
    const line = failing.log.lines.find(({ level }) => level === 'error');
    expect(body).toContain(String(line?.errorId));
    expect(String(line?.err)).toContain('no such table');
  });

  test('meant for the caller keep status, text and headers', async () => {
    const answer = await fetch(`${failing.url}/usage-service/info`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '3']);
    expect(await answer.json()).toEqual({ error: 'for you', code: 'request_failed' });
  });

  test('of a forwarding handler are opaque too, with CORS headers', async () => {
    const answer = await fetch(`${failing.url}/v0/management/config`);
    expect(answer.status).toBe(500);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.text()).not.toContain('secret');
  });
});

function title({ request, headers, status }: Scenario): string {
  const sent =
    headers === undefined ? '' : ` with ${headers === ADMIN ? 'the admin key' : Object.keys(headers).join()}`;
  return `${request}${sent} → ${status}`;
}
