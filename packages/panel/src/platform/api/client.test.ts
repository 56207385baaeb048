import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Session } from '../session/identity.ts';
import { apiBase } from './base.ts';
import { type Client, createClient } from './client.ts';
import { ApiError, readErrorBody, readRetryAfter } from './errors.ts';
import { managerCalls } from './manager.ts';

let server: ReturnType<typeof Bun.serve>;
const seen: { readonly path: string; readonly authorization: string | null }[] = [];

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      seen.push({ path: pathname, authorization: request.headers.get('authorization') });
      switch (pathname) {
        case '/mgr/status':
          return Response.json({ ok: true });
        case '/mgr/refused':
          return Response.json({ error: 'invalid admin key', code: 'invalid_admin_key' }, { status: 401 });
        case '/mgr/unset':
          return Response.json({ error: 'finish the setup', code: 'usage_service_not_configured' }, { status: 412 });
        case '/mgr/moved':
          return new Response(null, { status: 307, headers: { location: '/mgr/echo' } });
        case '/mgr/busy':
          return Response.json({ error: 'slow down' }, { status: 429, headers: { 'retry-after': '7' } });
        case '/mgr/html':
          return new Response('<html><title>It works</title></html>', { headers: { 'content-type': 'text/html' } });
        case '/mgr/large':
          return new Response('<html><title>413 Request Entity Too Large</title></html>', {
            status: 413,
            headers: { server: 'nginx/1.22.1' },
          });
        case '/mgr/echo':
          return Response.json({
            body: await request.text(),
            type: request.headers.get('content-type'),
            offset: request.headers.get('x-offset'),
          });
        case '/mgr/stream':
          return new Response(
            new ReadableStream<string>({
              async start(body) {
                body.enqueue('first ');
                await Bun.sleep(150);
                body.enqueue('last');
                body.close();
              },
            }),
          );
        case '/mgr/slow':
          await Bun.sleep(2_000);
          return Response.json({});
        default:
          return new Response('not found', { status: 404 });
      }
    },
  });
});
afterAll(() => server.stop(true));

function makeClient(
  key: string | null,
  session: Partial<Session> = {},
): { readonly client: Client; readonly events: string[] } {
  const events: string[] = [];
  const page = `http://127.0.0.1:${server.port}/mgr/`;
  const client = createClient({
    page,
    fetch: (input, init) => fetch(input, init),
    session: () => (key === null ? null : { key, base: page, mode: 'manager', ...session }),
    onUnauthorized: (refused, path) => events.push(`401 ${refused.key} ${path}`),
    onNotConfigured: () => events.push('setup'),
    clock: () => Date.now(),
    wait: () => Promise.resolve(),
  });
  return { client, events };
}

async function failure(call: Promise<unknown>): Promise<ApiError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error('an ApiError was expected');
}

describe('the client', () => {
  test('sends the key of the session below the address of the page', async () => {
    seen.length = 0;
    expect(await makeClient('mgr_k').client.call<{ ok: boolean }>('status')).toEqual({ ok: true });
    expect(seen).toEqual([{ path: '/mgr/status', authorization: 'Bearer mgr_k' }]);
  });

  test.each([
    ['v0/management/logs', {}, 'forwarded'],
    ['v0/management/usage-queue?count=1', {}, 'forwarded'],
    ['v0/management/usage/none', {}, 'server'],
    ['v0/management/monitoring?x', {}, 'server'],
    ['setup', {}, 'server'],
    ['v0/management/logs', { mode: 'gateway' }, 'gateway'],
  ] as const)('says whose error %p is in %p: %p', async (path, session, origin) => {
    await expect(makeClient('mgr_k', session).client.call(path)).rejects.toMatchObject({ status: 404, origin });
  });

  test("the gateway's refusal of another key than the session's is not the manager's", async () => {
    const call = makeClient('mgr_k').client.call('v1/models', { key: 'sk-client' });
    await expect(call).rejects.toMatchObject({ origin: 'gateway' });
  });

  test('sends no key when none is wanted', async () => {
    seen.length = 0;
    await makeClient('mgr_k').client.call('status', { key: null });
    expect(seen[0]?.authorization).toBeNull();
  });

  test('sends the parts of a form as they are', async () => {
    const body = new FormData();
    body.append('file', new File(['{}'], 'one.json'));
    const { type, body: sent } = await makeClient('mgr_k').client.call<Record<string, string>>('echo', {
      method: 'POST',
      body,
    });
    expect(type).toMatch(/^multipart\/form-data; ?boundary=/);
    expect(sent).toContain('filename="one.json"');
  });

  test('follows no redirect', async () => {
    seen.length = 0;
    expect(await failure(makeClient('mgr_k').client.call('moved', { method: 'POST', body: {} }))).toMatchObject({
      kind: 'network',
    });
    expect(seen.map(({ path }) => path)).toEqual(['/mgr/moved']);
  });

  test('reports a 401 of the present key only', async () => {
    const { client, events } = makeClient('mgr_k');
    expect(await failure(client.call('refused'))).toMatchObject({ status: 401, code: 'invalid_admin_key' });
    expect(events).toEqual(['401 mgr_k refused']);
    await failure(client.call('refused', { key: 'another' }));
    await failure(client.call('refused', { keepSessionOn401: true }));
    expect(events).toHaveLength(1);
  });

  test('sends to the address of the session, and reports no 401 of another one', async () => {
    seen.length = 0;
    const base = `http://127.0.0.1:${server.port}/mgr/refused/../`;
    const { client, events } = makeClient('mgr_k', { base, mode: 'gateway' });
    expect(client.managed()).toBe(false);
    expect(makeClient('mgr_k').client.managed()).toBe(true);
    await client.call('status', { base: client.page });
    await failure(client.call('refused', { base: client.page }));
    expect(events).toEqual([]);
    await failure(client.call('refused'));
    expect(events).toEqual(['401 mgr_k refused']);
    expect(seen.map(({ path }) => path)).toEqual(['/mgr/status', '/mgr/refused', '/mgr/refused']);
  });

  test('reports that the setup is missing', async () => {
    const { client, events } = makeClient('mgr_k');
    await failure(client.call('unset'));
    expect(events).toEqual(['setup']);
  });

  test('distinguishes waiting, foreign answers and time-outs', async () => {
    const { client } = makeClient('mgr_k');
    expect(await failure(client.call('busy'))).toMatchObject({ status: 429, retryAfterSeconds: 7 });
    expect(await failure(client.call('html'))).toMatchObject({ kind: 'shape' });
    expect(await failure(client.call('slow', { timeoutMs: 50 }))).toMatchObject({ kind: 'timeout' });
    const controller = new AbortController();
    const call = failure(client.call('slow', { signal: controller.signal }));
    controller.abort();
    expect(await call).toMatchObject({ kind: 'aborted' });
  });

  test('names what answers in the place of the manager', async () => {
    const { client } = makeClient('mgr_k');
    const error = await failure(client.call('large', { method: 'PUT', body: new Blob(['x']) }));
    expect(error).toMatchObject({
      status: 413,
      hop: { server: 'nginx/1.22.1', title: '413 Request Entity Too Large' },
    });
    expect((await failure(client.call('busy'))).hop).toBeNull();
    expect((await failure(client.call('html'))).hop).toEqual({ server: '', title: 'It works' });
  });

  test('sends a blob as it is', async () => {
    const body = new Blob(['{"a":1}\n']);
    const headers = { 'X-Offset': '8' };
    expect(await makeClient('mgr_k').client.call<unknown>('echo', { method: 'PUT', body, headers })).toEqual({
      body: '{"a":1}\n',
      type: 'application/octet-stream',
      offset: '8',
    });
  });

  test('passes a body on as it arrives, which may take longer than its head', async () => {
    const { client, events } = makeClient('mgr_k');
    expect(await (await client.open('stream', { timeoutMs: 100 })).text()).toBe('first last');
    expect(await failure(client.open('slow', { timeoutMs: 50 }))).toMatchObject({ kind: 'timeout' });
    expect(await failure(client.open('busy'))).toMatchObject({ status: 429, retryAfterSeconds: 7 });
    await failure(client.open('refused'));
    expect(events).toEqual(['401 mgr_k refused']);
  });

  test('tries a GET twice on a network error, everything else once', async () => {
    let calls = 0;
    const client = createClient({
      page: 'http://127.0.0.1:1/',
      fetch: () => {
        calls += 1;
        return Promise.reject(new TypeError('refused'));
      },
      session: () => null,
      onUnauthorized: () => {},
      onNotConfigured: () => {},
      clock: () => 0,
      wait: () => Promise.resolve(),
    });
    expect(await failure(client.call('status'))).toMatchObject({ kind: 'network' });
    expect(calls).toBe(2);
    await failure(client.call('setup', { method: 'POST', body: {} }));
    expect(calls).toBe(3);
  });

  test('a server without the manager is the gateway, an unreachable one is an error', async () => {
    const { client } = makeClient(null);
    expect(await managerCalls(client).host()).toEqual({ kind: 'gateway' });
  });
});

describe('error answers', () => {
  test.each([
    [400, '{"error":"from_ms missing","code":"request_failed"}', 'from_ms missing', 'request_failed'],
    [400, '{"error":{"message":"deep"}}', 'deep', ''],
    [401, '{"error":"no"}', 'no', 'invalid_admin_key'],
    [412, '', '', 'usage_service_not_configured'],
    [502, '<html><head><title>502 Bad Gateway</title></head></html>', '502 Bad Gateway', ''],
    [500, 'plain text', 'plain text', ''],
  ])('%i %p', (status, text, message, code) => {
    expect(readErrorBody(status, text)).toEqual({ message, code });
  });

  test('Retry-After as number and as date', () => {
    expect(readRetryAfter('30', 0)).toBe(30);
    expect(readRetryAfter('Thu, 01 Jan 1970 00:01:00 GMT', 0)).toBe(60);
    expect(readRetryAfter('soon', 0)).toBeNull();
    expect(readRetryAfter(null, 0)).toBeNull();
  });
});

test('the base is the address without its file name', () => {
  expect(apiBase('https://gw.example.com/mgr/management.html?x=1#/monitoring')).toBe('https://gw.example.com/mgr/');
  expect(apiBase('http://127.0.0.1:18317/management.html')).toBe('http://127.0.0.1:18317/');
});
