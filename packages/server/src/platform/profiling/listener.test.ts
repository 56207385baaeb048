import { afterAll, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { until } from '@manager/core/testing/until';
import { type ProfilingListener, startProfiling } from './listener.ts';

const lines: string[] = [];
const log = {
  info: (_: object, message: string) => void lines.push(message),
  error: (_: object, message: string) => void lines.push(message),
};

function start(port = 0): ProfilingListener | null {
  return startProfiling({
    address: { host: '127.0.0.1', port },
    version: 'v9',
    log,
    isAdmin: async (authorization) => authorization === KEY,
    redact: (text) => text.replaceAll('listener', '[redacted]'),
    workerDelays: async () => ({ writer: { samples: 1, mean: 1, p50: 1, p90: 1, p99: 1, max: 1 } }),
  });
}

const listener = start();
afterAll(() => listener?.stop());
const origin = `http://127.0.0.1:${listener?.address.port}`;
const KEY = 'Bearer the-admin-key';
const get = (path: string, init: RequestInit = {}) =>
  fetch(`${origin}/debug/pprof/${path}`, { ...init, headers: { authorization: KEY, ...init.headers } });

test('index lists the pages, version and uptime', async () => {
  const body = (await (await get('')).json()) as { version: string; pages: string[]; uptimeSeconds: number };
  expect(body.version).toBe('v9');
  expect(body.uptimeSeconds).toBeGreaterThanOrEqual(0);
  expect(body.pages).toContain('/debug/pprof/profile');
});

test('a CPU profile is recorded, one at a time', async () => {
  const leave = new AbortController();
  const long = () => get('profile?seconds=300', { signal: leave.signal });
  const both = [long(), long()];
  // Whichever comes second is answered at once.
  expect((await Promise.race(both)).status).toBe(409);
  leave.abort();
  expect((await Promise.allSettled(both)).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  // A caller who leaves does not block the next profile.
  const free = await until(async () => {
    const next = await get('profile?seconds=1');
    if (next.status !== 200) expect(next.status).toBe(409);
    return next.status === 200 ? next : null;
  });
  const profile = (await free.json()) as { nodes: unknown[] };
  expect(profile.nodes.length).toBeGreaterThan(0);
});

test('a heap snapshot streams', async () => {
  const response = await get('heap');
  expect(response.headers.get('content-disposition')).toContain('.heapsnapshot');
  expect((await response.text()).slice(0, 12)).toBe('{"snapshot":');
});

test('memory and event loop', async () => {
  const memory = (await (await get('memory')).json()) as { process: { rss: number } };
  expect(memory.process.rss).toBeGreaterThan(1_000_000);
  const loop = (await (await get('eventloop')).json()) as { main: { p99: number }; workers: object };
  expect(loop.main.p99).toBeGreaterThanOrEqual(0);
  expect(Object.keys(loop.workers)).toEqual(['writer']);
});

test('the command line is redacted', async () => {
  const body = (await (await get('cmdline')).json()) as { executable: string; arguments: string[] };
  expect(body.executable).toContain('bun');
  expect(JSON.stringify(body)).not.toContain('listener');
});

const refusals: [string, string, RequestInit, number][] = [
  ['seconds 0', 'profile?seconds=0', {}, 400],
  ['seconds 301', 'profile?seconds=301', {}, 400],
  ['seconds as text', 'profile?seconds=1s', {}, 400],
  ['trace', 'trace?seconds=1', {}, 501],
  ['unknown page', 'goroutine', {}, 404],
  ['a name of the object prototype', 'toString', {}, 404],
  ['another method', 'memory', { method: 'POST' }, 405],
  ['a rebound name', 'memory', { headers: { Host: 'evil.example' } }, 403],
  ['a name that only begins like loopback', 'memory', { headers: { Host: '127.0.0.1.evil.example' } }, 403],
  ['another key', 'heap', { headers: { authorization: 'Bearer guess' } }, 401],
  ['another key for an unknown page', 'goroutine', { headers: { authorization: '' } }, 401],
  ['a script of a page', 'memory', { headers: { Origin: 'https://evil.example' } }, 403],
  ['a sandboxed page', 'memory', { headers: { Origin: 'null' } }, 403],
  ['a page that sends no origin', 'memory', { headers: { 'Sec-Fetch-Site': 'cross-site' } }, 403],
  ['a page of another port', 'memory', { headers: { 'Sec-Fetch-Site': 'same-site' } }, 403],
];
for (const [name, path, init, status] of refusals) {
  test(`refused: ${name}`, async () => expect((await get(path, init)).status).toBe(status));
}

test('localhost in any case is a loopback name', async () => {
  expect((await get('memory', { headers: { Host: 'LocalHost:1' } })).status).toBe(200);
  expect((await get('memory', { headers: { Host: '[::1]:1' } })).status).toBe(200);
});

test('an address in use is logged only', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  expect(start(typeof address === 'object' ? address?.port : 0)).toBeNull();
  expect(lines.at(-1)).toContain('could not be started');
  other.close();
});
