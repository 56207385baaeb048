import { afterEach, describe, expect, test } from 'bun:test';
import { AppError } from '@manager/core/contract/errors';
import { createAuthenticator } from './auth.ts';
import { createKeyThrottle } from './key-throttle.ts';
import { ADMIN, ADMIN_KEY, recordingLog, startTestServer, type TestServer, type TestServerOptions } from './testing.ts';

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(0);
});

function start(options: TestServerOptions): TestServer {
  const server = startTestServer(options);
  servers.push(server);
  return server;
}

describe('access', () => {
  test('routes that are open until setup need the key afterwards', async () => {
    let open = true;
    const server = start({ setupOpen: () => open });
    const read = async (path: string) => (await fetch(server.url + path)).status;
    expect(await read('/usage-service/config')).toBe(200);
    expect(await read('/usage-service/account-processing-policy')).toBe(200);
    expect(await read('/status')).toBe(401);
    open = false;
    expect(await read('/usage-service/config')).toBe(401);
    expect(await read('/usage-service/account-processing-policy')).toBe(401);
  });

  test('an unreadable admin key never gives access', async () => {
    const server = start({
      verifyAdminKey: () => {
        throw new Error('no admin_credential_v1 in /data/usage.sqlite');
      },
    });
    const answer = await fetch(`${server.url}/status`, { headers: ADMIN });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ error: 'authorization failed', code: 'request_failed' });
    expect(server.log.lines.some(({ err }) => String(err).includes('admin_credential_v1'))).toBe(true);
  });

  test('a refused key is logged once, without the key, and never in an answer', async () => {
    const server = start({});
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const answer = await fetch(`${server.url}/status`, { headers: { authorization: 'Bearer guess-123' } });
      expect(await answer.text()).not.toContain('guess-123');
    }
    const warnings = server.log.lines.filter(({ level }) => level === 'warn');
    expect(warnings).toEqual([{ level: 'warn', message: 'wrong admin key', remoteAddress: '127.0.0.1' }]);
    expect(JSON.stringify(server.log.lines)).not.toContain('guess-123');
  });

  test('a forwarded path that needs the admin key counts wrong keys too', async () => {
    const server = start({
      handlers: {
        management: () => {
          throw new AppError('invalid_admin_key');
        },
      },
    });
    const headers = { authorization: 'Bearer guess' };
    expect((await fetch(`${server.url}/v0/management/config`, { headers })).status).toBe(401);
    expect(server.log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
    expect((await fetch(`${server.url}/v0/management/config`)).status).toBe(401);
    expect(server.log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });
});

const remote = (address: string) => ({ address, isLocal: false });
const local = (address: string) => ({ address, isLocal: true });

describe('very many wrong keys', () => {
  const request = (key: string | null) =>
    new Request('http://manager/status', { headers: key === null ? {} : { authorization: `Bearer ${key}` } });

  function authenticator(now: () => number) {
    const log = recordingLog();
    return {
      log,
      ...createAuthenticator({
        verifyAdminKey: (key) => key === ADMIN_KEY,
        setupOpen: () => false,
        findViewer: () => null,
        now,
        log,
      }),
    };
  }

  async function refused(work: Promise<unknown>): Promise<AppError> {
    const error = await work.then(
      () => null,
      (caught: unknown) => caught,
    );
    if (error instanceof AppError) return error;
    throw new Error('expected a refusal');
  }

  test('of one address are answered 429 until the minute is over; a valid key always passes', async () => {
    let nowMs = 1_000_000;
    const auth = authenticator(() => nowMs);
    for (let count = 1; count <= 100; count += 1)
      expect((await refused(auth.authorize('admin', request('x'), remote('203.0.113.9')))).status).toBe(401);
    nowMs += 20_000;
    const throttled = await refused(auth.authorize('admin', request('x'), remote('203.0.113.9')));
    expect([throttled.status, throttled.code, throttled.headers['Retry-After']]).toEqual([
      429,
      'too_many_wrong_admin_keys',
      '40',
    ]);

    await auth.authorize('admin', request(ADMIN_KEY), remote('203.0.113.9'));
    expect((await refused(auth.authorize('admin', request(null), remote('203.0.113.9')))).status).toBe(401);
    expect((await refused(auth.authorize('admin', request('x'), remote('203.0.113.10')))).status).toBe(401);
    nowMs += 40_000;
    expect((await refused(auth.authorize('admin', request('x'), remote('203.0.113.9')))).status).toBe(401);
    expect(auth.log.lines).toHaveLength(3);
  });

  test('of this machine are never throttled, and a missing key never counts', async () => {
    const auth = authenticator(() => 0);
    for (let count = 0; count < 150; count += 1) {
      expect((await refused(auth.authorize('admin', request('x'), local('127.0.0.1')))).status).toBe(401);
      expect((await refused(auth.authorize('admin', request('x'), local('::1')))).status).toBe(401);
      expect((await refused(auth.authorize('admin', request(null), remote('203.0.113.9')))).status).toBe(401);
    }
    expect((await refused(auth.authorize('admin', request('x'), remote('203.0.113.9')))).status).toBe(401);
  });

  test('of callers through a proxy on this machine are throttled, even where the proxy names no address', async () => {
    const auth = authenticator(() => 0);
    const attempt = async () => (await refused(auth.authorize('admin', request('x'), remote('127.0.0.1')))).status;
    for (let count = 1; count <= 100; count += 1) expect(await attempt()).toBe(401);
    expect(await attempt()).toBe(429);
  });

  test('from a flood of addresses need bounded memory: the oldest are dropped', () => {
    const throttle = createKeyThrottle(() => 0);
    for (let count = 0; count < 100; count += 1) throttle.wrongKey(remote('first'));
    expect(throttle.wrongKey(remote('first')).retryAfterSeconds).toBe(60);
    for (let index = 0; index < 10_000; index += 1) throttle.wrongKey(remote(`2001:db8:0:${index.toString(16)}::1`));
    expect(throttle.wrongKey(remote('first')).retryAfterSeconds).toBe(0);
  });

  test('from a flood of addresses are logged for some of them, then counted', async () => {
    let nowMs = 0;
    const auth = authenticator(() => nowMs);
    const flood = async (addresses: number) => {
      for (let index = 0; index < addresses; index += 1)
        await refused(auth.authorize('admin', request('x'), remote(`10.0.${index >> 8}.${index & 255}`)));
    };
    await flood(2_000);
    expect(auth.log.lines).toHaveLength(30);
    nowMs += 60_000;
    await flood(1);
    expect(auth.log.lines).toHaveLength(31);
    expect(auth.log.lines.at(-1)).toMatchObject({ otherAddressesNotLogged: 1_970 });
  });

  test('of one IPv6 network count together: its owner has all addresses of the /64', async () => {
    const auth = authenticator(() => 0);
    const attempt = async (address: string) =>
      (await refused(auth.authorize('admin', request('x'), remote(address)))).status;
    for (let count = 0; count < 100; count += 1)
      expect(await attempt(`2001:db8:0:7:${count.toString(16)}::1`)).toBe(401);
    expect(await attempt('2001:DB8::7:0:0:ffff:1')).toBe(429);
    expect(await attempt('2001:db8:0:8::1')).toBe(401);
    expect(await attempt('::ffff:a00:1')).toBe(401);
    await auth.authorize('admin', request(ADMIN_KEY), remote('2001:db8:0:7::1'));
    expect(auth.log.lines).toHaveLength(3);
  });
});

describe('setup', () => {
  const auth = (setupOpen: boolean) => {
    const log = recordingLog();
    const verifyAdminKey = (key: string) => key === ADMIN_KEY;
    const findViewer = () => null;
    return {
      log,
      ...createAuthenticator({ verifyAdminKey, setupOpen: () => setupOpen, findViewer, now: Date.now, log }),
    };
  };
  const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8', host: 'manager' };
  const plain = new Request('http://manager/setup', { headers: JSON_TYPE });
  const withHeader = new Request('http://manager/setup', { headers: ADMIN });

  test.each([
    { open: true, request: plain, bodyKey: '', passes: true, warns: 'setup without an admin key' },
    { open: true, request: plain, bodyKey: 'typo', passes: false, warns: 'wrong admin key' },
    { open: true, request: plain, bodyKey: ADMIN_KEY, passes: true, warns: null },
    { open: false, request: plain, bodyKey: '', passes: false, warns: null },
    { open: false, request: plain, bodyKey: ADMIN_KEY, passes: true, warns: null },
    { open: false, request: withHeader, bodyKey: '', passes: true, warns: null },
  ])('open $open, key in the body "$bodyKey": passes $passes', async ({ open, request, bodyKey, passes, warns }) => {
    const { log, authorize, authorizeSetup } = auth(open);
    const work = authorize('setup', request, remote('10.0.0.1')).then(() =>
      authorizeSetup(request, bodyKey, remote('10.0.0.1')),
    );
    if (passes) await work;
    else await expect(work).rejects.toMatchObject({ code: 'invalid_admin_key' });
    expect(log.lines.map(({ message }) => message)).toEqual(warns === null ? [] : [warns]);
  });

  test.each([
    [{}, null],
    [{ origin: 'http://manager' }, null],
    [{ origin: 'https://manager', host: 'manager:443' }, null],
    [{ origin: 'http://manager', 'sec-fetch-site': 'same-origin' }, null],
    [{ origin: 'https://manager.example', 'sec-fetch-site': 'same-origin', host: '127.0.0.1:18317' }, null],
    [{ 'sec-fetch-site': 'none' }, null],
    [{ origin: 'https://evil.example' }, 'cross_site_refused'],
    [{ origin: 'http://manager:8080' }, 'cross_site_refused'],
    [{ origin: 'http://manager.evil.example' }, 'cross_site_refused'],
    ...['127.0.0.1:18317', '[::1]:18317', 'localhost:18317', 'x.localhost', 'nas.local', 'm.internal.'].map(
      (host): [Record<string, string>, null] => [{ origin: `http://${host}`, host }, null],
    ),
    ...['evil.example:18317', 'evil.example.', 'local.evil.example', '1.2.3.4.evil.example'].flatMap(
      (host): [Record<string, string>, string][] => [
        [{ origin: `http://${host}`, 'sec-fetch-site': 'same-origin', host }, 'cross_site_refused'],
        [{ origin: `http://${host}`, host }, 'cross_site_refused'],
        [{ 'sec-fetch-site': 'same-origin', host }, 'cross_site_refused'],
      ],
    ),
    [{ host: 'manager.example' }, null],
    [{ origin: 'null' }, 'cross_site_refused'],
    [{ origin: '' }, 'cross_site_refused'],
    [{ 'sec-fetch-site': 'cross-site' }, 'cross_site_refused'],
    [{ 'sec-fetch-site': 'same-site' }, 'cross_site_refused'],
    [{ origin: 'http://manager', 'sec-fetch-site': 'Cross-Site' }, 'cross_site_refused'],
    [{ 'content-type': 'text/plain' }, 'json_required'],
    [{ 'content-type': 'text/plain; a=application/json' }, 'json_required'],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 'json_required'],
    [{ 'content-type': 'application/jsonp' }, 'json_required'],
    [{ 'content-type': '' }, 'json_required'],
  ] as const)('without a key, a request with %j is refused with %p', async (headers, code) => {
    const request = new Request('http://manager/setup', { headers: { ...JSON_TYPE, ...headers } });
    const { log, authorizeSetup } = auth(true);
    const work = authorizeSetup(request, '', remote('10.0.0.1'));
    if (code === null) await work;
    else await expect(work).rejects.toMatchObject({ code });
    expect(log.lines).toHaveLength(code === null ? 1 : 0);
    await authorizeSetup(request, ADMIN_KEY, remote('10.0.0.1'));
  });

  test('a wrong key in the header is refused even while setup is open', async () => {
    const request = new Request('http://manager/setup', { headers: { authorization: 'Bearer typo' } });
    await expect(auth(true).authorize('setup', request, remote('10.0.0.1'))).rejects.toMatchObject({ status: 401 });
  });
});
