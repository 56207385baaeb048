import { afterEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { until } from '@manager/core/testing/until';
import { createKeyRefusalGate } from '../../gateway/refusal-gate.ts';
import { isOwnAddress } from './own-address.ts';
import { ADMIN_KEY, SAVED_KEY, startProxy, startRecordingGateway } from './testing.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
const admin = { Authorization: `Bearer ${ADMIN_KEY}` };

/** A gateway that answers every request with the same bytes. */
async function startRaw(onRequest: (socket: Socket, head: string) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => onRequest(socket, data.toString('latin1')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

async function startGatedProxy(gatewayUrl: string, now = Date.now) {
  const gate = await createKeyRefusalGate({
    now,
    readSetting: async () => null,
    writeSetting: async () => {},
  });
  const manager = startProxy({ upstreamUrl: gatewayUrl, gate });
  cleanups.push(manager.stop);
  return { gate, manager };
}

describe('callers who could get the manager banned', () => {
  test.each([
    ['192.0.2.7', false],
    ['127.0.0.1', true],
    ['::ffff:127.0.0.1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['', true],
  ])('an address %p is our own: %p', (address, own) => {
    expect(isOwnAddress(address)).toBe(own);
  });

  test('the gateway learns the address that we know, never one that the caller claims', async () => {
    const gateway = startRecordingGateway(() => Response.json({}));
    cleanups.push(gateway.stop);
    const { manager } = await startGatedProxy(gateway.url);
    const seen = async (headers: Record<string, string>) => {
      await fetch(`${manager.url}/v0/management/some-plugin`, { headers });
      const sent = gateway.requests.at(-1)?.headers;
      return ['x-forwarded-for', 'x-real-ip', 'forwarded'].map((name) => sent?.get(name) ?? null);
    };
    expect(await seen({ 'X-Real-IP': '198.51.100.9' })).toEqual(['192.0.2.7', null, null]);
    expect(await seen({ 'X-Forwarded-For': '127.0.0.1, 198.51.100.1' })).toEqual(['198.51.100.1', null, null]);
    expect(await seen({ 'X-Forwarded-For': '127.0.0.1', Forwarded: 'for=1.2.3.4' })).toEqual([null, null, null]);
  });

  test('requests with the saved key at once wait for a check of it, when it was not used for a moment', async () => {
    let refused = 0;
    const paths: string[] = [];
    let key = SAVED_KEY;
    const gateway = startRecordingGateway(async (request) => {
      paths.push(new URL(request.url).pathname.replace('/v0/management/', ''));
      await Bun.sleep(20);
      if (request.headers.get('authorization') === `Bearer ${key}`) return Response.json({});
      refused += 1;
      return Response.json({ error: 'invalid management key' }, { status: 401 });
    });
    cleanups.push(gateway.stop);
    let nowMs = 1000;
    const { manager, gate } = await startGatedProxy(gateway.url, () => nowMs);
    const burst = async () => {
      paths.length = 0;
      nowMs += 60_000;
      const call = () =>
        fetch(`${manager.url}/v0/management/config`, { headers: { Authorization: `Bearer ${ADMIN_KEY}` } });
      return (await Promise.all(Array.from({ length: 10 }, call))).map(({ status }) => status);
    };
    await burst();
    expect(await burst()).toEqual(Array(10).fill(200));
    expect(paths.filter((path) => path !== 'config')).toEqual(['usage-statistics-enabled']);

    key = 'another-key';
    expect(await burst()).toEqual(Array(10).fill(502));
    expect(refused).toBe(3);
    expect(gate.snapshot()?.tries).toBe(3);
  });

  test('a refused key under our address is paid back before the next one passes; other addresses are not affected', async () => {
    const failures: string[] = [];
    const payBack = Promise.withResolvers<void>();
    const gateway = startRecordingGateway(async (request) => {
      if (request.headers.get('authorization') !== `Bearer ${SAVED_KEY}`) {
        failures.push(request.headers.get('x-forwarded-for') ?? 'ours');
        return Response.json({ error: 'invalid management key' }, { status: 401 });
      }
      await payBack.promise;
      return Response.json({});
    });
    cleanups.push(gateway.stop);
    const { manager } = await startGatedProxy(gateway.url);
    const send = (address: string) =>
      fetch(`${manager.url}/v0/management/some-plugin`, { method: 'HEAD', headers: { 'X-Forwarded-For': address } });
    expect((await send('127.0.0.1')).status).toBe(401);
    const second = await send('127.0.0.1');
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await send('198.51.100.1')).status).toBe(401);
    expect(failures).toEqual(['ours', '198.51.100.1']);
    payBack.resolve();
    await until(async () => (await send('127.0.0.1')).status === 401);
    expect(failures).toEqual(['ours', '198.51.100.1', 'ours']);
  });

  test('a caller who leaves at once leaves no uncounted refusal', async () => {
    const accepted = new Set<string>();
    let refused = 0;
    const caller = new AbortController();
    const gateway = startRecordingGateway(async (request) => {
      const key = request.headers.get('authorization') ?? '';
      if (key === `Bearer ${SAVED_KEY}`) {
        accepted.add(new URL(request.url).pathname);
        return Response.json({});
      }
      refused += 1;
      caller.abort();
      await Bun.sleep(20);
      return Response.json({ error: 'missing management key' }, { status: 401 });
    });
    cleanups.push(gateway.stop);
    const { gate, manager } = await startGatedProxy(gateway.url);
    await fetch(`${manager.url}/v0/management/some-plugin`, {
      headers: { 'X-Forwarded-For': '127.0.0.1' },
      signal: caller.signal,
    }).catch(() => {});
    await until(() => accepted.size > 0 && gate.row.count() === 0, 'the pay-back');
    expect([refused, [...accepted]]).toEqual([1, ['/v0/management/usage-statistics-enabled']]);
  });

  test('unknown heads need the admin key while the gateway has no plugin', async () => {
    const gateway = startRecordingGateway();
    const manager = startProxy({ upstreamUrl: gateway.url, plugins: false });
    cleanups.push(gateway.stop, manager.stop);
    const answer = await fetch(`${manager.url}/v0/management/some-plugin`, {
      headers: { Authorization: 'Bearer theirs' },
    });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: 'invalid_admin_key' });
    expect(gateway.requests).toHaveLength(0);
    expect((await fetch(`${manager.url}/v0/management/some-plugin`, { headers: admin })).status).toBe(200);
  });
});

describe('paths and methods', () => {
  test.each(['%75sage-queue', '/usage-queue', 'usage%2Dqueue/', 'USAGE-QUEUE'])(
    'the usage queue is refused under every spelling: %s',
    async (path) => {
      const gateway = startRecordingGateway();
      const manager = startProxy({ upstreamUrl: gateway.url, collectorActive: true });
      cleanups.push(gateway.stop, manager.stop);
      expect((await fetch(`${manager.url}/v0/management/${path}?count=1`, { headers: admin })).status).toBe(409);
      expect(gateway.requests).toHaveLength(0);
    },
  );

  test.each(['TRACE', 'CONNECT'])('%s is never sent with the saved key', async (method) => {
    const gateway = startRecordingGateway();
    const manager = startProxy({ upstreamUrl: gateway.url });
    cleanups.push(gateway.stop, manager.stop);
    const { hostname, port } = new URL(manager.url);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(
          `${method} /v0/management/config HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN_KEY}\r\nConnection: close\r\n\r\n`,
        ),
      );
      socket.once('data', (data) => {
        socket.destroy();
        resolve(data.toString());
      });
    });
    expect(answer).toContain('HTTP/1.1 405');
    expect(gateway.requests).toHaveLength(0);
  });
});

describe('invalid answers', () => {
  test.each([
    ['a status above 599', 'HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\nok'],
    ['a status of 0', 'HTTP/1.1 000 Odd\r\nContent-Length: 2\r\n\r\nok'],
    ['a refusal that breaks off', 'HTTP/1.1 403 Forbidden\r\nContent-Length: 500\r\n\r\nhalf'],
  ])('%s: 502, and the gate stays open', async (_name, bytes) => {
    const url = await startRaw((socket) => socket.end(bytes));
    const { gate, manager } = await startGatedProxy(url);
    for (let i = 0; i < 5; i += 1) {
      expect((await fetch(`${manager.url}/v0/management/logs`, { headers: admin })).status).toBe(502);
    }
    expect(gate.snapshot()).toBeNull();
  });

  test('a 401 that breaks off counts by its status, without a body too', async () => {
    for (const [method, bytes] of [
      ['GET', 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 500\r\n\r\nhalf'],
      ['GET', 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n'],
      ['HEAD', 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 500\r\n\r\n'],
    ] as const) {
      let sent = 0;
      const url = await startRaw((socket) => {
        sent += 1;
        socket.end(bytes);
      });
      const { gate, manager } = await startGatedProxy(url);
      for (let i = 0; i < 5; i += 1) await fetch(`${manager.url}/v0/management/logs`, { method, headers: admin });
      expect([sent, gate.snapshot()?.tries]).toEqual([3, 3]);
    }
  });

  test('callers that disconnect while a refusal hangs do not use up the tries', async () => {
    const url = await startRaw((socket) => socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 500\r\n\r\nhalf'));
    const { gate, manager } = await startGatedProxy(url);
    for (let i = 0; i < 4; i += 1) {
      const signal = AbortSignal.timeout(100);
      await fetch(`${manager.url}/v0/management/logs`, { headers: admin, signal }).catch(() => {});
      await Bun.sleep(20);
    }
    const connection = { baseUrl: url, managementKey: 'saved-upstream-key' };
    expect(gate.enter(connection).open).toBe(true);
  });
});

describe('WebSockets with a side that does not read', () => {
  const MESSAGE_BYTES = 1024 * 1024;
  const MESSAGES = 64;

  test('a gateway that does not read holds the caller back, and gets everything later', async () => {
    const reads = Promise.withResolvers<void>();
    let received = 0;
    const complete = Promise.withResolvers<void>();
    const url = await startRaw((socket, head) => {
      received += head.length;
      if (received > MESSAGES * MESSAGE_BYTES) complete.resolve();
      const key = /sec-websocket-key: (.*)\r\n/i.exec(head)?.[1];
      if (key === undefined) return;
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      socket.pause();
      void reads.promise.then(() => socket.resume());
    });
    const { manager } = await startGatedProxy(url);
    const socket = new WebSocket(`${manager.url.replace('http', 'ws')}/v0/management/some-plugin`, {
      headers: admin,
    } as never);
    await new Promise((resolve) => {
      socket.onopen = resolve;
    });
    for (let i = 0; i < MESSAGES; i += 1) socket.send('x'.repeat(MESSAGE_BYTES));
    // Unchanged for a while: what is left waits at the caller, not in the manager.
    for (let before = -1; before !== socket.bufferedAmount; await Bun.sleep(200)) before = socket.bufferedAmount;
    expect(socket.bufferedAmount).toBeGreaterThan((MESSAGES / 2) * MESSAGE_BYTES);
    reads.resolve();
    await complete.promise;
    socket.close();
  }, 120_000);

  test('a caller that does not read holds the gateway back, and gets everything later', async () => {
    const chunk = Buffer.alloc(MESSAGE_BYTES, 'x');
    let waiting = () => 0;
    const gateway = Bun.serve<undefined>({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request, server) => (server.upgrade(request, { data: undefined }) ? undefined : new Response('no')),
      websocket: {
        open(socket) {
          waiting = () => socket.getBufferedAmount();
          for (let i = 0; i < MESSAGES; i += 1) socket.send(chunk);
        },
        message() {},
        backpressureLimit: 2 ** 30,
      },
    });
    cleanups.push(() => gateway.stop(true));
    const { manager } = await startGatedProxy(`http://127.0.0.1:${gateway.port}`);
    const { hostname, port } = new URL(manager.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /v0/management/some-plugin HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN_KEY}\r\nUpgrade: websocket\r\n` +
        'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    socket.pause();
    for (let before = -1; before <= 0 || before !== waiting(); await Bun.sleep(200)) before = waiting();
    expect(waiting()).toBeGreaterThan((MESSAGES / 2) * MESSAGE_BYTES);
    let received = 0;
    const complete = Promise.withResolvers<void>();
    socket.on('data', (data) => {
      received += data.length;
      if (received > MESSAGES * MESSAGE_BYTES) complete.resolve();
    });
    socket.resume();
    await complete.promise;
    socket.destroy();
  }, 120_000);
});

test('an accepted WebSocket handshake brings no header of the gateway, however its lines end', async () => {
  const injected = [
    'Set-Cookie: a=b\r\nSec-WebSocket-Accept: x',
    'Sec-WebSocket-Accept: x\nSet-Cookie: a=b',
    'Sec-WebSocket-Protocol: x\rSet-Cookie: a=b',
    'Sec-WebSocket-Extensions: \x0b\nSet-Cookie: a=b\n',
  ];
  for (const lines of injected) {
    const url = await startRaw((socket) =>
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${lines}\r\n\r\n`),
    );
    const { manager } = await startGatedProxy(url);
    const { hostname, port } = new URL(manager.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /v0/management/some-plugin HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN_KEY}\r\nUpgrade: websocket\r\n` +
        'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    const head = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())));
    socket.destroy();
    expect(head).toStartWith('HTTP/1.1 101');
    expect(head).not.toContain('Set-Cookie');
  }
});

test.each([500, 3000, 20_000, 200_000])('a plugin body nested %d deep passes', async (depth) => {
  const gateway = startRecordingGateway();
  const manager = startProxy({ upstreamUrl: gateway.url });
  cleanups.push(gateway.stop, manager.stop);
  const answer = await fetch(`${manager.url}/v0/management/some-plugin`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: `{"management_origin":"x","deep":${'['.repeat(depth)}${']'.repeat(depth)}}`,
  });
  expect(answer.status).toBe(200);
  expect(gateway.requests[0]?.body).toContain('['.repeat(depth));
});
