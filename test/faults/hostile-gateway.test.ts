import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { until } from '@manager/core/testing/until';
import { callSimulator, makeEvents, type PublishOptions } from '@manager/simulator';
import { GatewayProcess } from '../support/gateway-process.ts';
import { ManagerProcess } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { boundTo } from '../support/test-gateway.ts';

setDefaultTimeout(400_000);

const MB = 1_000_000;
const LIMIT_BYTES = 500 * 1024 * 1024;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function startGateway(): Promise<GatewayProcess> {
  const gateway = await GatewayProcess.start();
  cleanups.push(() => gateway.stop());
  return gateway;
}

async function startManager(gateway: { readonly url: string }, mode: string): Promise<ManagerProcess> {
  const manager = await ManagerProcess.start({ env: boundTo(gateway, mode) });
  cleanups.push(() => manager.remove());
  return manager;
}

const events = makeEvents({ seed: 3, numberFrom: 0 });
const small = () => events.next().value.text;
const withMember = (value: unknown) => JSON.stringify({ ...JSON.parse(small()), extra: value });

const SIX = 6;
/** What 60 MB may consist of, and what becomes of it. */
const RECORDS: readonly (readonly [what: string, text: () => string, becomes: 'events' | 'deadLetters'])[] = [
  ['one failure body', () => withMember('x'.repeat(60 * MB)), 'events'],
  ['a text beyond ASCII', () => withMember('\u20ac'.repeat(20 * MB)), 'events'],
  ['seven long texts', () => withMember(Array.from({ length: 7 }, (_, at) => `${at}`.repeat(8 * MB))), 'events'],
  [
    'a million members',
    () =>
      withMember(
        Object.fromEntries(Array.from({ length: 1_500_000 }, (_, at) => [`m${at}`, `text number ${at} of it`])),
      ),
    'deadLetters',
  ],
];

/** Each kind over one transport; a release tries all of them. */
const IS_RELEASE = process.env.MANAGER_HOSTILE_RECORDS === 'all';
const MODES = ['subscribe', 'http', 'resp'];

describe.each(MODES)('six records of 60 MB at once over %s', (mode) => {
  const kinds = RECORDS.filter((_, index) => IS_RELEASE || MODES[index % MODES.length] === mode);
  test.each(kinds)('of %s need less than 500 MiB, and collecting goes on', async (_, text, becomes) => {
    const gateway = await startGateway();
    // Copies are known by their identity, but need as much memory until then.
    const publish = (given: string, options: PublishOptions) =>
      callSimulator(gateway.controlUrl, 'publish', given, options);
    let manager = mode === 'subscribe' ? await startManager(gateway, mode) : null;
    if (manager !== null) {
      const subscribed = manager;
      await until(async () => (await readStatus(subscribed)).collector.collector === 'running', 'the subscription');
    }
    // Parsing a million members takes the simulator long: fewer prove the same within the time limit of a pop.
    const count = mode === 'http' && becomes === 'deadLetters' ? 2 : SIX;
    await publish(text(), { number: 1_000, count });
    await publish(small(), { number: 2_000 });
    manager ??= await startManager(gateway, mode);
    const running = manager;
    const { collector, deadLetters } = await until(async () => {
      const now = await readStatus(running);
      const { totalInserted, totalSkipped } = now.collector;
      return totalInserted + totalSkipped + now.deadLetters === count + 1 ? now : null;
    }, 'all records');
    expect({ deadLetters, inserted: collector.totalInserted }).toEqual(
      becomes === 'events' ? { deadLetters: 0, inserted: 2 } : { deadLetters: count, inserted: 1 },
    );
    expect(running.peakResidentBytes()).toBeLessThan(LIMIT_BYTES);
    await publish(small(), { number: 3_000 });
    await until(
      async () => (await readStatus(running)).collector.totalInserted > collector.totalInserted,
      'the next event',
    );
  });
});

test('made-up names of 100 kB take neither disk nor memory, and questions are answered', async () => {
  const gateway = await startGateway();
  const manager = await startManager(gateway, 'http');
  const count = 60;
  for (let number = 0; number < count; number += 1) {
    const named = (letter: string) => `${letter}-${number}-${letter.repeat(100_000)}`;
    const names = {
      model: named('m'),
      alias: named('a'),
      auth_index: named('i'),
      source: named('s'),
      endpoint: named('e'),
    };
    await callSimulator(gateway.controlUrl, 'publish', JSON.stringify({ ...JSON.parse(small()), ...names }), {
      number,
    });
  }
  const status = await until(async () => {
    const now = await readStatus(manager);
    return now.events === count ? now : null;
  }, 'the events');
  expect(status.collector.totalRepaired).toBe(count);
  const { databaseBytes = 0, walBytes = 0 } = status.database ?? {};
  expect(databaseBytes + walBytes).toBeLessThan(8 * MB);
  const answer = await manager.fetch('/v0/management/monitoring/analytics', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      from_ms: 1,
      to_ms: Date.now() + 86_400_000,
      include: { summary: true, model_stats: true, account_stats: true, filter_options: true },
    }),
  });
  const text = await answer.text();
  expect({ status: answer.status, bytes: text.length < MB, cut: text.includes(`a-7-${'a'.repeat(1_020)}...`) }).toEqual(
    {
      status: 200,
      bytes: true,
      cut: true,
    },
  );
});

type Hostile = (request: IncomingMessage, response: ServerResponse) => void;

/** Never more than the socket takes. */
function endless(response: ServerResponse, first: string, more: string, bytes = Number.POSITIVE_INFINITY): void {
  const chunk = Buffer.from(more.repeat(Math.ceil(65_536 / more.length)));
  let sent = 0;
  const body = new Readable({
    read() {
      this.push(sent === 0 ? first + more : chunk);
      sent += chunk.length;
      if (sent > bytes) this.push(null);
    },
  });
  body.on('error', () => undefined).pipe(response);
}

const json = (response: ServerResponse) => response.writeHead(200, { 'Content-Type': 'application/json' });

const ANSWERS: Readonly<Record<string, Hostile>> = {
  'of 300 MB': (_, response) => endless(json(response), '{"files":[{"name":"a.json"}', ',{"name":"b.json"}', 300 * MB),
  'with a text that never ends': (_, response) => endless(json(response), '{"files":[{"name":"', 'x'),
  'that is 400 KB of gzip and 400 MB of text': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
    response.end(BOMB);
  },
};
const BOMB = gzipSync(Buffer.alloc(400 * MB, ' '));

test('configurations and plugin lists of millions of empty objects need less than 500 MiB', async () => {
  const answer = `{"usage-statistics-enabled":true,"plugins":[${'{},'.repeat(2_700_000)}{}]}`;
  let hits = 0;
  const front = createServer((_, response) => {
    hits += 1;
    json(response).end(answer);
  });
  await new Promise<void>((ready) => front.listen(0, '127.0.0.1', ready));
  cleanups.push(() => {
    front.closeAllConnections();
    front.close();
  });
  const manager = await ManagerProcess.start();
  cleanups.push(() => manager.remove());
  const { port } = front.address() as AddressInfo;
  const setUp = () =>
    manager.fetch('/setup', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ cpaBaseUrl: `http://127.0.0.1:${port}`, managementKey: 'a-management-key' }),
    });
  await Promise.all([setUp(), setUp(), setUp()]);
  // The gateway asks for the list of plugins because of a key that it does not know.
  const head = await manager.fetch('/v0/management/some-plugin', { headers: { Authorization: 'Bearer another-key' } });
  await head.text();
  expect(hits).toBeGreaterThan(3);
  expect(manager.running).toBe(true);
  expect(manager.peakResidentBytes()).toBeLessThan(LIMIT_BYTES);
});

describe.each([
  ['list of accounts', /^\/v0\/management\/auth-files$/],
  ['configuration', /^\/v0\/management\/config$/],
])('a %s', (_, path) => {
  test.each(Object.keys(ANSWERS))('%s needs less than 500 MiB, and collecting goes on', async (kind) => {
    const gateway = await startGateway();
    let hits = 0;
    const front = createServer(async (request, response) => {
      const url = request.url ?? '/';
      if (path.test(url.split('?')[0] ?? '')) {
        hits += 1;
        return ANSWERS[kind]?.(request, response);
      }
      const answer = await fetch(gateway.url + url, {
        headers: { Authorization: request.headers.authorization ?? '' },
      });
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
    });
    await new Promise<void>((ready) => front.listen(0, '127.0.0.1', ready));
    cleanups.push(() => {
      front.closeAllConnections();
      front.close();
    });
    const { port } = front.address() as AddressInfo;
    const manager = await startManager({ url: `http://127.0.0.1:${port}` }, 'http');
    for (let number = 0; number < 3; number += 1) {
      await callSimulator(gateway.controlUrl, 'publish', small(), { number });
      await manager.fetch('/v0/management/monitoring/header-snapshots').catch(() => null);
    }
    await until(async () => (await readStatus(manager)).events === 3, 'the events');
    await until(() => hits > 0, 'the hostile answer');
    expect(manager.running).toBe(true);
    expect(manager.peakResidentBytes()).toBeLessThan(LIMIT_BYTES);
  });
});
