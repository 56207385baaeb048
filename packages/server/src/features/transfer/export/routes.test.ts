import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import type { UsageEvent } from '@manager/core/usage/event';
import { exportLine } from '@manager/core/usage/export-line';
import { analyticsModel } from '@manager/core/usage/models';
import { eventDecoder } from '../../../events/detail/event-decoder.ts';
import { sampleRecords } from '../../../events/testing/sample-records.ts';
import { records, recordText } from '../../../events/testing/test-ingester.ts';
import { ADMIN, startTestServer, type TestServer } from '../../../http/testing.ts';
import { createTestFolder, type TestFolder } from '../../../platform/testing/test-folder.ts';
import { openDatabase } from '../../../sqlite/open.ts';
import { openStore, prepareStore, type Store } from '../../../workers/store.ts';
import type { EventReads } from './event-reads.ts';
import { exportLines } from './export.ts';
import { createExportGate } from './export-gate.ts';
import { FULL_BYTES } from './page-size.ts';
import type { ExportPage } from './queries/export-page.ts';
import { type EventsDeps, eventsRoutes } from './routes.ts';

const EVENTS = 5_000;

let folder: TestFolder;
let store: Store;
const servers: TestServer[] = [];

beforeAll(async () => {
  folder = createTestFolder();
  store = await filledStore('usage.sqlite', EVENTS);
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});
afterAll(async () => {
  await store.close();
  folder.dispose();
});

async function filledStore(name: string, events: number): Promise<Store> {
  const path = folder.path(name);
  prepareStore(path, { now: Date.now, tempDirectory: folder.path('.') });
  const opened = openStore({ path, hourlyRollup: true, now: Date.now, log: { info: () => {}, error: () => {} } });
  const next = sampleRecords({ seed: 21, stepMs: 2 });
  for (let from = 0; from < events; from += 1_000) {
    await opened.writer.run('ingest', {
      records: records(...Array.from({ length: Math.min(1_000, events - from) }, next)),
    });
  }
  return opened;
}

/** The content of the database, read without the code under test except the decoder. */
function stored(name = 'usage.sqlite'): UsageEvent[] {
  const db = openDatabase(folder.path(name), { readonly: true });
  const decode = eventDecoder(db);
  const rows = db
    .query<{ id: number; detail: Uint8Array }, []>('SELECT id, detail FROM usage_events ORDER BY id')
    .all()
    .map((row) => ({ id: row.id, event: decode(row.detail) }));
  db.close();
  rows.sort((left, right) => left.event.timestamp_ms - right.event.timestamp_ms || left.id - right.id);
  return rows.map((row) => row.event);
}

function serve(deps: Partial<EventsDeps> = {}): TestServer {
  const usage = eventsRoutes({
    reads: store.reader,
    queryLimit: () => 0,
    exports: createExportGate(),
    log: { warn: () => {} },
    ...deps,
  });
  const server = startTestServer({ handlers: { usage } });
  servers.push(server);
  return server;
}

function get(server: TestServer, path: string): Promise<Response> {
  return fetch(server.url + path, { headers: ADMIN, keepalive: false });
}

const EXPORT = '/v0/management/usage/export';
const USAGE = '/v0/management/usage';

describe('the export', () => {
  test('writes every event once, by time and then in the order of arrival', async () => {
    const answer = await get(serve(), EXPORT);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="usage-events.jsonl"');
    expect(answer.headers.get('content-length')).toBeNull();
    const text = await answer.text();
    expect(text).toBe(
      stored()
        .map((event) => `${exportLine(event)}\n`)
        .join(''),
    );
    expect(text.split('\n').length).toBe(EVENTS + 1);
    for (const secret of ['raw_json', 'fail_body', 'client_ip', 'user_agent', 'sim-client-key']) {
      expect(text).not.toContain(secret);
    }
  });

  test('sends the same bytes to a client that reads in bursts', async () => {
    // More than the sockets hold, so that the server waits with pages whose buffers it uses again.
    const own = await filledStore('bursts.sqlite', 10_000);
    const text = await readInBursts(serve({ reads: own.reader }), EXPORT);
    const expected = stored('bursts.sqlite').map((event) => `${exportLine(event)}\n`);
    expect(text === expected.join('')).toBe(true);
    await own.close();
  });

  test('leaves a page as it is until the one after the next is requested', async () => {
    let previous = { page: new Uint8Array(0), copy: new Uint8Array(0) };
    let pages = 0;
    for await (const page of exportLines(store.reader, new AbortController().signal)) {
      expect(Buffer.compare(previous.page, previous.copy)).toBe(0);
      previous = { page, copy: page.slice() };
      pages += 1;
    }
    // Enough for every buffer to be used again.
    expect(pages).toBeGreaterThan(8);
  });

  test('reads long events in pages of a limited size', async () => {
    const own = await filledStore('long.sqlite', 0);
    const name = (index: number, letter: string) => `${index} ${letter.repeat(1_000)}`;
    // Some of the same time, so that a page is full among them.
    const texts = Array.from({ length: 1_500 }, (_, index) =>
      recordText({
        timestamp: new Date(Date.UTC(2026, 8, 1) + Math.floor(index / 400) * 1_000).toISOString(),
        request_id: name(index, 'r'),
        model: name(index, 'm'),
        alias: name(index, 'a'),
        endpoint: `POST /${name(index, 'e')}`,
      }),
    );
    await own.writer.run('ingest', { records: records(...texts) });
    const sizes: number[] = [];
    const full: boolean[] = [];
    const run = async (operation: string, ...rest: [never]): Promise<unknown> => {
      const result: unknown = await own.reader.run(operation as never, ...rest);
      if (operation === 'exportPage') {
        const { lines, fullAt } = result as ExportPage;
        sizes.push(lines.length);
        full.push(fullAt !== null);
      }
      return result;
    };
    const reads = { run: run as EventReads['run'] };
    const text = await (await get(serve({ reads }), EXPORT)).text();
    const expected = stored('long.sqlite').map((event) => `${exportLine(event)}\n`);
    expect(text === expected.join('')).toBe(true);
    expect(text.length).toBeGreaterThan(2 * FULL_BYTES);
    expect(Math.max(...sizes)).toBeLessThan(FULL_BYTES + 16_384);
    expect(full).toContain(true);
    await own.close();
  });

  test('pages through events with the same time', async () => {
    const own = await filledStore('same-time.sqlite', 0);
    const timestamp = '2026-09-01T10:00:00Z';
    const texts = Array.from({ length: 5_000 }, (_, index) =>
      recordText({ timestamp, request_id: `request ${index}` }),
    );
    await own.writer.run('ingest', { records: records(...texts) });
    const server = serve({ reads: own.reader });
    const lines = (await (await get(server, EXPORT)).text()).trimEnd().split('\n');
    const ids = lines.map((line) => JSON.parse(line).request_id);
    expect(ids).toEqual(texts.map((_, index) => `request ${index}`));
    const body = (await (await get(server, USAGE)).json()) as { total_requests: number };
    expect(body.total_requests).toBe(5_000);
    await own.close();
  });

  test('of an empty database is empty', async () => {
    const empty = await filledStore('empty.sqlite', 0);
    const answer = await get(serve({ reads: empty.reader }), EXPORT);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
    await empty.close();
  });

  test('has the events from its start, whatever arrives meanwhile', async () => {
    const own = await filledStore('growing.sqlite', 3_000);
    const expected = stored('growing.sqlite').map((event) => `${exportLine(event)}\n`);
    const answer = await get(serve({ reads: own.reader }), EXPORT);
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    // Older than everything else: it would come first.
    await own.writer.run('ingest', { records: records(recordText({ timestamp: '2020-01-01T00:00:00Z' })) });
    let text = new TextDecoder().decode(first?.value);
    const decoder = new TextDecoder();
    for (let step = await reader?.read(); step?.value !== undefined; step = await reader?.read()) {
      text += decoder.decode(step.value, { stream: true });
    }
    expect(text).toBe(expected.join(''));
    await own.close();
  });

  test('refuses a fifth one, and accepts it when another has ended', async () => {
    const server = serve();
    const running = await Promise.all([1, 2, 3, 4].map(() => slowClient(server, EXPORT)));
    const refused = await get(server, EXPORT);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ code: 'request_failed' });
    for (const client of running) client.destroy();
    for (;;) {
      const answer = await get(server, EXPORT);
      const text = await answer.text();
      if (answer.status === 200) {
        expect(text.split('\n').length).toBe(EVENTS + 1);
        break;
      }
      await Bun.sleep(20);
    }
  });

  test('that fails before its first byte is an ordinary error answer', async () => {
    const reads = failingReads(store.reader, 'exportRange', 0);
    const answer = await get(serve({ reads }), EXPORT);
    expect(answer.status).toBe(500);
    expect(answer.headers.get('content-disposition')).toBeNull();
    expect(await answer.json()).toMatchObject({ code: 'request_failed' });
  });

  test('that fails later cuts the connection, so that the client sees it', async () => {
    const reads = failingReads(store.reader, 'exportPage', 2);
    const answer = await get(serve({ reads }), EXPORT);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  test('with fewer rows than it announced cuts the connection', async () => {
    const reads: EventReads = {
      run: (async (name: keyof typeof store.reader & string, ...rest: [never]) => {
        const result: unknown = await store.reader.run(name as never, ...rest);
        return name === ('exportRange' as string) ? { ...(result as object), rows: EVENTS + 1 } : result;
      }) as EventReads['run'],
    };
    const answer = await get(serve({ reads }), EXPORT);
    await expect(answer.text()).rejects.toThrow();
  });

  test('ends for a client that reads no data', async () => {
    const warnings: string[] = [];
    const own = await filledStore('large.sqlite', 20_000);
    const server = serve({ reads: own.reader, stallMs: 200, log: { warn: (text) => warnings.push(text) } });
    const client = await slowClient(server, EXPORT);
    while (warnings.length === 0) await Bun.sleep(20);
    expect(warnings).toEqual(['export: the client read no data and was disconnected']);
    client.destroy();
    await own.close();
  }, 180_000);
});

describe('the compatible payload', () => {
  interface Payload {
    readonly total_requests: number;
    readonly success_count: number;
    readonly failure_count: number;
    readonly total_tokens: number;
    readonly apis: Record<string, { models: Record<string, { details: { timestamp: string; tokens: object }[] }> }>;
  }

  async function payload(server: TestServer): Promise<Payload> {
    const answer = await get(server, USAGE);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    return (await answer.json()) as Payload;
  }

  test('totals exactly the newest events within the limit', async () => {
    const limit = 1_500;
    const newest = stored().slice(-limit);
    const body = await payload(serve({ queryLimit: () => limit }));
    expect(body.total_requests).toBe(limit);
    expect(body.failure_count).toBe(newest.filter((event) => event.failed).length);
    expect(body.success_count).toBe(limit - body.failure_count);
    expect(body.total_tokens).toBe(newest.reduce((sum, event) => sum + event.total_tokens, 0));
  });

  test('orders endpoints and models by bytes and details newest first', async () => {
    const body = await payload(serve({ queryLimit: () => 100_000 }));
    const expected = stored().toReversed();
    const endpoints = [...new Set(expected.map((event) => event.endpoint))].sort();
    expect(Object.keys(body.apis)).toEqual(endpoints);
    for (const endpoint of endpoints) {
      const events = expected.filter((event) => event.endpoint === endpoint);
      const models = [...new Set(events.map((event) => analyticsModel(event)))].sort();
      expect(Object.keys(body.apis[endpoint]?.models ?? {})).toEqual(models);
      for (const model of models) {
        expect(body.apis[endpoint]?.models[model]?.details.map((detail) => detail.timestamp)).toEqual(
          events.filter((event) => analyticsModel(event) === model).map((event) => event.timestamp),
        );
      }
    }
  });

  test('uses 50,000 for a limit of 0 and answers an empty database', async () => {
    expect((await payload(serve({ queryLimit: () => 0 }))).total_requests).toBe(EVENTS);
    const empty = await filledStore('none.sqlite', 0);
    expect(await payload(serve({ reads: empty.reader }))).toEqual({
      total_requests: 0,
      success_count: 0,
      failure_count: 0,
      total_tokens: 0,
      apis: {},
    });
    await empty.close();
  });

  test('shows the residual of the legacy cached count in both cached members', async () => {
    const own = await filledStore('residual.sqlite', 0);
    const tokens = {
      input_tokens: 1000,
      output_tokens: 10,
      cached_tokens: 700,
      cache_read_tokens: 600,
      total_tokens: 1010,
    };
    await own.writer.run('ingest', { records: records(recordText({ tokens, ttft_ms: 0 })) });
    const body = await payload(serve({ reads: own.reader }));
    expect(body.apis['POST /v1/responses']?.models['gpt-5.4']?.details[0]).toMatchObject({
      requested_model: 'gpt-5.4(high)',
      ttft_ms: 0,
      tokens: { input_tokens: 1000, cached_tokens: 100, cache_tokens: 100, cache_read_tokens: 600 },
    });
    await own.close();
  });

  test('that loses an event while it is written cuts the connection', async () => {
    const reads = failingReads(store.reader, 'usageDetails', 1);
    const answer = await get(serve({ reads }), USAGE);
    await expect(answer.text()).rejects.toThrow();
  });
});

/** Reads that fail at the given call of one operation. */
function failingReads(reads: EventReads, operation: string, call: number): EventReads {
  let calls = 0;
  const run = (name: string, ...rest: [never]): Promise<unknown> => {
    if (name === operation && calls++ === call) return Promise.reject(new Error('the disk is gone'));
    return reads.run(name as never, ...rest);
  };
  return { run: run as EventReads['run'] };
}

/** A client that sends its request and reads nothing after the first bytes. */
async function slowClient(server: TestServer, path: string) {
  const { port } = new URL(server.url);
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: manager\r\nAuthorization: ${ADMIN.authorization}\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  return socket;
}

/** The body of a chunked answer, read with pauses, the first of them a long one. */
async function readInBursts(server: TestServer, path: string): Promise<string> {
  const { port } = new URL(server.url);
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => {
    pieces.push(Buffer.from(piece));
    socket.pause();
    setTimeout(() => socket.resume(), pieces.length === 1 ? 500 : pieces.length % 8);
  });
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: manager\r\nAuthorization: ${ADMIN.authorization}\r\nConnection: close\r\n\r\n`,
  );
  await ended;
  const answer = Buffer.concat(pieces);
  const chunks: Buffer[] = [];
  for (let at = answer.indexOf('\r\n\r\n') + 4; ; ) {
    const start = answer.indexOf('\r\n', at) + 2;
    const size = Number.parseInt(answer.toString('latin1', at, start), 16);
    if (!(size > 0)) return Buffer.concat(chunks).toString();
    chunks.push(answer.subarray(start, start + size));
    at = start + size + 2;
  }
}
