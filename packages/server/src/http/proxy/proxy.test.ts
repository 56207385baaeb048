import { afterEach, describe, expect, test } from 'bun:test';
import { ADMIN_KEY, type Recorded, SAVED_KEY, startProxy, startRecordingGateway } from './testing.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function setUp(
  options: { answer?: (request: Request) => Response | Promise<Response>; collectorActive?: boolean } = {},
) {
  const gateway = startRecordingGateway(options.answer);
  let changes = 0;
  const manager = startProxy({
    upstreamUrl: `${gateway.url}/base`,
    collectorActive: options.collectorActive ?? false,
    configurationChanged: () => {
      changes += 1;
    },
  });
  cleanups.push(gateway.stop, manager.stop);
  return { upstream: gateway, manager, changes: () => changes };
}

const admin = { Authorization: `Bearer ${ADMIN_KEY}` };
const last = (requests: readonly Recorded[]) =>
  requests.at(-1) ?? { method: '', target: '', headers: new Headers(), body: '' };

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const PATHS = [
  '/v0/management/config',
  '/v0/management/%63onfig',
  '/v0/management/CONFIG',
  '/v0/management//config',
  '/v0/management/config.yaml',
  '/v0/management/api-call',
  '/v0/management/auth-files',
  '/v0/management/auth-files/status',
  '/v0/management/auth-files/fields',
  '/v0/management/usage-queue',
  '/v0/management/oauth-callback',
  '/v0/management/oauth-callback/extra',
  '/v0/management/some-plugin/state',
  '/v0/management/x/../config',
  '/v0/resource/plugins',
  '/v0/resource/plugins/some/page.html',
  '/models',
  '/v1/models',
];
const CALLERS: readonly [name: string, headers: Record<string, string>][] = [
  ['no key', {}],
  ['a wrong key', { Authorization: 'Bearer wrong' }],
  ["the upstream's key", { Authorization: `Bearer ${SAVED_KEY}x` }],
  ['the admin key in another carrier', { 'X-Management-Key': ADMIN_KEY, Cookie: `key=${ADMIN_KEY}` }],
  ['the admin key as basic', { Authorization: `Basic ${ADMIN_KEY}` }],
];

describe('a caller without the admin key', () => {
  test.each(CALLERS)('with %s never uses the saved key, whatever the method and path', async (_name, headers) => {
    const { upstream: gateway, manager } = setUp();
    for (const method of METHODS) for (const path of PATHS) await fetch(manager.url + path, { method, headers });
    expect(gateway.requests.length).toBeGreaterThan(0);
    for (const request of gateway.requests) {
      expect(request.headers.get('authorization')).not.toBe(`Bearer ${SAVED_KEY}`);
      expect(JSON.stringify([...request.headers])).not.toContain(`${SAVED_KEY}"`);
      expect(request.target).toMatch(
        /^\/base\/(v0\/management\/(oauth-callback|some-plugin)|v0\/resource|models|v1\/models)/,
      );
    }
  });

  test('gets 401 on built-in paths, and its own key passes on plugin paths', async () => {
    const { upstream: gateway, manager } = setUp();
    const refused = await fetch(`${manager.url}/v0/management/config`, { headers: { Authorization: 'Bearer wrong' } });
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ code: 'invalid_admin_key' });
    await fetch(`${manager.url}/v0/management/some-plugin?x=1`, { headers: { Authorization: 'Bearer theirs' } });
    expect(last(gateway.requests).headers.get('authorization')).toBe('Bearer theirs');
    expect(last(gateway.requests).headers.get('x-forwarded-for')).toBe('192.0.2.7');
  });
});

describe('with the admin key', () => {
  test('the saved key replaces every key of the caller, and address headers are dropped', async () => {
    const { upstream: gateway, manager } = setUp();
    await fetch(`${manager.url}/v0/management/config?a=%2F&b=c`, {
      headers: {
        ...admin,
        'X-Management-Key': 'k',
        'X-Forwarded-For': '127.0.0.1',
        'X-Real-IP': '::1',
        Forwarded: 'for=1',
      },
    });
    const { headers, target } = last(gateway.requests);
    expect(target).toBe('/base/v0/management/config?a=%2F&b=c');
    expect(headers.get('authorization')).toBe(`Bearer ${SAVED_KEY}`);
    for (const name of ['x-management-key', 'x-forwarded-for', 'x-real-ip', 'forwarded'])
      expect(headers.get(name)).toBeNull();
  });

  test('the admin key itself is never forwarded: the model list gets no Authorization', async () => {
    const { upstream: gateway, manager } = setUp();
    await fetch(`${manager.url}/v1/models`, { headers: admin });
    expect(last(gateway.requests).headers.get('authorization')).toBeNull();
    for (const { headers, body, target } of gateway.requests)
      expect(JSON.stringify([...headers]) + body + target).not.toContain(ADMIN_KEY);
  });

  test('identity headers of auth-file requests and hop-by-hop headers are not forwarded', async () => {
    const { upstream: gateway, manager } = setUp();
    await fetch(`${manager.url}/v0/management/logs`, {
      headers: { ...admin, 'X-CPAMP-Auth-File-Physical-Name': 'a.json', 'Keep-Alive': 'x', TE: 'gzip' },
    });
    const { headers } = last(gateway.requests);
    for (const name of ['x-cpamp-auth-file-physical-name', 'keep-alive', 'te']) expect(headers.get(name)).toBeNull();
  });

  test('status, headers and bytes of the answer are unchanged, CORS headers excepted', async () => {
    const bytes = Bun.gzipSync(Buffer.from('compressed body'));
    const { manager } = setUp({
      answer: () =>
        new Response(bytes, {
          status: 207,
          headers: { 'Content-Encoding': 'gzip', 'X-CPA-VERSION': '7.2.140', 'Access-Control-Allow-Origin': '*' },
        }),
    });
    const answer = await fetch(`${manager.url}/v0/management/logs`, { headers: admin, decompress: false });
    expect(answer.status).toBe(207);
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('x-cpa-version')).toBe('7.2.140');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array(bytes));
  });

  test('the length of an answer is kept, for HEAD too', async () => {
    const { manager } = setUp({
      answer: () => new Response('twelve bytes', { headers: { 'Content-Type': 'text/plain' } }),
    });
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(`${manager.url}/v0/management/logs`, { method, headers: admin });
      expect(answer.headers.get('content-length')).toBe('12');
      expect(await answer.text()).toBe(method === 'GET' ? 'twelve bytes' : '');
    }
  });

  test('redirects are returned, not followed', async () => {
    const { upstream: gateway, manager } = setUp({
      answer: () => Response.redirect('http://127.0.0.1:1/elsewhere', 307),
    });
    const answer = await fetch(`${manager.url}/v0/management/logs`, { headers: admin, redirect: 'manual' });
    expect(answer.status).toBe(307);
    expect(answer.headers.get('location')).toBe('http://127.0.0.1:1/elsewhere');
    expect(gateway.requests).toHaveLength(1);
  });

  test('the usage queue is refused while the collector runs', async () => {
    const { upstream: gateway, manager } = setUp({ collectorActive: true });
    const answer = await fetch(`${manager.url}/v0/management/usage-queue?count=1`, { headers: admin });
    expect(answer.status).toBe(409);
    expect(gateway.requests).toHaveLength(0);
  });

  test('a refused saved key on the configuration read is a 502, so that signing in stays possible', async () => {
    const { manager } = setUp({ answer: () => Response.json({ error: 'invalid management key' }, { status: 401 }) });
    expect((await fetch(`${manager.url}/v0/management/config`, { headers: admin })).status).toBe(502);
    expect((await fetch(`${manager.url}/v0/management/logs`, { headers: admin })).status).toBe(401);
  });
});

describe('a change of what the gateway publishes is announced', () => {
  const change = (url: string, method: string, path: string) =>
    fetch(`${url}/v0/management/${path}`, { method, headers: admin, body: method === 'GET' ? null : '{"value":true}' });

  test.each([
    ['PUT', 'usage-statistics-enabled', 1],
    ['PATCH', 'usage-statistics-enabled', 1],
    ['PUT', 'config.yaml', 1],
    ['GET', 'usage-statistics-enabled', 0],
    ['PUT', 'debug', 0],
  ])('%s %s: %d', async (method, path, count) => {
    const { manager, changes } = setUp();
    await change(manager.url, method, path);
    expect(changes()).toBe(count);
  });

  test('not when it was refused', async () => {
    const { manager, changes } = setUp({ answer: () => new Response('{}', { status: 400 }) });
    await change(manager.url, 'PUT', 'usage-statistics-enabled');
    expect(changes()).toBe(0);
  });
});

describe('plugin requests', () => {
  test('have the origin of the gateway in place of that of their page', async () => {
    const { upstream: gateway, manager } = setUp();
    await fetch(`${manager.url}/v0/management/some-plugin`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Codex-Invite-Origin': 'http://page' },
      body: '{"management_origin":"http://page","id":9007199254740993}',
    });
    const { headers, body } = last(gateway.requests);
    expect(headers.get('x-codex-invite-origin')).toBe(gateway.url);
    expect(body).toBe(`{"management_origin":"${gateway.url}","id":9007199254740993}`);
    expect(headers.get('content-length')).toBe(String(body.length));
  });

  test.each(['not json', '[1, 2]', '{ "other" : 1.0 }', ''])(
    'any other body passes byte for byte: %p',
    async (body) => {
      const { upstream: gateway, manager } = setUp();
      await fetch(`${manager.url}/v0/resource/plugins/p/x`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/problem+json' },
        body,
      });
      expect(last(gateway.requests).body).toBe(body);
    },
  );

  test('a JSON body above 10 MiB passes unread', async () => {
    const { upstream: gateway, manager } = setUp();
    const body = `{"management_origin":"x","pad":"${'a'.repeat(11 * 1024 * 1024)}"}`;
    await fetch(`${manager.url}/v0/management/some-plugin`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    expect(last(gateway.requests).body === body).toBe(true);
  });
});

describe('faults', () => {
  test('without a connection: 412', async () => {
    const manager = startProxy({ upstreamUrl: null });
    cleanups.push(manager.stop);
    const answer = await fetch(`${manager.url}/v1/models`);
    expect(answer.status).toBe(412);
    expect(await answer.json()).toMatchObject({ code: 'usage_service_not_configured' });
  });

  test('a request that returns to this process: 508', async () => {
    const { manager, upstream: gateway } = setUp();
    await fetch(`${manager.url}/v0/management/logs`, { headers: admin });
    const hop = last(gateway.requests).headers.get('x-manager-hop') ?? '';
    const answer = await fetch(`${manager.url}/v0/management/logs`, {
      headers: { ...admin, 'X-Manager-Hop': `other, ${hop}` },
    });
    expect(answer.status).toBe(508);
    expect(await answer.json()).toMatchObject({ code: 'upstream_loop_detected' });
  });

  test('an unreachable gateway: 502 without the key', async () => {
    const manager = startProxy({ upstreamUrl: 'http://127.0.0.1:1' });
    cleanups.push(manager.stop);
    const answer = await fetch(`${manager.url}/v0/management/logs`, { headers: admin });
    expect(answer.status).toBe(502);
    expect(await answer.text()).not.toContain(SAVED_KEY);
  });

  test('an upgrade that is no WebSocket: 501', async () => {
    const { manager } = setUp();
    const answer = await fetch(`${manager.url}/v0/management/logs`, {
      headers: { ...admin, Upgrade: 'h2c', Connection: 'Upgrade' },
    });
    expect(answer.status).toBe(501);
  });
});
