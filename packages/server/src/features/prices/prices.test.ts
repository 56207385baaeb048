import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  MODEL_PRICES_PATH,
  type ModelPriceSyncResponse,
  modelPricesResponseSchema,
  usageSummaryResponseSchema,
} from '@manager/core/contract/prices';
import { records, recordText } from '../../events/testing/test-ingester.ts';
import { ADMIN, startTestServer, type TestServer } from '../../http/testing.ts';
import { createTestFolder, type TestFolder } from '../../platform/testing/test-folder.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { type AnalyticsClient, createAnalyticsClient } from '../../workers/analytics-client.ts';
import { openStore, prepareStore, type Store } from '../../workers/store.ts';
import { createPriceReader } from './price-book.ts';
import { createPriceRoutes } from './routes.ts';
import { createPriceService } from './service.ts';

let folder: TestFolder;
let store: Store;
let analytics: AnalyticsClient;
let server: TestServer;
let queryLimit: number;
let synced: (readonly string[] | null)[];

const SYNCED: ModelPriceSyncResponse = {
  source: 'models.dev',
  sources: ['models.dev'],
  imported: 0,
  skipped: 0,
  proxyUsed: false,
  sourceResults: [],
  prices: {},
};

beforeEach(() => {
  folder = createTestFolder();
  const path = folder.path('usage.sqlite');
  prepareStore(path, { now: Date.now, tempDirectory: folder.path('.') });
  store = openStore({ path, hourlyRollup: true, now: Date.now, log: { info: () => {}, error: () => {} } });
  analytics = createAnalyticsClient({ databasePath: path });
  queryLimit = 50_000;
  synced = [];
  const service = createPriceService({
    read: () => store.reader.run('modelPricesBody', null),
    replace: (body) => store.writer.run('replaceModelPrices', body),
    usageSummary: (limit, signal) => analytics.usageSummary(limit, { signal }),
    queryLimit: () => queryLimit,
    sync: async (models) => {
      synced.push(models);
      return new TextEncoder().encode(JSON.stringify(SYNCED));
    },
  });
  server = startTestServer({ handlers: { prices: createPriceRoutes(service) } });
});
afterEach(async () => {
  await server.stop(0);
  await analytics.close();
  await store.close();
  folder.dispose();
});

async function call(method: string, path = '', body?: unknown): Promise<{ status: number; body: unknown }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(server.url + MODEL_PRICES_PATH + path, {
    method,
    headers: ADMIN,
    keepalive: false,
    ...(body === undefined ? {} : { body: text }),
  });
  return { status: answer.status, body: await answer.json() };
}

const put = (prices: unknown) => call('PUT', '', { prices });
const stored = async () => modelPricesResponseSchema.parse((await call('GET')).body).prices;

function revision(): number {
  const db = openDatabase(folder.path('usage.sqlite'), { readonly: true });
  try {
    return createPriceReader(db)().revision;
  } finally {
    db.close();
  }
}

describe('prices', () => {
  test('are empty at first', async () => {
    expect(await call('GET')).toEqual({ status: 200, body: { prices: {} } });
  });

  test('are stored in one form: sorted tiers, lower-case words, without 0 and false', async () => {
    const before = Date.now();
    const answer = await put({
      'acme/chat': {
        prompt: 2,
        completion: 8,
        cache: 0.5,
        cacheRead: 0,
        cacheReadConfigured: true,
        promptConfigured: false,
        source: 'models.dev',
        sourceModelId: 'acme/chat',
        rawJson: '{"cost":{}}',
        updatedAtMs: 5,
        syncedAtMs: 1_770_000_000_000,
        unknownMember: true,
        contextTiers: [
          { thresholdTokens: 200_000, prompt: 4, completion: 0, cache: 0, promptConfigured: true },
          { thresholdTokens: 32_000, prompt: 3, cacheConfigured: true },
        ],
        serviceTiers: [{ mode: ' Fast ', serviceTier: 'PRIORITY', prompt: 5, promptConfigured: true }],
      },
      blank: { prompt: null, serviceTiers: null },
    });
    expect(answer.status).toBe(200);
    const { prices } = modelPricesResponseSchema.parse(answer.body);
    const { updatedAtMs, ...chat } = prices['acme/chat'] ?? {};
    expect(chat).toEqual({
      prompt: 2,
      completion: 8,
      cache: 0.5,
      cacheReadConfigured: true,
      source: 'models.dev',
      sourceModelId: 'acme/chat',
      rawJson: '{"cost":{}}',
      syncedAtMs: 1_770_000_000_000,
      contextTiers: [
        { thresholdTokens: 32_000, prompt: 3, completion: 0, cache: 0, cacheConfigured: true },
        { thresholdTokens: 200_000, prompt: 4, completion: 0, cache: 0, promptConfigured: true },
      ],
      serviceTiers: [
        { mode: 'fast', serviceTier: 'priority', prompt: 5, completion: 0, cache: 0, promptConfigured: true },
      ],
    });
    expect(updatedAtMs).toBeGreaterThanOrEqual(before);
    expect(prices.blank).toEqual({ prompt: 0, completion: 0, cache: 0, updatedAtMs: updatedAtMs ?? 0 });
    expect(await stored()).toEqual(prices);
  });

  test('that are not sent again are deleted, and an empty table is valid', async () => {
    await put({ one: { prompt: 1 }, two: { prompt: 2 } });
    await put({ two: { prompt: 3 } });
    expect(Object.keys(await stored())).toEqual(['two']);
    expect(await put({})).toEqual({ status: 200, body: { prices: {} } });
  });

  test.each([
    ['{', 'request_failed', 'JSON'],
    ['[]', 'request_failed', 'object expected'],
    [{}, 'prices_required', 'prices'],
    [{ prices: null }, 'prices_required', 'prices'],
    [{ prices: [] }, 'request_failed', 'prices'],
    [{ prices: { a: 5 } }, 'request_failed', 'prices.a'],
    [{ prices: { a: { prompt: '1' } } }, 'request_failed', 'prices.a.prompt: number expected'],
    [{ prices: { ' ': { prompt: 1 } } }, 'request_failed', 'must not be blank'],
    [{ prices: { 'half \uD83D': { prompt: 1 } } }, 'request_failed', 'cannot be stored'],
    [{ prices: { a: { prompt: 1, rawJson: 'nul \0' } } }, 'request_failed', 'rawJson'],
    [{ prices: { a: { prompt: 1 }, b: { completion: -1 } } }, 'request_failed', 'price of "b": completion'],
    ['{"prices":{"a":{"prompt":1e999}}}', 'request_failed', 'prices.a.prompt'],
    [{ prices: { a: { completion: 1e300 } } }, 'request_failed', 'completion: at most 1000000000'],
    [{ prices: { a: { cacheRead: 1_000_000_001 } } }, 'request_failed', 'cacheRead: at most 1000000000'],
    [{ prices: { a: tiers([{ thresholdTokens: 0, promptConfigured: true }]) } }, 'request_failed', 'thresholdTokens'],
    [{ prices: { a: tiers([{ thresholdTokens: 1.5, promptConfigured: true }]) } }, 'request_failed', 'integer'],
    [
      { prices: { a: tiers([1, 1].map((thresholdTokens) => ({ thresholdTokens, promptConfigured: true }))) } },
      'request_failed',
      'contextTiers[1].thresholdTokens: 1 is used twice',
    ],
    [{ prices: { a: tiers([{ thresholdTokens: 1, prompt: 5 }]) } }, 'request_failed', 'at least one rate'],
    [
      { prices: { a: tiers([{ thresholdTokens: 1, prompt: -5, promptConfigured: true }]) } },
      'request_failed',
      'prompt',
    ],
    [
      { prices: { a: tiers([{ thresholdTokens: 1, prompt: 1e308, promptConfigured: true }]) } },
      'request_failed',
      'contextTiers[0].prompt: at most',
    ],
    [{ prices: { a: rules(['fast', '']) } }, 'request_failed', 'serviceTiers[0].serviceTier: must not be empty'],
    [{ prices: { a: rules(['fast', 'x'], ['y', ' FAST']) } }, 'request_failed', 'serviceTiers[1].serviceTier'],
  ])('refuse %j and change nothing', async (body, code, text) => {
    await put({ kept: { prompt: 1 } });
    const revisionBefore = revision();
    const answer = await call('PUT', '', body);
    expect(answer).toMatchObject({ status: 400, body: { code, error: expect.stringContaining(text) } });
    expect(Object.keys(await stored())).toEqual(['kept']);
    expect(revision()).toBe(revisionBefore);
  });

  test.each(['__proto__', '\\u005f_proto__'])(
    'of %s are refused by name, and every other price stays',
    async (name) => {
      await put({ 'gpt-5': { prompt: 1 } });
      const answer = await call('PUT', '', `{"prices":{"${name}":{"prompt":1,"completion":1}}}`);
      expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('price of "__proto__"') } });
      expect(Object.keys(await stored())).toEqual(['gpt-5']);
    },
  );

  test('may be as high as 1,000 dollars per token', async () => {
    expect((await put({ a: { prompt: 1_000_000_000 } })).status).toBe(200);
  });

  test('may use one word for mode and tier of one rule', async () => {
    expect((await put({ a: rules(['flex', 'flex'], ['fast', 'priority']) })).status).toBe(200);
  });

  test('in thousands with their catalogue entries fit into a request', async () => {
    const entry = { prompt: 1, completion: 2, cache: 0, rawJson: JSON.stringify({ text: 'x'.repeat(1_000) }) };
    const prices = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`model-${index}`, entry]));
    expect((await put(prices)).status).toBe(200);
    expect(Object.keys(await stored())).toHaveLength(5_000);
  });

  test('count every write, so that derived values are known to be out of date', async () => {
    expect(revision()).toBe(0);
    await put({ a: { prompt: 1 } });
    expect(revision()).toBe(1);
    await put({});
    expect(revision()).toBe(2);
  });

  test('have other methods and paths refused', async () => {
    expect((await call('POST')).status).toBe(405);
    expect((await call('GET', '/sync')).status).toBe(405);
    expect((await call('DELETE', '/a')).status).toBe(405);
  });
});

describe('a sync', () => {
  test.each([
    [undefined, null],
    [{}, null],
    [{ models: null }, null],
    [{ models: [] }, null],
    [{ models: [' a ', 'b', 'a', ' '] }, ['a', 'b']],
  ])('of %j looks for %j', async (body, models) => {
    expect(await call('POST', '/sync', body)).toEqual({ status: 200, body: SYNCED });
    expect(synced).toEqual([models]);
  });

  test('of too many models names the limit', async () => {
    const models = Array.from({ length: 2_001 }, (_, index) => `m${index}`);
    const answer = await call('POST', '/sync', { models });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('at most 2000') } });
    expect((await call('POST', '/sync', { models: [...models.slice(1), 'm1'] })).status).toBe(200);
  });

  test.each(['{', '[]', '{"models":"a"}', '{"models":[1]}'])('of %s is refused', async (body) => {
    expect((await call('POST', '/sync', body)).status).toBe(400);
    expect(synced).toEqual([]);
  });
});

describe('the usage summary', () => {
  const summary = async () => usageSummaryResponseSchema.parse((await call('GET', '/usage-summary')).body);
  let serial = 0;
  const ingest = (...events: readonly (readonly [alias: string, model: string, second: number])[]) =>
    store.writer.run('ingest', {
      records: records(
        ...events.map(([alias, model, second]) =>
          recordText({
            alias,
            model,
            request_id: `request-${++serial}`,
            timestamp: new Date(Date.UTC(2026, 8, 1, 11, 0, second)).toISOString(),
          }),
        ),
      ),
    });

  test('of an empty database is empty', async () => {
    expect(await call('GET', '/usage-summary')).toEqual({
      status: 200,
      body: { sampled_events: 0, total_events: 0, truncated: false, models: [] },
    });
  });

  test('counts requested and resolved models separately', async () => {
    await ingest(['gpt-5.5(high)', 'gpt-5.5', 0], ['house', 'gpt-5.5', 1], ['house', 'real', 2], ['', 'alone', 3]);
    expect(await summary()).toEqual({
      sampled_events: 4,
      total_events: 4,
      truncated: false,
      models: [
        { model: 'gpt-5.5', calls: 2, requested_calls: 1, resolved_calls: 1 },
        { model: 'house', calls: 2, requested_calls: 2, resolved_calls: 0 },
        { model: 'alone', calls: 1, requested_calls: 1, resolved_calls: 0 },
        { model: 'real', calls: 1, requested_calls: 0, resolved_calls: 1 },
      ],
    });
  });

  test('reads the newest by time, then by arrival', async () => {
    await ingest(
      ['late', 'late', 9],
      ['first', 'first', 5],
      ['second', 'second', 5],
      ['third', 'third', 5],
      ['old', 'old', 1],
    );
    queryLimit = 3;
    const { models, ...counts } = await summary();
    expect(counts).toEqual({ sampled_events: 3, total_events: 5, truncated: true });
    expect(models.map((row) => row.model)).toEqual(['late', 'second', 'third']);
    queryLimit = 1;
    expect((await summary()).models.map((row) => row.model)).toEqual(['late']);
    queryLimit = 5;
    expect(await summary()).toMatchObject({ sampled_events: 5, truncated: false });
  });

  test('leaves out events without a raw row', async () => {
    await ingest(['gone', 'gone', 9], ['kept', 'kept', 5]);
    const db = openDatabase(folder.path('usage.sqlite'));
    db.run('DELETE FROM usage_events WHERE id = 1');
    db.run(`UPDATE counters SET value = 1 WHERE name = 'events'`);
    db.close();
    expect(await summary()).toEqual({
      sampled_events: 1,
      total_events: 1,
      truncated: false,
      models: [{ model: 'kept', calls: 1, requested_calls: 1, resolved_calls: 0 }],
    });
  });
});

function tiers(contextTiers: readonly object[]): object {
  return { prompt: 1, contextTiers };
}

function rules(...words: readonly (readonly [mode: string, serviceTier: string])[]): object {
  return {
    prompt: 1,
    serviceTiers: words.map(([mode, serviceTier]) => ({ mode, serviceTier, prompt: 1, promptConfigured: true })),
  };
}
