import { afterEach, expect, test } from 'bun:test';
import type { Fault, ProfileAlias } from '@manager/simulator';
import { GatewayError } from './errors.ts';
import { mayHaveLost, popOverHttp } from './http-queue.ts';
import { type GatewayRig, startGatewayRig } from './testing.ts';

let rig: GatewayRig | null = null;
afterEach(async () => {
  await rig?.stop();
  rig = null;
});

async function start(profile: ProfileAlias = 'latest'): Promise<GatewayRig> {
  rig = await startGatewayRig({ profile });
  return rig;
}

function pop(gateway: GatewayRig, count = 100, timeoutMs = 5_000) {
  const { http, connection } = gateway;
  return popOverHttp(http, { connection, count, timeoutMs, tlsSkipVerify: false });
}

async function failure(gateway: GatewayRig, timeoutMs = 5_000): Promise<GatewayError> {
  const error = await pop(gateway, 100, timeoutMs).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GatewayError)) throw new Error('expected a failure');
  return error;
}

test('records come oldest first, as sent, with whether more may wait', async () => {
  const gateway = await start();
  for (const number of [1, 2, 3]) await gateway.simulator.publish(`{"n":${number}.50,"big":12345678901234567890}`);
  const first = await pop(gateway, 2);
  expect(first.records.map((record) => ('text' in record ? record.text : ''))).toEqual([
    '{"n":1.50,"big":12345678901234567890}',
    '{"n":2.50,"big":12345678901234567890}',
  ]);
  expect(first.elements).toBe(2);
  expect((await pop(gateway, 2)).elements).toBe(1);
  expect((await pop(gateway, 2)).elements).toBe(0);
});

test('each kind of element: text of objects and others, content of strings, nothing for null and blanks', async () => {
  const gateway = await start();
  const body = [{ a: { b: 1 } }, '{"from":"string"}', 'plain words', 7, [1], null, '', '  ', true];
  gateway.simulator.fault({
    kind: 'http',
    match: { path: '/v0/management/usage-queue' },
    respond: { status: 200, body },
  });
  const { records } = await pop(gateway);
  expect(records.map((record) => ('text' in record ? record.text : ''))).toEqual([
    '{"a":{"b":1}}',
    '{"from":"string"}',
    'plain words',
    '7',
    '[1]',
    'true',
  ]);
});

test('one request per pop: no retry, no kept connection, nothing stored in between', async () => {
  const gateway = await start();
  await pop(gateway);
  await pop(gateway);
  const requests = gateway.simulator.requests({ path: '/v0/management/usage-queue' });
  expect(requests).toHaveLength(2);
  expect(new Set(requests.map((request) => request.connectionId)).size).toBe(2);
  const headers = new Map(requests[0]?.headers.map(([name, value]) => [name.toLowerCase(), value]));
  expect(headers.get('cache-control')).toContain('no-store');
  expect(headers.get('x-manager-hop')).toBe('test-instance');
});

test('a connection that closes before the answer is not retried, and may have lost events', async () => {
  const gateway = await start();
  await gateway.simulator.publish('{"n":1}');
  gateway.simulator.fault({ kind: 'close-before-reply', on: 'HTTP' });
  expect(mayHaveLost(await failure(gateway))).toBe(true);
  expect(gateway.simulator.requests({ path: '/v0/management/usage-queue' })).toHaveLength(1);
});

const broken: readonly [name: string, fault: Fault, lost: boolean][] = [
  ['500', { kind: 'http', respond: { status: 500, body: { error: 'x' } } }, true],
  ['502 with a page', { kind: 'http', respond: { status: 502, body: '<html><b>Bad gateway</b></html>' } }, true],
  ['503', { kind: 'http', respond: { status: 503 } }, false],
  ['a page with 200', { kind: 'http', respond: { status: 200, body: '<html></html>' } }, true],
  ['an empty body', { kind: 'http', respond: { status: 200, body: '' } }, true],
  ['an object', { kind: 'http', respond: { status: 200, body: { error: 'x' } } }, true],
  ['half an answer', { kind: 'http', answer: 'truncate' }, true],
  ['half an answer that ends well', { kind: 'http', answer: 'truncate-quietly' }, true],
  ['a redirect', { kind: 'http', respond: { status: 302, headers: { Location: 'http://127.0.0.1:1/' } } }, false],
  ['404', { kind: 'http', respond: { status: 404 } }, false],
];

test.each(broken)('%s gives no records', async (_name, fault, lost) => {
  const gateway = await start();
  for (let count = 0; count < 20; count += 1) await gateway.simulator.publish('{"text":"some event"}');
  gateway.simulator.fault(fault);
  expect(mayHaveLost(await failure(gateway))).toBe(lost);
  expect(gateway.simulator.requests({ path: '/v0/management/usage-queue' })).toHaveLength(1);
});

test('404, 405 and 501 mean that there is no such queue', async () => {
  const gateway = await start('v6.9.38');
  expect((await failure(gateway)).kind).toBe('unsupported');
  for (const status of [405, 501]) {
    gateway.simulator.fault({ kind: 'http', respond: { status } });
    expect((await failure(gateway)).kind).toBe('unsupported');
  }
});

test('a compressed answer is read', async () => {
  const gateway = await start();
  await gateway.simulator.publish('{"n":1}');
  gateway.simulator.fault({ kind: 'http', answer: 'gzip' });
  expect((await pop(gateway)).elements).toBe(1);
});

test('an answer that never ends times out', async () => {
  const gateway = await start();
  await gateway.simulator.publish('{"n":1}');
  gateway.simulator.fault({ kind: 'http', answer: 'hang' });
  const error = await failure(gateway, 200);
  expect(error.kind).toBe('timeout');
  expect(mayHaveLost(error)).toBe(true);
});

test('an unreachable gateway was not asked', async () => {
  const gateway = await start();
  gateway.simulator.fault({ kind: 'refuse-connections', forMs: 2_000, dropOpen: true });
  const error = await failure(gateway);
  expect(error.kind).toBe('unreachable');
  expect(mayHaveLost(error)).toBe(false);
});

test('an 11 MiB record arrives completely', async () => {
  const gateway = await start();
  const text = `{"body":"${'x'.repeat(11 * 1024 * 1024)}"}`;
  await gateway.simulator.publish(text);
  await gateway.simulator.publish('{"n":2}');
  const { records } = await pop(gateway);
  expect(records.map((record) => ('text' in record ? record.text.length : -1))).toEqual([text.length, 7]);
});

test('an answer without end is given up', async () => {
  const gateway = await start();
  const element = `{"model":"${'x'.repeat(100_000)}"},`;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue('['),
          pull: (controller) => controller.enqueue(element.repeat(10)),
        }),
      ),
  });
  const connection = { ...gateway.connection, baseUrl: `http://127.0.0.1:${server.port}` };
  const request = { connection, count: 100, timeoutMs: 60_000, tlsSkipVerify: false };
  await expect(popOverHttp(gateway.http, request)).rejects.toThrow('far more than it was asked for');
  await server.stop(true);
});
