import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { request as httpRequest } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { ManagerProcess } from '../support/manager-process.ts';
import { type Nginx, startNginx } from '../support/nginx.ts';
import { RawClient } from '../support/raw-client.ts';

setDefaultTimeout(120_000);

const DOWNLOAD_BYTES = 100_000_000;
const PIECE = Buffer.alloc(256 * 1024, 'x');
const GZIPPED = gzipSync(Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251)));

let gateway: Server;
let manager: ManagerProcess;
let nginx: Nginx;
const sockets = new Set<Socket>();

/** What the gateway sends for a path; a handler that does not end the connection leaves the answer whole. */
const ANSWERS: Readonly<Record<string, (socket: Socket) => void>> = {
  length: (socket) => breakOff(socket, 'Content-Length: 5000000\r\n\r\n', Buffer.alloc(2_000_000, 'x')),
  'small-length': (socket) => breakOff(socket, 'Content-Length: 5000\r\n\r\n', 'half'),
  chunks: (socket) =>
    breakOff(socket, 'Transfer-Encoding: chunked\r\n\r\n', `1e8480\r\n${'x'.repeat(2_000_000)}\r\n`, '5\r\nha'),
  'between-chunks': (socket) => breakOff(socket, 'Transfer-Encoding: chunked\r\n\r\n', '4\r\nhalf\r\n'),
  events: (socket) =>
    breakOff(
      socket,
      'Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n',
      '9\r\ndata: 1\n\n\r\n',
      '9\r\ndata: 2\n\n\r\n',
    ),
  'gzip-length': (socket) =>
    breakOff(
      socket,
      `Content-Encoding: gzip\r\nContent-Length: ${GZIPPED.length}\r\n\r\n`,
      GZIPPED.subarray(0, GZIPPED.length - 20),
    ),
  'gzip-chunks': (socket) =>
    breakOff(
      socket,
      'Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n',
      Buffer.concat([Buffer.from(`${GZIPPED.length.toString(16)}\r\n`), GZIPPED, Buffer.from('\r\n')]),
    ),
  nothing: (socket) => void socket.destroy(),
  'head-only': (socket) => breakOff(socket, 'Content-Length: 5000000\r\n\r\n'),
  download(socket) {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${DOWNLOAD_BYTES}\r\n\r\n`);
    let left = DOWNLOAD_BYTES;
    const more = () => {
      while (left > 0) {
        const size = Math.min(left, PIECE.length);
        left -= size;
        if (!socket.write(PIECE.subarray(0, size))) return void socket.once('drain', more);
      }
    };
    more();
  },
};

function breakOff(socket: Socket, head: string, ...parts: readonly (string | Buffer)[]): void {
  socket.write(`HTTP/1.1 200 OK\r\n${head}`);
  for (const [index, part] of parts.entries()) setTimeout(() => socket.write(part), 20 * (index + 1));
  setTimeout(() => socket.destroy(), 20 * parts.length + 200);
}

beforeAll(async () => {
  gateway = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const name = /^GET \/v0\/management\/stream\/([\w-]+) /.exec(bytes.toString('latin1'))?.[1];
      const answer = name === undefined ? undefined : ANSWERS[name];
      if (answer !== undefined) answer(socket);
      else if (/^(GET|POST) /.test(bytes.toString('latin1')))
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]');
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const address = gateway.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  manager = await ManagerProcess.start({
    env: { UPSTREAM_URL: `http://127.0.0.1:${port}`, UPSTREAM_MANAGEMENT_KEY: 'k', USAGE_COLLECTOR_MODE: 'http' },
  });
  nginx = await startNginx({ target: manager.url, httpVersion: null });
});

afterAll(async () => {
  await nginx.stop();
  await manager.remove();
  for (const socket of sockets) socket.destroy();
  gateway.close();
});

/** Each resolves to the number of bytes it takes for a complete answer, or rejects. */
const CLIENTS = {
  async fetch(url: string): Promise<number> {
    const answer = await fetch(url, { headers: authorization(), decompress: false, keepalive: false } as never);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return (await answer.arrayBuffer()).byteLength;
  },
  curl: (url: string) => curl(url),
  'curl with HTTP/1.0': (url: string) => curl(url, '--http1.0'),
  node: (url: string) =>
    new Promise<number>((resolve, reject) => {
      const sent = httpRequest(url, { headers: authorization(), agent: false }, (answer) => {
        let bytes = 0;
        if (answer.statusCode !== 200) reject(new Error(`status ${answer.statusCode}`));
        answer.on('data', (piece: Buffer) => {
          bytes += piece.length;
        });
        answer.on('error', reject);
        answer.on('aborted', () => reject(new Error('aborted')));
        answer.on('end', () => (answer.complete ? resolve(bytes) : reject(new Error('incomplete'))));
      });
      sent.on('error', reject);
      sent.end();
    }),
};

function authorization(): Record<string, string> {
  return { Authorization: `Bearer ${manager.adminKey}` };
}

async function curl(url: string, ...options: readonly string[]): Promise<number> {
  const child = Bun.spawn(
    [
      'curl',
      '-sSf',
      ...options,
      '-H',
      `Authorization: Bearer ${manager.adminKey}`,
      '-o',
      '/dev/null',
      '-w',
      '%{size_download}',
      url,
    ],
    { stdout: 'pipe', stderr: 'pipe' },
  );
  const [size, code] = [await child.stdout.text(), await child.exited];
  if (code !== 0) throw new Error(`curl: ${code}`);
  return Number(size);
}

describe('an answer of the gateway that breaks off', () => {
  const broken = Object.keys(ANSWERS).filter((name) => name !== 'download');

  test.each(broken)('%s: no client takes it for complete', async (name) => {
    for (const [client, read] of Object.entries(CLIENTS)) {
      const outcome = await read(`${manager.url}/v0/management/stream/${name}`).catch((error: unknown) => error);
      expect([client, outcome]).toEqual([client, expect.any(Error)]);
    }
    const throughProxy = await curl(`${nginx.url}/v0/management/stream/${name}`).catch((error: unknown) => error);
    expect(throughProxy).toBeInstanceOf(Error);
  });

  test.each(['nothing', 'head-only', 'small-length'])('%s, before anything is sent: 502', async (name) => {
    const answer = await manager.fetch(`/v0/management/stream/${name}`);
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ code: 'request_failed' });
  });
});

describe('a long answer', () => {
  test('keeps its length', async () => {
    const answer = await manager.fetch('/v0/management/stream/download');
    expect(answer.headers.get('content-length')).toBe(String(DOWNLOAD_BYTES));
    expect(answer.headers.has('transfer-encoding')).toBe(false);
    let received = 0;
    for await (const piece of answer.body ?? []) received += piece.byteLength;
    expect(received).toBe(DOWNLOAD_BYTES);
  });

  test('arrives whole at every client, also through a proxy', async () => {
    for (const [client, read] of Object.entries(CLIENTS))
      expect([client, await read(`${manager.url}/v0/management/stream/download`)]).toEqual([client, DOWNLOAD_BYTES]);
    expect(await curl(`${nginx.url}/v0/management/stream/download`)).toBe(DOWNLOAD_BYTES);
  });
});

describe('a refused upload', () => {
  const upload = Buffer.alloc(20_000_000, 'x');
  const head = (path: string, more: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${upload.length}\r\nConnection: close\r\n\r\n`;

  test.each([
    ['401 without a key', '/v0/management/usage/import', () => '', 401],
    [
      '413 above the limit',
      '/setup',
      () => `Authorization: Bearer ${manager.adminKey}\r\nContent-Type: application/json\r\n`,
      413,
    ],
    ['404 of an unknown path', '/unknown', () => '', 404],
    ['405 of a wrong method', '/health', () => '', 405],
  ])('%s reaches a client that closes the connection', async (_, path, more, status) => {
    const client = await RawClient.open(manager.url, head(path, more()), upload);
    expect(await client.all()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(client.ended).toBe('end');
  });

  test('reaches clients behind a proxy without settings', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const answer = await fetch(`${nginx.url}/v0/management/usage/import`, {
          method: 'POST',
          body: upload.subarray(0, 900_000),
          keepalive: false,
        });
        return answer.status;
      }),
    );
    expect(statuses).toEqual(Array.from({ length: 30 }, () => 401));
  });

  test('is answered before the client has permission to send it', async () => {
    const client = await RawClient.open(
      manager.url,
      `POST /v0/management/usage/import HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(await client.status()).toBe(401);
    expect(client.received).not.toContain('100 Continue');
    client.close();
  });
});

describe('a head that two servers may read differently', () => {
  const OK = 'GET /health HTTP/1.1\r\n';
  test.each([
    ['two Host headers', `${OK}Host: a\r\nHost: b\r\n\r\n`],
    ['two equal Host headers', `${OK}Host: a\r\nHost: a\r\n\r\n`],
    ['no Host', `${OK}\r\n`],
    ['a Host that ends in its bracket', `${OK}Host: [::1\r\n\r\n`],
    ['a Host with a path', `${OK}Host: a/b\r\n\r\n`],
    ['a Host with a user', `${OK}Host: a@b\r\n\r\n`],
    ['a Host with a port above 65535', `${OK}Host: a:70000\r\n\r\n`],
    ['two lengths', 'POST /setup HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd'],
    ['two equal lengths', 'POST /setup HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc'],
    ['a list of lengths', 'POST /setup HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\nabc'],
    ['a signed length', 'POST /setup HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc'],
    [
      'length and chunks',
      'POST /setup HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a broken chunk',
      'POST /setup HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
    ],
    ['a folded header', `${OK}Host: a\r\nX: 1\r\n 2\r\n\r\n`],
    ['a space before the colon', `${OK}Host : a\r\n\r\n`],
    ['a bare line feed', `${OK}Host: a\nX: 1\r\n\r\n`],
    ['no HTTP', 'HELLO\r\n\r\n'],
  ])('%s: 400', async (_, head) => {
    const client = await RawClient.open(manager.url, head);
    expect(await client.all()).toMatch(/^HTTP\/1\.1 400 /);
    expect(client.received).toContain('"code":"');
  });
});

test('requests in one packet are answered in turn', async () => {
  const one = 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n';
  const last = 'GET /usage-service/info HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const client = await RawClient.open(manager.url, `${one}\r\n${one}${last}`);
  const statuses = (await client.all()).match(/HTTP\/1\.1 \d{3}/g);
  expect(statuses).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 200']);
});
