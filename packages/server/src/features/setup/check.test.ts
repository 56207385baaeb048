import { afterEach, describe, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { type Simulator, type SimulatorOptions, startSimulator } from '@manager/simulator';
import { ADMIN, ADMIN_KEY } from '../../http/testing.ts';
import { setupWorld } from './testing.ts';

// What a setup would find, asked step by step, against a gateway that counts wrong keys.

const world = setupWorld();
const KEY = 'management-key-of-the-tests';
const CLIENT_KEY = 'client-key-of-the-tests';
const running: Simulator[] = [];

async function gatewayWith(options: SimulatorOptions = {}): Promise<Simulator> {
  const gateway = await startSimulator({ managementKey: KEY, apiKeys: [CLIENT_KEY], authFiles: 1, ...options });
  running.push(gateway);
  return gateway;
}

/** It answers nothing, and from `answer` on everything with an empty text. */
function startSilentServer() {
  const asked: string[] = [];
  const waiting = Promise.withResolvers<void>();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      asked.push(new URL(request.url).pathname);
      await waiting.promise;
      return new Response('');
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, asked, answer: waiting.resolve, stop: () => server.stop(true) };
}

const check = (body: object, headers: Readonly<Record<string, string>> = ADMIN) =>
  world.call('POST', '/setup/check', body, headers);

const failures = (gateway: Simulator): number => gateway.bans().reduce((sum, ban) => sum + ban.failures, 0);

afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.stop();
});

describe('the admin key', () => {
  test('is checked alone, and needed before there is a connection', async () => {
    expect(await check({})).toEqual({ status: 200, body: { ok: true, upstream: '' } });
    for (const headers of [{}, { authorization: 'Bearer mgr_wrong' }]) {
      expect(await check({}, headers)).toMatchObject({ status: 401, body: { code: 'invalid_admin_key' } });
    }
  });
});

describe('the address', () => {
  const address = (cpaBaseUrl: string, more: object = {}) => check({ cpaBaseUrl, ...more });

  test('of a gateway of any version, without a request that it counts', async () => {
    for (const options of [{}, { profile: 'v6.9' }, { profile: 'off' }, { apiKeys: [] }] as const) {
      const gateway = await gatewayWith(options);
      expect(await address(`${gateway.url}/management.html`)).toEqual({
        status: 200,
        body: { ok: true, upstream: gateway.url },
      });
      expect(failures(gateway)).toBe(0);
    }
  });

  test('of a gateway that still has the client keys of its template', async () => {
    const gateway = await gatewayWith({ apiKeys: ['your-api-key-1'] });
    expect(await address(gateway.url)).toMatchObject({
      status: 502,
      body: { code: 'management_api_validation_failed', reason: 'template_keys' },
    });
    expect(failures(gateway)).toBe(0);
  });

  test('of another service, of nobody, and of the manager itself', async () => {
    const other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('<h1>It works</h1>') });
    const url = `http://127.0.0.1:${other.port}`;
    expect(await address(url)).toMatchObject({
      status: 502,
      body: { code: 'management_api_validation_failed', reason: 'not_gateway' },
    });
    await other.stop(true);
    expect(await address(url)).toMatchObject({ status: 502, body: { code: 'request_failed' } });
    expect(await address(world.manager.url)).toMatchObject({ status: 400, body: { code: 'gateway_url_is_manager' } });
  });

  test('with the wrong scheme, and with a certificate that is not trusted', async () => {
    const secure = await gatewayWith({ tls: true });
    const plain = await gatewayWith();
    const codeOf = async (url: string, more = {}) => (await address(url, more)).body.code ?? 'none';
    expect(await codeOf(secure.url.replace('https:', 'http:'))).toBe('gateway_speaks_tls');
    expect(await codeOf(plain.url.replace('http:', 'https:'))).toBe('gateway_speaks_plain_text');
    expect(await codeOf(secure.url)).toBe('gateway_certificate_untrusted');
    expect(await codeOf(secure.url, { tlsSkipVerify: true })).toBe('none');
  });

  test('is checked while the check of a key waits for a gateway that does not answer', async () => {
    const silent = startSilentServer();
    const gateway = await gatewayWith();
    const waiting = check({ cpaBaseUrl: silent.url, cpaManagementKey: KEY });
    await until(() => silent.asked.length > 0);
    expect((await address(gateway.url)).status).toBe(200);
    silent.answer();
    await waiting;
    await silent.stop();
  });

  test.each(['http://gate way:8317', 'ftp://gateway', 'http://gateway:0', 'http://user:pass@gateway', 'http://g\nw'])(
    'that cannot be one is refused before any request: %j',
    async (url) => {
      expect(await address(url)).toMatchObject({ status: 400, body: { code: 'gateway_url_invalid' } });
    },
  );
});

describe('the management key', () => {
  const key = (gateway: Simulator, cpaManagementKey: string) => check({ cpaBaseUrl: gateway.url, cpaManagementKey });

  test('that is right shows how the gateway keeps events, and changes nothing there', async () => {
    const gateway = await gatewayWith({ retentionSeconds: 90, statsEnabled: false });
    expect(await key(gateway, ` ${KEY} `)).toEqual({
      status: 200,
      body: {
        ok: true,
        upstream: gateway.url,
        cpaUsage: { usageStatisticsEnabled: false, redisUsageQueueRetentionSeconds: 90, retentionSourceDefault: false },
      },
    });
    expect(gateway.mutations()).toEqual([]);
    expect(world.manager.connection.effective().connection).toBeNull();
  });

  test('that is wrong costs one try, and a second check of it none', async () => {
    const gateway = await gatewayWith();
    const wrong = await key(gateway, 'wrong');
    expect(wrong).toMatchObject({ status: 502, body: { reason: 'key_rejected', triesLeft: 4 } });
    const again = await Promise.all([key(gateway, 'wrong'), key(gateway, 'wrong')]);
    for (const answer of again) {
      expect(answer).toMatchObject({ status: 429, body: { code: 'management_key_recently_rejected', triesLeft: 4 } });
    }
    expect(failures(gateway)).toBe(1);
  });

  test('the same wrong key twice at once is sent once', async () => {
    const gateway = await gatewayWith();
    const answers = await Promise.all([key(gateway, 'wrong'), key(gateway, 'wrong')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([429, 502]);
    expect(failures(gateway)).toBe(1);
  });

  test('is sent for nobody: checks that wait when their callers leave are left out', async () => {
    const silent = startSilentServer();
    const bodyOf = (name: string) => ({ cpaBaseUrl: `${silent.url}/${name}`, cpaManagementKey: KEY });
    const first = check(bodyOf('first'));
    await until(() => silent.asked.length > 0);
    const leaving = new AbortController();
    const others = ['a', 'b', 'c'].map((name) =>
      fetch(`${world.manager.url}/setup/check`, {
        method: 'POST',
        headers: ADMIN,
        body: JSON.stringify(bodyOf(name)),
        signal: leaving.signal,
      }).catch(() => null),
    );
    const { checks } = world.manager;
    await until(() => checks.length === 4);
    leaving.abort();
    await Promise.all(others);
    await until(() => checks.slice(1).every(({ aborted }) => aborted));
    silent.answer();
    await first;
    await check(bodyOf('last'));
    await silent.stop();
    expect(silent.asked.some((path) => path.startsWith('/last'))).toBe(true);
    expect(silent.asked.some((path) => /^\/[abc]\//.test(path))).toBe(false);
  });

  test('that is a client key of the gateway is called one', async () => {
    const gateway = await gatewayWith();
    const answer = await key(gateway, CLIENT_KEY);
    expect(answer).toMatchObject({ status: 502, body: { reason: 'client_key', triesLeft: 4 } });
    expect(JSON.stringify(answer)).not.toContain(CLIENT_KEY);
    // Where clients need no key, every key opens the model API.
    const open = await gatewayWith({ apiKeys: [] });
    expect(await key(open, 'wrong')).toMatchObject({ body: { reason: 'key_rejected' } });
  });

  test('that is the admin key is sent to nobody', async () => {
    const gateway = await gatewayWith();
    expect(await key(gateway, ADMIN_KEY)).toMatchObject({
      status: 400,
      body: { code: 'management_key_is_admin_key' },
    });
    expect(gateway.requests()).toEqual([]);
  });

  test('of a gateway that bans the manager: until when', async () => {
    const gateway = await gatewayWith({ clock: 'controlled' });
    for (let count = 0; count < 5; count += 1) {
      await fetch(`${gateway.url}/v0/management/config`, { headers: { authorization: 'Bearer other' } });
    }
    await gateway.advance(600_000);
    expect(await key(gateway, KEY)).toMatchObject({
      status: 502,
      body: { reason: 'address_banned', retryAfterSeconds: 1200 },
    });
    await gateway.advance(1_200_000);
    expect((await key(gateway, KEY)).status).toBe(200);
  });

  test('of a gateway without one', async () => {
    const never = await gatewayWith({ profile: 'off' });
    expect(await key(never, KEY)).toMatchObject({ status: 502, body: { reason: 'management_off' } });
    const remote = await gatewayWith({ remoteAllowed: false, callerAddress: '198.51.100.7' });
    expect(await key(remote, KEY)).toMatchObject({ status: 502, body: { reason: 'remote_disabled' } });
  });

  test('needs a URL, and the rules of a setup hold', async () => {
    expect(await check({ cpaManagementKey: KEY })).toMatchObject({
      status: 400,
      body: { code: 'cpa_connection_required' },
    });
    const gateway = await gatewayWith();
    await world.setup(world.request());
    expect(await key(gateway, KEY)).toMatchObject({
      status: 401,
      body: { code: 'invalid_existing_management_key' },
    });
    expect(gateway.requests()).toEqual([]);
  });
});

test('a poll interval that is refused comes with the allowed range', async () => {
  const gateway = await gatewayWith({ retentionSeconds: 30 });
  const body = { cpaBaseUrl: gateway.url, cpaManagementKey: KEY, pollIntervalMs: 30_001 };
  expect(await world.setup(body)).toMatchObject({
    status: 400,
    body: { code: 'poll_interval_exceeds_retention', least: 1, most: 30_000 },
  });
  expect((await world.setup({ ...body, pollIntervalMs: 30_000 })).status).toBe(200);
});
