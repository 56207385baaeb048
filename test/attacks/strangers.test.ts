import { expect, setDefaultTimeout, test } from 'bun:test';
import type { Socket } from 'node:net';
import { ManagerProcess, TEST_ADMIN_KEY } from '../support/manager-process.ts';
import { startTestGateway, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';
import { ATTACK_MS, flood, PLUGIN_PATH, quietly, send, withstand } from './rig.ts';

setDefaultTimeout(120_000 + 3 * ATTACK_MS);

const MIB = 1024 * 1024;

test('strangers lock out neither a caller whose key is right nor the return of an OAuth sign-in', () =>
  withstand(async (attacked) => {
    const { url } = attacked.manager;
    const statusOf = async (path: string, key?: string) => {
      const answer = await fetch(url + path, key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } });
      await answer.arrayBuffer();
      return answer.status;
    };
    // Until its first success it waits for its turn; from then on it is known and never waits.
    let refusals = 0;
    let accepted = 0;
    const rightful = async () => {
      while ((await statusOf(PLUGIN_PATH, TEST_UPSTREAM_KEY)) === 429) await Bun.sleep(50);
      while (attacked.goesOn() || accepted === 0) {
        if ((await statusOf(PLUGIN_PATH, TEST_UPSTREAM_KEY)) === 429) refusals += 1;
        if ((await statusOf('/v0/management/oauth-callback?state=unknown')) === 429) refusals += 1;
        accepted += 1;
        await Bun.sleep(100);
      }
    };
    await Promise.all([rightful(), flood(attacked, 4, () => statusOf(PLUGIN_PATH))]);
    expect(refusals).toBe(0);
  }));

test('unfinished bodies of strangers do not fill the memory', () =>
  withstand(async (attacked) => {
    const size = 10 * MIB;
    const head = `POST /v0/resource/plugins/simplugin/x HTTP/1.1\r\nHost: m\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n{"a":"`;
    const most = Buffer.alloc(Math.floor(size * 0.99), 'a');
    let sockets: Socket[] = [];
    while (attacked.goesOn()) {
      sockets = sockets.filter((socket) => !socket.destroyed);
      while (sockets.length < 120) {
        const socket = await send(attacked.manager, head);
        socket.write(most);
        sockets.push(socket);
      }
      await Bun.sleep(250);
    }
    for (const socket of sockets) socket.destroy();
  }));

test('bodies in chunks of one byte fill neither the memory nor the time of others', () =>
  withstand(async (attacked) => {
    const head =
      'POST /v0/resource/plugins/simplugin/x HTTP/1.1\r\nHost: m\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const chunks = Buffer.from('1\r\n1\r\n'.repeat(100_000));
    const lane = async () => {
      while (attacked.goesOn()) {
        const socket = await send(attacked.manager, head);
        for (let count = 0; count < 50 && attacked.goesOn() && !socket.destroyed; count += 1) {
          if (socket.write(chunks)) continue;
          await Promise.race(['drain', 'close'].map((name) => new Promise((resolve) => socket.once(name, resolve))));
        }
        socket.destroy();
      }
    };
    await Promise.all([1, 2].map(() => quietly(lane())));
  }));

test('as many open requests as there are descriptors shut nobody out', () =>
  withstand(
    async (attacked) => {
      let sockets: Socket[] = [];
      while (attacked.goesOn()) {
        sockets = sockets.filter((socket) => !socket.destroyed);
        for (let count = sockets.length; count < 300; count += 1) {
          const socket = await quietly(
            send(attacked.manager, 'POST /setup HTTP/1.1\r\nHost: m\r\nContent-Length: 100\r\n\r\n{'),
          );
          if (socket !== undefined) sockets.push(socket as Socket);
        }
        await Bun.sleep(250);
      }
      for (const socket of sockets) socket.destroy();
    },
    { descriptors: 300 },
  ));

test('the admin key reaches the gateway in no header and no query', () =>
  withstand(async (attacked) => {
    const { manager, gateway } = attacked;
    const basic = `Basic ${Buffer.from(`admin:${TEST_ADMIN_KEY}`).toString('base64')}`;
    const ways: RequestInit[] = [
      { headers: { 'X-Management-Key': TEST_ADMIN_KEY } },
      { headers: { 'X-Api-Key': TEST_ADMIN_KEY } },
      { headers: { Authorization: basic } },
      { headers: { Authorization: `Bearer ${TEST_ADMIN_KEY} x` } },
      {
        headers: [
          ['Authorization', 'Bearer other'],
          ['Authorization', `Bearer ${TEST_ADMIN_KEY}`],
        ],
      },
      { headers: { Cookie: `key=${TEST_ADMIN_KEY}` } },
      { headers: { Referer: `http://m/?key=${TEST_ADMIN_KEY}` } },
    ];
    const paths = [PLUGIN_PATH, '/v1/models', '/v0/resource/plugins/simplugin/index.html'];
    const seen: string[] = [];
    await flood(attacked, 2, async (count) => {
      const path = paths[count % paths.length] ?? '';
      const query = count % 5 === 0 ? `?key=${encodeURIComponent(TEST_ADMIN_KEY)}` : '';
      await (await fetch(manager.url + path + query, ways[count % ways.length] ?? {})).arrayBuffer();
    });
    const encoded = Buffer.from(`admin:${TEST_ADMIN_KEY}`).toString('base64');
    for (const request of gateway.requests({ protocol: 'http' }))
      for (const text of [request.target, ...request.headers.map(([, value]) => value)])
        if (text.includes(TEST_ADMIN_KEY) || text.includes(encoded)) seen.push(`${request.method} ${request.path}`);
    expect(seen).toEqual([]);
  }));

test('guesses through a proxy on this host are limited, and the right key still passes', () =>
  withstand(async (attacked) => {
    const { url } = attacked.manager;
    const attempt = async (key: string) => {
      const headers = { Authorization: `Bearer ${key}`, 'X-Forwarded-For': '203.0.113.5' };
      const answer = await fetch(`${url}/status`, { headers });
      await answer.arrayBuffer();
      return answer.status;
    };
    const statuses = new Map<number, number>();
    const goesOn = () => attacked.goesOn() || !statuses.has(429);
    await flood({ ...attacked, goesOn }, 4, async (count) => {
      const status = await attempt(`guess-${count}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    expect([...statuses.keys()].sort()).toEqual([401, 429]);
    expect(statuses.get(401)).toBeLessThanOrEqual(100 * (Math.ceil(ATTACK_MS / 60_000) + 1));
    expect(await attempt(TEST_ADMIN_KEY)).toBe(200);
  }));

test('a foreign page does not set up a manager that has no gateway', async () => {
  const manager = await ManagerProcess.start();
  const gateway = await startTestGateway();
  try {
    const body = JSON.stringify({ cpaBaseUrl: gateway.url, cpaManagementKey: TEST_UPSTREAM_KEY });
    const origin = { Origin: 'https://foreign.example' };
    const ways: Record<string, string>[] = [
      { ...origin, 'Content-Type': 'text/plain' },
      { ...origin, 'Content-Type': 'application/json' },
      { 'Sec-Fetch-Site': 'cross-site', 'Content-Type': 'application/json' },
      { 'Content-Type': 'text/plain' },
    ];
    const endsAt = performance.now() + ATTACK_MS;
    const statuses = new Set<number>();
    for (let count = 0; performance.now() < endsAt; count += 1) {
      const answer = await fetch(`${manager.url}/setup`, { method: 'POST', headers: ways[count % ways.length], body });
      await answer.arrayBuffer();
      statuses.add(answer.status);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
    expect([...statuses].every((status) => status >= 400 && status < 500)).toBe(true);
    expect(gateway.requests({ protocol: 'http' })).toEqual([]);
    expect(await (await fetch(`${manager.url}/usage-service/info`)).json()).toMatchObject({ configured: false });
  } finally {
    await manager.remove();
    await gateway.stop();
  }
});
