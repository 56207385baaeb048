import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import { ManagerProcess } from '../support/manager-process.ts';
import { RawClient } from '../support/raw-client.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

// The machine may be busy; every wait has its own shorter deadline.
setDefaultTimeout(180_000);

const MEBIBYTE = 1024 * 1024;
const MAX_RESIDENT = 300 * MEBIBYTE;
const DESCRIPTORS = 300;
const PLUGIN = '/v0/resource/plugins/x';

let gateway: Simulator;
let manager: ManagerProcess;
let clients: RawClient[] = [];

beforeAll(async () => {
  gateway = await startTestGateway();
  manager = await ManagerProcess.start({ env: boundTo(gateway, 'http'), descriptors: DESCRIPTORS });
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(async () => {
  await manager.remove();
  await gateway.stop();
});

async function open(count: number, ...parts: readonly (string | Uint8Array)[]): Promise<void> {
  clients = clients.concat(
    await Promise.all(Array.from({ length: count }, () => RawClient.open(manager.url, ...parts))),
  );
}

function post(path: string, length: number, contentType = 'application/json'): string {
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\nContent-Length: ${length}\r\n\r\n`;
}

let published = 0;

async function expectsToWork(): Promise<void> {
  expect((await fetch(`${manager.url}/health`, { keepalive: false })).status).toBe(200);
  const { events } = await readStatus(manager);
  for (const { text } of Array.from({ length: 5 }, () => usage.next().value))
    await gateway.publish(text, { number: ++published });
  await until(async () => (await readStatus(manager)).events >= events + 5, 'the events to be collected');
  const body = JSON.stringify({ management_origin: 'x', text: 'x'.repeat(MEBIBYTE) });
  const answer = await manager.fetch(PLUGIN, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  expect(answer.status).not.toBe(503);
}
const usage = makeEvents({ seed: 5, numberFrom: 0 });

describe('with 300 file descriptors, while strangers keep', () => {
  test.each([
    ['300 connections without a byte', ['']],
    ['300 unfinished heads', ['GET /health HTTP/1.1\r\nHost: x\r\nX: ']],
    ['300 unfinished bodies for a plugin', [post(PLUGIN, 10 * MEBIBYTE), '{"a":']],
    ['300 unfinished bodies for a plugin, streamed', [post(PLUGIN, 10 * MEBIBYTE, 'text/plain'), 'a']],
    ['300 unfinished setups', [post('/setup', 4096), '{']],
    ['300 refused uploads', [post('/v0/management/usage/import', 60 * MEBIBYTE), 'a']],
  ])('%s, /health, the operator and the collector go on', async (_, parts) => {
    await open(300, ...parts);
    await expectsToWork();
    expect(manager.running).toBe(true);
  });

  test('300 heads of nearly 4 MiB, the memory stays bounded', async () => {
    const head = Buffer.from(`GET /health HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(3.9 * MEBIBYTE)}`);
    for (let round = 0; round < 5; round++) await open(60, head);
    await expectsToWork();
    expect(manager.residentBytes()).toBeLessThan(MAX_RESIDENT);
  });

  test('120 bodies of which 9.9 of 10 MB arrived, the memory stays bounded and the next one is told when to come back', async () => {
    const sent = Buffer.from(`{"management_origin":"x","a":"${'a'.repeat(9_900_000)}`);
    for (let round = 0; round < 4; round++) await open(30, post(PLUGIN, 10_000_000), sent);
    await until(() => clients.filter(({ received }) => received.includes('503')).length >= 40, 'refusals');
    await expectsToWork();
    expect(manager.residentBytes()).toBeLessThan(MAX_RESIDENT);
    const refused = clients.find(({ received }) => received.startsWith('HTTP/1.1 503'))?.received ?? '';
    expect(refused).toMatch(/retry-after: \d+/i);
    expect(refused).toContain('"code":"body_memory_full"');
  });
});

test('whole bodies of 9.9 MB of small values take no more memory than their bytes', async () => {
  manager.resetPeak();
  const body = Buffer.from(`{"management_origin":"x","a":[${'1,'.repeat(4_900_000)}1]}`);
  for (let round = 0; round < 10; round++) {
    await open(2, post(PLUGIN, body.length), body);
    for (const client of clients.splice(0)) {
      expect([404, 503]).toContain(await client.status());
      client.close();
    }
  }
  await expectsToWork();
  expect(manager.peakResidentBytes()).toBeLessThan(MAX_RESIDENT);
});

test('a body of which nothing arrives for 15 seconds is refused, and its memory is free again', async () => {
  const sent = Buffer.from(`{"a":"${'a'.repeat(9_900_000)}`);
  await open(1, post(PLUGIN, 10_000_000), sent);
  await open(
    1,
    post('/v0/management/usage/import', 1000).replace('Host', `Authorization: Bearer ${manager.adminKey}\r\nHost`),
    '{',
  );
  for (const client of clients) {
    expect(await client.status()).toBe(408);
    expect(await client.all()).toContain('"code":"request_body_timeout"');
  }
  const whole = JSON.stringify({ management_origin: 'x', text: 'x'.repeat(9_000_000) });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(manager.url + PLUGIN, { method: 'POST', headers, body: whole });
  expect(answer.status).not.toBe(503);
});
