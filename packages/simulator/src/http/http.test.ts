import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { startSimulator } from '../simulator.ts';
import { connectRaw, KEY } from '../testing/raw-client.ts';
import type { Simulator } from '../types.ts';

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startSimulator({ clock: 'controlled' });
});

afterEach(() => simulator.stop());

const AUTHORIZED = `Authorization: Bearer ${KEY}\r\n`;

describe('HTTP/1.1 on the wire', () => {
  test('keep-alive, pipelining and Connection: close', async () => {
    const client = await connectRaw(simulator);
    client.send(
      'GET /healthz HTTP/1.1\r\n\r\nGET /healthz HTTP/1.1\r\n\r\nGET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n',
    );
    const answers = await client.rest();
    expect(answers.match(/HTTP\/1\.1 200 OK/g)?.length).toBe(3);
    expect(new Set(simulator.requests().map(({ connectionId }) => connectionId)).size).toBe(1);
  });

  test('the end of a connection is announced, that it stays open is not', async () => {
    for (const method of ['GET', 'HEAD']) {
      const closing = await connectRaw(simulator);
      closing.send(`${method} /healthz HTTP/1.1\r\nConnection: close\r\n\r\n`);
      expect(await closing.rest()).toContain('\r\nConnection: close\r\n');
      const staying = await connectRaw(simulator);
      staying.send(`${method} /healthz HTTP/1.1\r\n\r\n`);
      expect(await staying.read(200)).not.toMatch(/^(connection|keep-alive):/im);
      staying.end();
    }
  });

  test('HTTP/1.0 closes after the answer', async () => {
    const client = await connectRaw(simulator);
    client.send('GET /healthz HTTP/1.0\r\n\r\n');
    expect(await client.rest()).toEndWith('{"status":"ok"}');
  });

  test('a head in single bytes and a chunked body with trailer', async () => {
    const client = await connectRaw(simulator);
    const head = `PUT /v0/management/debug HTTP/1.1\r\n${AUTHORIZED}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    for (const byte of head) {
      client.send(byte);
      await Bun.sleep(0);
    }
    client.send('5\r\n{"val\r\n');
    client.send('8;x=y\r\nue":true\r\n1\r\n}\r\n0\r\nTrailer: x\r\n\r\n');
    expect(await client.rest()).toStartWith('HTTP/1.1 200 OK\r\n');
    expect(simulator.requests()).toMatchObject([
      { body: '{"value":true}', bodyBytes: 14, status: 200, finished: true },
    ]);
  });

  test('Expect: 100-continue', async () => {
    const client = await connectRaw(simulator);
    client.send(`PUT /v0/management/debug HTTP/1.1\r\n${AUTHORIZED}Content-Length: 14\r\nExpect: 100-continue\r\n\r\n`);
    const go = 'HTTP/1.1 100 Continue\r\n\r\n';
    expect(await client.read(go.length)).toBe(go);
    client.send('{"value":true}');
    expect(await client.read(15)).toBe('HTTP/1.1 200 OK');
  });

  test('an answer before the body is read does not break the next request', async () => {
    const client = await connectRaw(simulator);
    client.send('PUT /v0/management/debug HTTP/1.1\r\nContent-Length: 10\r\n\r\n01234');
    expect(await client.read(25)).toBe('HTTP/1.1 401 Unauthorized');
    client.send('56789GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(await client.rest()).toContain('HTTP/1.1 200 OK');
  });

  test('large heads', async () => {
    const response = await fetch(`${simulator.url}/healthz`, { headers: { 'X-Large': 'x'.repeat(100_000) } });
    expect(response.status).toBe(200);
  });
});

test('requests are recorded in order with raw target, headers as sent, and time', async () => {
  const at = simulator.now();
  await fetch(`${simulator.url}/healthz?a=%2F`, { headers: { 'X-Mixed-Case': 'ü' } });
  simulator.advance(5_000);
  await fetch(`${simulator.url}/v0/management/usage-queue`, { headers: { Authorization: KEY } });
  const [first, second] = simulator.requests();
  expect(first).toMatchObject({
    sequence: 1,
    atMs: at,
    protocol: 'http',
    method: 'GET',
    target: '/healthz?a=%2F',
    path: '/healthz',
    status: 200,
  });
  expect(first?.headers.find(([name]) => name.toLowerCase() === 'x-mixed-case')).toEqual(['X-Mixed-Case', 'ü']);
  expect(second).toMatchObject({ sequence: 2, atMs: at + 5_000, consumedEvents: 0 });
  expect(simulator.requests({ path: '/v0/*' }).length).toBe(1);
  simulator.clearRequests();
  expect(simulator.requests()).toEqual([]);
});
