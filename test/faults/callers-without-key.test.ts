import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { connect } from 'node:net';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import { ManagerProcess } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startTestGateway, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

// The machine may be busy; every wait has its own shorter deadline.
setDefaultTimeout(180_000);

const PLUGIN = '/v0/management/simplugin/echo';

const cleanups: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

async function start(mode: string, options: Parameters<typeof startTestGateway>[0] = {}) {
  const gateway = await startTestGateway(options);
  cleanups.push(() => gateway.stop());
  const manager = await ManagerProcess.start({ env: boundTo(gateway, mode) });
  cleanups.push(() => manager.remove());
  await until(async () => (await readStatus(manager)).collector.collector === 'running', 'the collector');
  return { gateway, manager };
}

/** Raw bytes on a connection of their own, which is cut `openMs` after they were sent, or when an answer came. */
function sendBytes(manager: ManagerProcess, bytes: string, openMs: number): Promise<void> {
  const { hostname, port } = new URL(manager.url);
  return new Promise((resolve) => {
    let timer: Timer | undefined;
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes);
      timer = setTimeout(() => socket.destroy(), openMs);
    });
    socket.on('error', () => {});
    socket.on('data', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const head = (method: string, lines: readonly string[]) =>
  [`${method} ${PLUGIN} HTTP/1.1`, 'Host: manager', ...lines, '', ''].join('\r\n');

/** What anybody on the host, or a web page in a browser on it, can send. */
const ATTACKS: Readonly<Record<string, (manager: ManagerProcess, round: number) => Promise<unknown>>> = {
  'HEAD without a key': (manager) => fetch(manager.url + PLUGIN, { method: 'HEAD' }),
  'GET that is aborted after a few ms': (manager, round) => sendBytes(manager, head('GET', []), 1 + (round % 8)),
  'GET that is aborted at once, with a key of its own': (manager, round) =>
    sendBytes(manager, head('GET', [`Authorization: Bearer aborted-${round}`]), 1 + (round % 8)),
  'POST with a broken chunk': (manager) =>
    sendBytes(manager, `${head('POST', ['Transfer-Encoding: chunked'])}5\r\nhello\r\nZZ\r\n`, 50),
  'POST whose body never ends': (manager) => sendBytes(manager, `${head('POST', ['Content-Length: 100'])}x`, 30),
  'DELETE with another wrong key each': (manager, round) =>
    fetch(manager.url + PLUGIN, { method: 'DELETE', headers: { Authorization: `Bearer wrong-${round}` } }),
  'a wrong X-Management-Key': (manager) => fetch(manager.url + PLUGIN, { headers: { 'X-Management-Key': 'wrong' } }),
  'a WebSocket handshake': (manager) =>
    sendBytes(
      manager,
      head('GET', [
        'Upgrade: websocket',
        'Connection: Upgrade',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      ]),
      200,
    ),
  'a claimed address of the gateway’s own host': (manager) =>
    fetch(manager.url + PLUGIN, { headers: { 'X-Forwarded-For': '127.0.0.1', 'X-Real-IP': '127.0.0.1' } }),
};

const refused = (gateway: Simulator) =>
  gateway.requests({ path: PLUGIN }).filter(({ status }) => status === 401).length;
const neverBanned = (gateway: Simulator) => gateway.bans().every((ban) => ban.bannedUntilMs === null);

async function collectsOn(gateway: Simulator, manager: ManagerProcess): Promise<void> {
  const before = (await readStatus(manager)).collector.totalInserted;
  for (const event of makeEvents({ seed: before + 1, numberFrom: before }).take(5)) await gateway.publish(event);
  await until(async () => (await readStatus(manager)).collector.totalInserted >= before + 5, 'the events');
}

describe.each(['subscribe', 'http'])('callers without a key never get the manager banned, mode %s', (mode) => {
  // Every attack ends with all paid back, so that the next one needs no other manager.
  let gateway: Simulator;
  let manager: ManagerProcess;
  beforeAll(async () => {
    ({ gateway, manager } = await start(mode));
  });
  beforeEach(() => gateway.clearRequests());

  test.each(Object.keys(ATTACKS))('%s', async (name) => {
    const attack = ATTACKS[name];
    let round = 0;
    // More than a ban needs, one after the other and then many at once.
    await until(async () => {
      await attack?.(manager, round).catch(() => {});
      round += 1;
      if (round % 4 === 0) await until(() => gateway.bans().length === 0, 'the pay-back');
      return refused(gateway) > 8 || !neverBanned(gateway);
    }, 'the attacks to arrive');
    await Promise.all(Array.from({ length: 40 }, () => attack?.(manager, round).catch(() => {})));
    expect(neverBanned(gateway)).toBe(true);
    await until(() => gateway.bans().length === 0, 'the last pay-back');
    expect((await manager.fetch('/v0/management/config')).status).toBe(200);
    await collectsOn(gateway, manager);
    expect((await readStatus(manager)).collector.keyRefused).toBeUndefined();
  });
});

test('they lock nobody out: keys that work never wait, an unknown one waits a moment, the OAuth return has no limit', async () => {
  const { gateway, manager } = await start('subscribe');
  const own = { Authorization: `Bearer ${TEST_UPSTREAM_KEY}` };
  const statuses = async (path: string, init: RequestInit, count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await fetch(manager.url + path, init)).status));
  let flooding = true;
  const flood = (async () => {
    for (let round = 0; flooding; round += 1) {
      const headers = round % 4 === 0 ? { Authorization: `Bearer wrong-${round}` } : {};
      await Promise.all([1, 2, 3].map(() => fetch(manager.url + PLUGIN, { method: 'HEAD', headers })));
    }
  })();
  await until(() => refused(gateway) > 8, 'the flood');
  // Unknown until now: it has its turn among the wrong ones.
  const first = () => statuses(PLUGIN, { headers: own }, 1);
  await until(async () => (await first())[0] === 200, 'the turn of a key that works');
  expect(await statuses(PLUGIN, { headers: own }, 30)).toEqual(Array.from({ length: 30 }, () => 200));
  const returned = await statuses('/v0/management/oauth-callback?state=x&code=y', {}, 30);
  expect(returned.filter((status) => [401, 429, 503].includes(status))).toEqual([]);
  flooding = false;
  await flood;
  expect(neverBanned(gateway)).toBe(true);
});

test('a HEAD that a foreign page sends without a preflight never reaches the gateway', async () => {
  const { gateway, manager } = await start('subscribe');
  const headers = { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' };
  await Promise.all(Array.from({ length: 10 }, () => fetch(manager.url + PLUGIN, { method: 'HEAD', headers })));
  expect(gateway.requests({ path: PLUGIN })).toEqual([]);
});

test('three requests without a key lock nobody out', async () => {
  const { manager } = await start('subscribe');
  for (let count = 0; count < 3; count += 1) {
    // Its turn comes once the manager has paid back.
    await until(async () => (await fetch(manager.url + PLUGIN)).status === 401, 'the refusal of the gateway');
  }
  const answer = await fetch(manager.url + PLUGIN, { headers: { Authorization: `Bearer ${TEST_UPSTREAM_KEY}` } });
  expect(answer.status).toBe(200);
});

test('an old gateway that checks a key at the OAuth return bans nobody either', async () => {
  const { gateway, manager } = await start('subscribe', { profile: 'v7.1.39' });
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(Array.from({ length: 10 }, () => fetch(`${manager.url}/v0/management/oauth-callback?state=x`)));
  }
  expect(neverBanned(gateway)).toBe(true);
});

test('a key that was changed at the gateway: strangers and the refused key together stay below the ban', async () => {
  const { gateway, manager } = await start('subscribe');
  const own = { Authorization: `Bearer ${TEST_UPSTREAM_KEY}` };
  expect((await fetch(manager.url + PLUGIN, { headers: own })).status).toBe(200);
  gateway.setKey('another-key');
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(Array.from({ length: 10 }, () => fetch(manager.url + PLUGIN, { headers: own })));
    await Promise.all(Array.from({ length: 5 }, () => fetch(manager.url + PLUGIN, { method: 'HEAD' })));
    await manager.fetch('/v0/management/config');
  }
  expect(neverBanned(gateway)).toBe(true);
  const saved = await manager.fetch('/v0/management/config');
  expect(saved.status).toBe(502);
});

describe('paths that pass with the caller’s own key', () => {
  test('are none below the management path while the gateway has no plugin', async () => {
    const { gateway, manager } = await start('subscribe', { installedPlugins: [] });
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      const answer = await fetch(manager.url + PLUGIN, {
        method,
        headers: { Authorization: `Bearer ${TEST_UPSTREAM_KEY}` },
      });
      expect([method, answer.status]).toEqual([method, 401]);
    }
    expect(gateway.requests({ path: PLUGIN })).toEqual([]);
    // The list was asked once, and the admin key passes anyway.
    expect(gateway.requests({ path: '/v0/management/plugins' })).toHaveLength(1);
    expect((await manager.fetch(PLUGIN)).status).toBe(200);
  });

  test('are open to a plugin’s callers while it has one', async () => {
    const { manager } = await start('subscribe');
    const answer = await fetch(manager.url + PLUGIN, { headers: { Authorization: `Bearer ${TEST_UPSTREAM_KEY}` } });
    expect(answer.status).toBe(200);
    expect((await fetch(`${manager.url}/v0/management/config`)).status).toBe(401);
  });
});

test('the admin key reaches the gateway in no header and no query, also before anybody has used it', async () => {
  const { gateway, manager } = await start('subscribe');
  await manager.stop();
  // After a restart only the digest is known.
  const again = await ManagerProcess.start({
    dataDir: manager.dataDir,
    env: { ...boundTo(gateway, 'subscribe'), MANAGER_ADMIN_KEY: '' },
    adminKey: '',
  });
  cleanups.push(() => again.remove());
  const key = manager.adminKey;
  gateway.clearRequests();
  const basic = `Basic ${Buffer.from(`admin:${key}`).toString('base64')}`;
  const carriers: Record<string, string>[] = [
    { Authorization: `Bearer ${key} x` },
    { Authorization: `Bearer sk-other, Bearer ${key}` },
    { Authorization: basic },
    { 'X-Management-Key': key },
    { 'X-Api-Key': key },
    { Cookie: `theme=dark; key=${key}` },
    { Referer: `${again.url}/management.html?key=${encodeURIComponent(key)}` },
    { 'X-Whatever': `<${key}>` },
  ];
  for (const path of ['/v1/models', '/v0/resource/plugins/simplugin/index.html', PLUGIN]) {
    for (const headers of carriers) await fetch(again.url + path, { headers });
    await fetch(`${again.url}${path}?key=${key}&x=%74${key.slice(1)}&kept=1`);
  }
  // Beside the right Authorization.
  for (const headers of carriers.slice(3)) {
    await fetch(`${again.url}${PLUGIN}?key=${key}`, { headers: { ...headers, Authorization: `Bearer ${key}` } });
  }
  const seen = gateway.requests().map(({ headers, target }) => JSON.stringify([...headers, target]));
  expect(seen.length).toBeGreaterThan(20);
  const encoded = Buffer.from(`admin:${key}`).toString('base64');
  expect(seen.filter((text) => text.includes(key) || text.includes(encoded) || text.includes(key.slice(1)))).toEqual(
    [],
  );
  expect(neverBanned(gateway)).toBe(true);
});
