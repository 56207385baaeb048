import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { modelsOf } from '../management/models.ts';
import { startSimulator } from '../simulator.ts';
import { connectRaw, KEY } from '../testing/raw-client.ts';
import type { Simulator } from '../types.ts';

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startSimulator();
});

afterEach(() => simulator.stop());

const CLIENT = { Authorization: 'Bearer sim-client-key-0001' };
const MANAGER = { Authorization: `Bearer ${KEY}` };
const get = (path: string, headers: Record<string, string> = CLIENT): Promise<Response> =>
  fetch(`${simulator.url}${path}`, { headers });

test('health needs nothing', async () => {
  expect(await (await get('/healthz', {})).json()).toEqual({ status: 'ok' });
  expect((await fetch(`${simulator.url}/healthz`, { method: 'HEAD' })).status).toBe(200);
});

test('a panel is served from its file, without a key, where there is one', async () => {
  expect((await get('/management.html', {})).status).toBe(404);
  const withPanel = await startSimulator({ panelFile: import.meta.path });
  try {
    const answer = await fetch(`${withPanel.url}/management.html`);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await answer.text()).toBe(await Bun.file(import.meta.path).text());
  } finally {
    await withPanel.stop();
  }
});

describe('client keys', () => {
  for (const [path, headers, status] of [
    ['/v1/models', {}, 401],
    ['/v1/models', { Authorization: 'Bearer nope' }, 401],
    ['/v1/models', MANAGER, 401],
    ['/v1/models', CLIENT, 200],
    ['/v1/models', { 'X-Api-Key': 'sim-client-key-0002' }, 200],
    ['/v1/models', { 'X-Goog-Api-Key': 'sim-client-key-0002' }, 200],
    ['/v1/models?key=sim-client-key-0001', {}, 200],
    ['/v1/models?auth_token=sim-client-key-0001', {}, 200],
  ] as const) {
    test(`${path} with ${JSON.stringify(headers)} gives ${status}`, async () => {
      expect((await get(path, headers)).status).toBe(status);
    });
  }

  test('none configured: open', async () => {
    await simulator.stop();
    simulator = await startSimulator({ apiKeys: [] });
    expect((await get('/v1/models', {})).status).toBe(200);
  });
});

describe('model lists', () => {
  for (const [path, headers, expected] of [
    ['/v1/models', {}, { object: 'list', data: expect.any(Array) }],
    ['/v1/models', { 'Anthropic-Version': '2023-06-01' }, { has_more: false, first_id: 'gpt-5.3-codex-spark' }],
    ['/v1/models', { 'User-Agent': 'claude-cli/2.0' }, { has_more: false }],
    ['/v1/models?client_version=1', {}, { models: expect.any(Array) }],
    ['/v1/models', { 'User-Agent': 'grok-cli/1' }, { models: modelsOf('xai').map(({ id }) => ({ name: id })) }],
  ] as const) {
    test(`${path} ${JSON.stringify(headers)}`, async () => {
      expect(await (await get(path, { ...CLIENT, ...headers })).json()).toMatchObject(expected as object);
    });
  }

  test('trace id', async () => {
    expect((await get('/v1/models')).headers.get('x-cpa-trace-id')).toMatch(/^\d{14}-[0-9a-f]{16}-[0-9a-f]{8}$/);
  });
});

test('an echo stream ends with [DONE]', async () => {
  const response = await fetch(`${simulator.url}/v1/chat/completions?events=3`, {
    method: 'POST',
    headers: CLIENT,
    body: '{"model":"gpt-5.4","stream":true}',
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const chunk = (index: number): string => `data: {"object":"echo.chunk","model":"gpt-5.4","index":${index}}\n\n`;
  expect(await response.text()).toBe(`${chunk(0)}${chunk(1)}${chunk(2)}data: [DONE]\n\n`);
});

test('paths arrive as sent, colon and doubled slash included', async () => {
  const response = await fetch(`${simulator.url}/v1beta/models/gemini-3-pro:generateContent?key=sim-client-key-0001`, {
    method: 'POST',
    body: '{}',
  });
  expect(await response.json()).toMatchObject({
    target: '/v1beta/models/gemini-3-pro:generateContent?key=sim-client-key-0001',
  });
});

test('a WebSocket echoes text and bytes, with subprotocol and close code', async () => {
  const socket = new WebSocket(`${simulator.url.replace('http', 'ws')}/v1/responses`, {
    headers: CLIENT,
    protocols: ['first', 'second'],
  });
  socket.binaryType = 'arraybuffer';
  const next = (): Promise<MessageEvent> =>
    new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  expect(socket.protocol).toBe('first');
  for (const size of [5, 200, 70_000]) {
    const received = next();
    socket.send('ü'.repeat(size));
    expect((await received).data).toBe('ü'.repeat(size));
  }
  const received = next();
  socket.send(new Uint8Array([0, 255, 7]));
  expect(new Uint8Array((await received).data)).toEqual(new Uint8Array([0, 255, 7]));
  const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve));
  socket.close(4001, 'bye');
  expect(await closed).toMatchObject({ code: 4001, reason: 'bye' });
});

test('a WebSocket without a key is refused with 401', async () => {
  const socket = new WebSocket(`${simulator.url.replace('http', 'ws')}/v1/ws`);
  await new Promise((resolve) => socket.addEventListener('error', resolve));
  expect(simulator.requests({ path: '/v1/ws' })).toMatchObject([{ status: 401 }]);
});

describe('large and slow bodies of the plugin', () => {
  const url = (path: string): string => `${simulator.url}/v0/management/simplugin/${path}`;

  test('a download is complete and exact, with and without length', async () => {
    for (const [query, length] of [
      ['bytes=3000001', '3000001'],
      ['bytes=3000001&length=0', null],
    ] as const) {
      const response = await fetch(url(`download?${query}`), { headers: MANAGER });
      expect(response.headers.get('content-length')).toBe(length);
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(bytes.length).toBe(3_000_001);
      expect([bytes[250], bytes[251], bytes[262_144]]).toEqual([250, 0, 0]);
    }
  });

  test('an upload is counted and hashed, with length and in chunks', async () => {
    const body = new Uint8Array(5_000_000).fill(7);
    const expected = { bytes: body.length, sha256: createHash('sha256').update(body).digest('hex') };
    const whole = await fetch(url('upload'), { method: 'POST', headers: MANAGER, body });
    expect(await whole.json()).toEqual(expected);
    let sent = 0;
    const stream = new ReadableStream({
      pull(controller) {
        if (sent === body.length) controller.close();
        else {
          controller.enqueue(body.subarray(sent, sent + 100_000));
          sent += 100_000;
        }
      },
    });
    const chunked = await fetch(url('upload'), { method: 'POST', headers: MANAGER, body: stream });
    expect(await chunked.json()).toEqual(expected);
    const recorded = simulator.requests({ path: '/v0/management/simplugin/upload' });
    expect(recorded.map(({ bodyBytes, body: kept }) => [bodyBytes, kept.length])).toEqual([
      [5_000_000, 65_536],
      [5_000_000, 65_536],
    ]);
  });

  test('memory stays flat while 1 GB goes down to a slow start of reading', async () => {
    const before = process.memoryUsage().rss;
    const response = await fetch(url('download?bytes=1000000000'), { headers: MANAGER });
    await Bun.sleep(50);
    let bytes = 0;
    if (response.body !== null) for await (const piece of response.body) bytes += piece.length;
    expect(bytes).toBe(1_000_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  }, 60_000);

  test('events come one by one, and a client that leaves is noticed', async () => {
    const abort = new AbortController();
    const response = await fetch(url('events?everyMs=20'), { headers: MANAGER, signal: abort.signal });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toBe('data: {"index":0}\n\n');
    const second = await reader?.read();
    expect(Buffer.from(second?.value ?? []).toString()).toBe('data: {"index":1}\n\n');
    abort.abort();
    while (simulator.requests()[0]?.aborted !== true) await Bun.sleep(2);
    expect(simulator.requests()).toMatchObject([{ status: 200, aborted: true, finished: false }]);
  });

  test('a client that leaves during an upload is noticed', async () => {
    const client = await connectRaw(simulator);
    client.send(
      `POST /v0/management/simplugin/upload HTTP/1.1\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: 100\r\n\r\nhalf`,
    );
    while ((simulator.requests()[0]?.bodyBytes ?? 0) < 4) await Bun.sleep(1);
    client.end();
    while (simulator.requests()[0]?.aborted !== true) await Bun.sleep(1);
    expect(simulator.requests()).toMatchObject([{ bodyBytes: 4, aborted: true }]);
  });
});
