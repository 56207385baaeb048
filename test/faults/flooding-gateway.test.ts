import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import { ManagerProcess } from '../support/manager-process.ts';
import { jsonResponse, pushedMessage, type RawGatewayOptions, startRawGateway } from '../support/raw-gateway.ts';
import { readStatus } from '../support/status.ts';
import { boundTo } from '../support/test-gateway.ts';

setDefaultTimeout(300_000);

const LIMIT_BYTES = 400 * 1024 * 1024;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function collectFrom(options: RawGatewayOptions, mode: string): Promise<ManagerProcess> {
  const gateway = await startRawGateway(options);
  cleanups.push(() => gateway.stop());
  const manager = await ManagerProcess.start({ env: boundTo(gateway, mode) });
  cleanups.push(() => manager.remove());
  return manager;
}

function* endless(piece: string): Iterable<string> {
  const pieces = piece.repeat(Math.ceil(65_536 / piece.length));
  for (;;) yield pieces;
}

/** Copies of one event are known by their identity, but need as much memory until then. */
const [event] = makeEvents({ seed: 3, numberFrom: 0 }).take(1);
const text = event?.text ?? '';

test('small events that come faster than they can be written wait in the socket, and none is lost', async () => {
  const BYTES = 160_000_000;
  const pieces = pushedMessage(text).repeat(30);
  let isSent = false;
  function* flood(): Iterable<string> {
    for (let sent = 0; sent < BYTES; sent += pieces.length) yield pieces;
    isSent = true;
  }
  const manager = await collectFrom({ pushed: flood }, 'subscribe');
  await until(() => isSent, 'the end of the flood');
  expect(manager.peakResidentBytes()).toBeLessThan(LIMIT_BYTES);
  const { collector } = await readStatus(manager);
  expect({ state: collector.collector, gaps: collector.gaps.count }).toEqual({ state: 'running', gaps: 0 });
});

test('a list of millions of tiny records is given up', async () => {
  function* list(): Iterable<string> {
    yield '[{}';
    yield* endless(',{}');
  }
  const respond = (path: string) => (path.includes('usage-queue') ? jsonResponse(list()) : null);
  const manager = await collectFrom({ respond }, 'http');
  await until(
    async () => (await readStatus(manager)).collector.lastError.includes('far more than it was asked for'),
    'refused',
  );
  expect(manager.peakResidentBytes()).toBeLessThan(LIMIT_BYTES);
});

test.each([
  ['the queue', 'http', /usage-queue/],
  ['the list of accounts, beside a subscription', 'subscribe', /auth-files/],
  ['the configuration, beside RESP pops', 'resp', /management\/config/],
])('header lines without end in the answer of %s are given up', async (_, mode, path) => {
  let isGivenUp = false;
  function* head(): Iterable<string> {
    try {
      yield 'HTTP/1.1 200 OK\r\n';
      yield* endless('X-Line: 0123456789\r\n');
    } finally {
      isGivenUp = true;
    }
  }
  const manager = await collectFrom({ respond: (asked) => (path.test(asked) ? head() : null) }, mode);
  await until(() => isGivenUp, 'the end of the connection');
  expect((await manager.fetch('/health')).status).toBe(200);
  expect(manager.peakResidentBytes()).toBeLessThan(LIMIT_BYTES);
});

test('header lines without end in an answer to a person are a failure of the gateway', async () => {
  function* answer(): Iterable<string> {
    yield 'HTTP/1.1 200 OK\r\n';
    yield* endless('X-Line: 0123456789\r\n');
  }
  const manager = await collectFrom({ respond: (path) => (path.includes('/config') ? answer() : null) }, 'http');
  expect((await manager.fetch('/v0/management/config')).status).toBe(502);
  expect(manager.peakResidentBytes()).toBeLessThan(LIMIT_BYTES);
});
