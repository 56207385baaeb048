import { afterEach, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { until } from '@manager/core/testing/until';
import { Hono } from 'hono';
import * as z from 'zod';
import type { ForwardHandler } from './areas.ts';
import { readBody, readJson } from './body.ts';
import type { FeatureRoutes, ManagerEnv } from './environment.ts';
import { jsonResponse } from './json.ts';
import { ADMIN, exchange, startTestServer, type TestServer, type TestServerOptions } from './testing.ts';

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(0);
});

function start(options: TestServerOptions = {}): TestServer {
  const server = startTestServer(options);
  servers.push(server);
  return server;
}

const MEBIBYTE = 1024 * 1024;

describe('bodies', () => {
  const schema = z.object({ name: z.string(), extra: z.unknown().optional() });
  const echo: FeatureRoutes = new Hono<ManagerEnv>().post('/setup', async (c) =>
    jsonResponse(await readJson(c.req.raw, schema, 64 * 1024)),
  );

  test.each([
    ['{"name":"a","unknown":1}', 200, '{"name":"a"}'],
    ['\uFEFF{"name":"a"}', 200, '{"name":"a"}'],
    ['{"name":"a"', 400, 'not valid JSON'],
    ['', 400, 'not valid JSON'],
    ['null', 400, 'request body'],
    ['[]', 400, 'request body'],
    ['{"name":7}', 400, 'name'],
    ['{"name":"\xff"}', 400, 'not valid JSON'],
    ['{"name":"a","extra":{"__proto__":{"admin":true},"x":1}}', 200, '{"name":"a","extra":{"x":1}}'],
    ['{"name":"a","extra":{"\\u005f_proto__":{"admin":true}}}', 200, '{"name":"a","extra":{}}'],
  ])('%j is answered %i', async (body, status, text) => {
    const server = start({ handlers: { setup: echo } });
    const bytes = body.includes('\xff') ? Buffer.from(body, 'latin1') : body;
    const answer = await fetch(`${server.url}/setup`, { method: 'POST', body: bytes });
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(text);
  });

  test('a text that is no valid shape is not repeated in the answer', async () => {
    const server = start({ handlers: { setup: echo } });
    const answer = await fetch(`${server.url}/setup`, { method: 'POST', body: '{"name":["sk-secret"]}' });
    expect(await answer.text()).not.toContain('sk-secret');
  });

  const body = Buffer.alloc(20 * MEBIBYTE, 0x61);
  test.each([
    ['with a declared length', [`Content-Length: ${body.length}\r\n\r\n`, body]],
    ['in chunks', ['Transfer-Encoding: chunked\r\n\r\n', `${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n']],
  ])('20 MiB %s to a small route is a 413, and the connection goes on', async (_, parts) => {
    const server = start({ handlers: { setup: echo } });
    const received = await exchange(
      server,
      ['POST /setup HTTP/1.1\r\nHost: x\r\n', ...parts, 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'],
      '"area":"info"',
    );
    expect(received).toStartWith('HTTP/1.1 413');
    expect(received).toContain('{"error":"the request body is larger than 65536 bytes","code":"request_failed"}');
    expect(received).toContain('"area":"info"');
  });

  test('in chunks of every size, cut anywhere on their way, are the same bytes', async () => {
    const raw: FeatureRoutes = new Hono<ManagerEnv>().post('/setup', async (c) =>
      jsonResponse({ hash: Bun.hash(await readBody(c.req.raw, MEBIBYTE)).toString() }),
    );
    const server = start({ handlers: { setup: raw } });
    const sizes = [1, 1, 1, 2, 15, 16, 255, 1, 4095, 4096, 1, 16_384, 3, 70_000, 1, 1, 9999, 9999, 1];
    const bodyParts = sizes.map((size, index) => Buffer.alloc(size, `${index}-\r\n1\r\n`));
    const extensions = ['', ';a=b', '', '  ', ''];
    const sent = Buffer.concat([
      Buffer.from('POST /setup HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'),
      ...bodyParts.flatMap((part, index) => [
        Buffer.from(`${part.length.toString(16)}${extensions[index % extensions.length]}\r\n`),
        part,
        Buffer.from('\r\n'),
      ]),
      Buffer.from('0\r\nX-Trailer: 1\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n'),
    ]);
    const expected = Bun.hash(Buffer.concat(bodyParts)).toString();
    for (const step of [sent.length, 1000, 4096, 7]) {
      const cuts = Array.from({ length: Math.ceil(sent.length / step) }, (_, at) =>
        sent.subarray(at * step, (at + 1) * step),
      );
      const received = await exchange(server, cuts, '"area":"info"');
      expect(received).toContain(expected);
      expect(received).toContain('"area":"info"');
    }
  });

  test('requests that arrive all at once leave others their turn', async () => {
    const server = start();
    const pipeline = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3000);
    const { port } = new URL(server.url);
    const [first, second] = [connect(Number(port), '127.0.0.1'), connect(Number(port), '127.0.0.1')];
    for (const socket of [first, second]) await new Promise((resolve) => socket.once('connect', resolve));
    first.resume();
    first.write(pipeline);
    second.write('GET /usage-service/info HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => second.once('data', resolve));
    const served = server.log.lines.filter(({ message }) => message === 'request');
    expect(served.findIndex(({ path }) => path === '/usage-service/info')).toBeLessThan(1000);
    for (const socket of [first, second]) socket.destroy();
  });

  test('that break off after their answer are no fault of the manager', async () => {
    const server = start();
    const upload = 'POST /health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    for (const rest of ['nonsense\r\n', '1\r\naa\r\n']) await exchange(server, [upload, rest], 'never');
    expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('a 401 is sent before a large body is read, and the connection stays usable', async () => {
    const server = start();
    const upload = `POST /v0/management/monitoring/analytics HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
    const received = await exchange(server, [upload, body, 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'], '"area":"info"');
    expect(received).toStartWith('HTTP/1.1 401');
    expect(received).toContain('HTTP/1.1 200 OK');
    expect(received).toContain('"area":"info"');
  });
});

describe('headers', () => {
  test('of 1 MiB and of 3 MiB reach the route', async () => {
    const server = start();
    for (const size of [1, 3]) {
      const answer = await fetch(`${server.url}/status`, {
        headers: { ...ADMIN, 'X-CPAMP-Auth-File-Delete-Identities': 'a'.repeat(size * MEBIBYTE) },
      });
      expect(answer.status).toBe(200);
    }
  });

  test('are not cached and not guessed at by browsers', async () => {
    const answer = await fetch(`${start().url}/status`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('the request line of the log', () => {
  test('has method, path without query, status, duration and address', async () => {
    const server = start();
    await fetch(`${server.url}/usage-service/info?secret=1`);
    const [line] = server.log.lines;
    expect(line).toMatchObject({
      level: 'info',
      message: 'request',
      method: 'GET',
      path: '/usage-service/info',
      status: 200,
      remoteAddress: '127.0.0.1',
    });
    expect(typeof line?.durationMs).toBe('number');
    expect(JSON.stringify(server.log.lines)).not.toContain('secret');
  });

  test('of a streamed answer is written once the body is sent', async () => {
    const { promise: second, resolve: sendSecond } = Promise.withResolvers<void>();
    const server = start({ handlers: { management: () => new Response(twoChunks(second)) } });
    const answer = await fetch(`${server.url}/v0/management/logs`);
    const reader = answer.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first');
    expect(server.log.lines).toEqual([]);
    sendSecond();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('second');
    expect((await reader?.read())?.done).toBe(true);
    await until(() => server.log.lines.length === 1);
    expect(server.log.lines[0]).toMatchObject({ path: '/v0/management/logs', status: 200 });
    expect(server.log.lines[0]).not.toHaveProperty('body');
  });

  test('of a stream whose caller disconnects shows that, and the handler is notified', async () => {
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(new Uint8Array(1024));
        await Bun.sleep(5);
      },
      cancel() {
        cancelled = true;
      },
    });
    const server = start({ handlers: { management: () => new Response(endless) } });
    const controller = new AbortController();
    const answer = await fetch(`${server.url}/v0/management/logs`, { signal: controller.signal });
    await answer.body?.getReader().read();
    controller.abort();
    await until(() => server.log.lines.length === 1);
    expect(server.log.lines[0]).toMatchObject({ body: 'aborted' });
    expect(cancelled).toBe(true);
  });

  test('of a stream that breaks shows that, and the caller notices it', async () => {
    let parts = 0;
    const broken = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await Bun.sleep(5);
        if (++parts > 3) throw new Error('upstream went away');
        controller.enqueue(new TextEncoder().encode('part'));
      },
    });
    const server = start({ handlers: { management: () => new Response(broken) } });
    const text = fetch(`${server.url}/v0/management/logs`).then((answer) => answer.text());
    await expect(text).rejects.toThrow();
    await until(() => server.log.lines.some(({ message }) => message === 'request'));
    expect(server.log.lines.find(({ message }) => message === 'request')).toMatchObject({ body: 'failed' });
  });

  test('of a stream that breaks while its caller reads nothing is written at once, and the connection is closed', async () => {
    const closed = Promise.withResolvers<void>();
    const { promise: breaks, resolve: breakIt } = Promise.withResolvers<void>();
    let sent = 0;
    const broken = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void breaks.then(() => controller.error(new Error('took nothing'))),
        pull(controller) {
          sent += MEBIBYTE;
          controller.enqueue(new Uint8Array(MEBIBYTE));
        },
      },
      { highWaterMark: 0 },
    );
    const management: ForwardHandler = ({ request }) => {
      request.signal.addEventListener('abort', () => closed.resolve());
      return new Response(broken);
    };
    const server = start({ handlers: { management } });
    const client = connect(server.address.port, '127.0.0.1');
    client.on('error', () => {});
    client.on('data', () => client.pause());
    client.write(`GET /v0/management/logs HTTP/1.1\r\nHost: x\r\n\r\n`);
    for (let before = -1; sent === 0 || sent > before; await Bun.sleep(100)) before = sent;
    breakIt();
    await until(() => server.log.lines.some(({ message }) => message === 'request'));
    expect(server.log.lines.find(({ message }) => message === 'request')).toMatchObject({ body: 'failed' });
    await closed.promise;
    client.destroy();
  }, 180_000);
});

test('a connection that finds no place gets its answer, also after a large body', async () => {
  const { promise: release, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  const slow: ForwardHandler = async () => {
    arrived += 1;
    await release;
    return new Response('done');
  };
  const server = start({ handlers: { management: slow }, connectionLimit: 2 });
  const busy = [1, 2].map(() => fetch(`${server.url}/v0/management/logs`, { headers: ADMIN, keepalive: false }));
  await until(() => arrived === 2);
  const head = `POST /setup HTTP/1.1\r\nHost: x\r\nContent-Length: ${MEBIBYTE}\r\n\r\n`;
  const answer = await exchange(server, [head, new Uint8Array(MEBIBYTE)], '}');
  expect(answer).toStartWith('HTTP/1.1 503 ');
  expect(answer).toContain('retry-after: 5');
  expect(server.log.lines.filter(({ message }) => message.startsWith('too many connections'))).toHaveLength(1);
  resolve();
  for (const one of await Promise.all(busy)) expect(await one.text()).toBe('done');
});

describe('stopping', () => {
  test('lets a request in progress end and refuses new connections', async () => {
    const { promise: release, resolve } = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const slow = new Hono<ManagerEnv>().get('/health', async (c) => {
      arrived.resolve();
      await release;
      return c.text('finished');
    });
    const server = startTestServer({ handlers: { info: slow } });
    const inProgress = fetch(`${server.url}/health`);
    await arrived.promise;
    const stopped = server.stop();
    await expect(fetch(`${server.url}/health`, { keepalive: false })).rejects.toThrow();
    resolve();
    const answer = await inProgress;
    expect(await answer.text()).toBe('finished');
    await stopped;
  });

  test('lets a streamed answer end', async () => {
    const { promise: second, resolve: sendSecond } = Promise.withResolvers<void>();
    const server = startTestServer({ handlers: { management: () => new Response(twoChunks(second)) } });
    const answer = await fetch(`${server.url}/v0/management/logs`);
    const stopped = server.stop();
    await Bun.sleep(50);
    sendSecond();
    expect(await answer.text()).toBe('firstsecond');
    await stopped;
  });

  test('closes connections that do not end in time, and idle ones at once', async () => {
    const server = startTestServer({ handlers: { management: () => new Response(twoChunks(new Promise(() => {}))) } });
    const idle = connect(server.address.port, '127.0.0.1');
    const idleClosed = new Promise((resolve) => idle.once('close', resolve));
    idle.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
    idle.resume();
    const answer = await fetch(`${server.url}/v0/management/logs`);
    const text = answer.text();
    await server.stop(200);
    await expect(text).rejects.toThrow();
    await idleClosed;
  });
});

test('an address in use is an error, not a silent second listener', () => {
  const { address } = start();
  const text = `the address 127.0.0.1:${address.port} is in use; set HTTP_ADDR to another address`;
  expect(() => startTestServer({ address })).toThrow(text);
});

function twoChunks(second: Promise<void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(encoder.encode('first'));
      await second;
      controller.enqueue(encoder.encode('second'));
      controller.close();
    },
  });
}
