import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { selfSigned } from '../../packages/simulator/src/net/certificate.ts';
import { ManagerProcess, TEST_ADMIN_KEY, temporaryFolder } from '../support/manager-process.ts';
import { handshakeThrough, listen, send, setup } from '../support/refusals.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, startTestGateway, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

// What the manager says about a gateway that does not answer as it should, through the executable.

setDefaultTimeout(180_000);

const cleanups: (() => unknown)[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function startManager(env: Readonly<Record<string, string>> = {}): Promise<ManagerProcess> {
  const manager = await ManagerProcess.start({ env });
  cleanups.push(() => manager.remove());
  return manager;
}

async function startGateway(options: Parameters<typeof startTestGateway>[0] = {}) {
  const gateway = await startTestGateway(options);
  cleanups.push(() => gateway.stop());
  return gateway;
}

describe('the setup', () => {
  test('names the usual causes of a 404, and cuts off the page of the gateway', async () => {
    const gateway = await startGateway({ profile: 'off' });
    const manager = await startManager();
    const answer = await setup(manager, gateway.url);
    expect(answer).toMatchObject({
      status: 502,
      code: 'management_api_validation_failed',
      reason: 'management_off',
    });
    for (const cause of ['remote-management.secret-key', 'template (api-keys)', '/management.html']) {
      expect(answer.error).toContain(cause);
    }
    const right = await startGateway();
    const bound = await setup(manager, `${right.url}/management.html#/login?from=x`);
    expect(bound).toMatchObject({ ok: true, upstream: right.url });
  });

  test('sends a key that was just rejected only once, and says how many tries are left', async () => {
    const gateway = await startGateway();
    const manager = await startManager();
    const save = (cpaManagementKey: string) => setup(manager, gateway.url, { cpaManagementKey });
    expect(await save('wrong')).toMatchObject({
      status: 502,
      code: 'management_api_validation_failed',
      reason: 'key_rejected',
      triesLeft: 4,
      error: expect.stringContaining('4 tries left'),
    });
    for (let count = 0; count < 5; count += 1) {
      expect(await save('wrong')).toMatchObject({
        status: 429,
        code: 'management_key_recently_rejected',
        triesLeft: 4,
        error: expect.stringMatching(/not sent again; 4 tries left.*in (9|10) min/),
      });
    }
    expect(gateway.requests({ path: '/v0/management/config' })).toHaveLength(1);
    expect(await save('also wrong')).toMatchObject({ status: 502, triesLeft: 3 });
    // Saving settings with the same pair is no other way around.
    expect((await save(TEST_UPSTREAM_KEY)).status).toBe(200);
    const put = (managementKey: string) =>
      send(manager, 'PUT', '/usage-service/config', { config: { cpaConnection: { managementKey } } });
    expect(await put('wrong')).toMatchObject({ status: 429 });
    const last = await put('new and wrong');
    expect(last).toMatchObject({ status: 502, code: 'management_api_validation_failed' });
    // The collector runs now: when its key was accepted in the meantime, the gateway has forgotten the wrong one.
    expect([4, 5]).toContain(Number(last.triesLeft));
    expect(gateway.bans().every((ban) => ban.bannedUntilMs === null)).toBe(true);
  });

  test('remembers a rejected key over a restart', async () => {
    const gateway = await startGateway();
    const first = await startManager();
    await setup(first, gateway.url, { cpaManagementKey: 'wrong' });
    await first.stop();
    const second = await ManagerProcess.start({ dataDir: first.dataDir });
    cleanups.push(() => second.stop());
    expect(await setup(second, gateway.url, { cpaManagementKey: 'wrong' })).toMatchObject({ status: 429 });
    expect(gateway.requests({ path: '/v0/management/config' })).toHaveLength(1);
  });

  test('refuses the admin key as management key before any call', async () => {
    const gateway = await startGateway();
    const manager = await startManager();
    const refusal = { status: 400, code: 'management_key_is_admin_key', error: expect.stringContaining('secret-key') };
    for (const text of [` ${manager.adminKey} `, `${manager.adminKey}.`]) {
      expect(await setup(manager, gateway.url, { cpaManagementKey: text })).toMatchObject(refusal);
    }
    for (const text of [`"${manager.adminKey}"`, `Bearer ${manager.adminKey}`, "'key'", 'Bearer key']) {
      const answer = await setup(manager, gateway.url, { cpaManagementKey: text });
      expect(answer).toMatchObject({ status: 400, code: 'management_key_not_sendable' });
    }
    expect(gateway.requests()).toEqual([]);
    expect((await setup(manager, gateway.url)).status).toBe(200);
    const cpaConnection = { managementKey: manager.adminKey };
    expect(await send(manager, 'PUT', '/usage-service/config', { config: { cpaConnection } })).toMatchObject(refusal);
  });
});

test('an admin key that the environment sets as management key is reported, and never sent', async () => {
  const gateway = await startGateway();
  const manager = await startManager({ ...boundTo(gateway), UPSTREAM_MANAGEMENT_KEY: TEST_ADMIN_KEY });
  await manager.printed('the saved management key is wrong: this is the admin key of the manager');
  expect(manager.output).not.toContain(TEST_ADMIN_KEY);
  const { collector } = await until(async () => {
    const status = await readStatus(manager);
    return status.collector.collector === 'error' ? status : null;
  });
  expect(collector.lastError).toContain('this is the admin key of the manager');
  expect(collector.keyRefused).toMatchObject({ reason: 'key_rejected', tries: 0 });
  const proxied = await manager.fetch('/v0/management/config');
  expect([proxied.status, await proxied.text()]).toEqual([
    502,
    expect.stringContaining('the request was not sent: this is the admin key of the manager'),
  ]);
  expect(gateway.requests()).toEqual([]);
});

/** A TLS port as Go's and nginx's: plain text gets a 400 that says so. Everything else goes to the gateway. */
async function politeTlsPort(gateway: { readonly url: string }): Promise<string> {
  const target = new URL(gateway.url);
  const server: Server = createServer((client) => {
    client.on('error', () => {});
    client.once('data', (first) => {
      if (first[0] !== 0x16) {
        client.end('HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n');
        return;
      }
      const through = connect(Number(target.port), target.hostname);
      through.on('error', () => client.destroy());
      client.on('close', () => through.destroy());
      through.write(first);
      client.pipe(through).pipe(client);
    });
  });
  cleanups.push(() => server.close());
  return `http://127.0.0.1:${await listen(server)}`;
}

const SPEAKS_TLS = { code: 'gateway_speaks_tls', words: 'speaks TLS on this port' };
const SPEAKS_PLAIN = { code: 'gateway_speaks_plain_text', words: 'does not speak TLS on this port' };

const MISMATCHES = [
  {
    name: 'plain text to a TLS port that just closes',
    ...SPEAKS_TLS,
    url: async () => (await startGateway({ tls: true })).url.replace('https:', 'http:'),
  },
  {
    name: 'plain text to a TLS port that answers 400',
    ...SPEAKS_TLS,
    url: async () => politeTlsPort(await startGateway({ tls: true })),
  },
  {
    name: 'TLS to a plain port',
    ...SPEAKS_PLAIN,
    url: async () => (await startGateway()).url.replace('http:', 'https:'),
  },
];

describe.each(MISMATCHES)('$name', ({ code, words, url }) => {
  test('is named by setup and settings', async () => {
    const manager = await startManager();
    expect(await setup(manager, await url())).toMatchObject({
      status: 502,
      code,
      error: expect.stringContaining(words),
    });
  });

  test.each(['auto', 'subscribe', 'http', 'resp'])('is named by the collector in mode %s', async (mode) => {
    const manager = await startManager(boundTo({ url: await url() }, mode));
    await until(async () => (await readStatus(manager)).collector.lastError.includes(words), `"${words}"`);
  });

  test('is named for proxied calls and WebSockets', async () => {
    const manager = await startManager(boundTo({ url: await url() }, 'http'));
    const refusal = { status: 502, code, error: expect.stringContaining(words) };
    expect(await send(manager, 'GET', '/v0/management/logs')).toMatchObject(refusal);
    expect(await send(manager, 'PUT', '/v0/management/debug', { value: true })).toMatchObject(refusal);
    expect(await send(manager, 'GET', '/v1/models')).toMatchObject(refusal);
    expect(await handshakeThrough(manager)).toMatchObject(refusal);
  });
});

describe('a gateway with a certificate of its own', () => {
  const UNTRUSTED = { status: 502, code: 'gateway_certificate_untrusted' };

  /** Its configuration and a plugin with a WebSocket. */
  function startSecureStub() {
    const { key, certificate } = selfSigned('localhost');
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      tls: { key, cert: certificate },
      fetch(request, self) {
        if (self.upgrade(request)) return undefined;
        return Response.json({ 'usage-statistics-enabled': true });
      },
      websocket: { message: (socket, message) => void socket.send(`echo ${String(message)}`) },
    });
    cleanups.push(() => server.stop(true));
    return { url: `https://127.0.0.1:${server.port}`, certificate };
  }

  /** What a plugin page does: the text that came back, or that it was closed. */
  function echoThrough(manager: ManagerProcess): Promise<string> {
    return new Promise((resolve) => {
      const socket = new WebSocket(`${manager.url.replace('http', 'ws')}/v0/resource/plugins/x`);
      socket.onopen = () => socket.send('hello');
      socket.onmessage = (event) => {
        resolve(String(event.data));
        socket.close();
      };
      socket.onclose = () => resolve('closed');
    });
  }

  test('is refused with the two ways out, everywhere', async () => {
    const gateway = startSecureStub();
    const manager = await startManager();
    const answer = await setup(manager, gateway.url);
    expect(answer).toMatchObject(UNTRUSTED);
    expect(answer.error).toContain('NODE_EXTRA_CA_CERTS');
    expect(answer.error).toContain('skip the TLS check');
    const bound = await startManager(boundTo(gateway, 'http'));
    expect(await send(bound, 'GET', '/v0/management/config')).toMatchObject(UNTRUSTED);
    expect(await echoThrough(bound)).toBe('closed');
  });

  test('is used without a check by every call when tlsSkipVerify is on', async () => {
    const gateway = startSecureStub();
    const manager = await startManager();
    const rest = { tlsSkipVerify: true, requestMonitoringEnabled: false };
    expect((await setup(manager, gateway.url, rest)).status).toBe(200);
    expect(await send(manager, 'GET', '/v0/management/config')).toMatchObject({ status: 200 });
    expect(await echoThrough(manager)).toBe('echo hello');
    // The settings page reads the gateway, and saves with another check.
    const shown = await manager.json<{ config: object; cpaUsage?: object }>('/usage-service/config');
    expect(shown.cpaUsage).toBeDefined();
    expect((await send(manager, 'PUT', '/usage-service/config', { config: shown.config })).status).toBe(200);
    // Absent means off, and then nothing goes without a check any more.
    const { status, code } = await send(manager, 'PUT', '/usage-service/config', { config: { collector: {} } });
    expect({ status, code }).toEqual(UNTRUSTED);
  });

  test.each(['auto', 'subscribe', 'http', 'resp'])('is collected from without a check in mode %s', async (mode) => {
    const gateway = await startGateway({ tls: true });
    const manager = await startManager({ ...boundTo(gateway, mode), USAGE_RESP_TLS_SKIP_VERIFY: 'true' });
    await until(async () => (await readStatus(manager)).collector.collector === 'running', 'running');
    expect(await send(manager, 'GET', '/v0/management/config')).toMatchObject({ status: 200 });
  });

  test('is checked against the authority that NODE_EXTRA_CA_CERTS names', async () => {
    const gateway = startSecureStub();
    const folder = temporaryFolder();
    folders.push(folder);
    const file = join(folder, 'authority.pem');
    writeFileSync(file, gateway.certificate);
    const manager = await startManager({ NODE_EXTRA_CA_CERTS: file });
    expect((await setup(manager, gateway.url, { requestMonitoringEnabled: false })).status).toBe(200);
    expect(await send(manager, 'GET', '/v0/management/config')).toMatchObject({ status: 200 });
    expect(await echoThrough(manager)).toBe('echo hello');
    const resp = await startGateway({ tls: true });
    writeFileSync(file, resp.certificate);
    const collecting = await startManager({ ...boundTo(resp, 'subscribe'), NODE_EXTRA_CA_CERTS: file });
    await until(async () => (await readStatus(collecting)).collector.collector === 'running', 'running');
  });
});
