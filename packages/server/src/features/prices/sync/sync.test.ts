import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import {
  MODEL_PRICES_PATH,
  type ModelPriceSyncResponse,
  modelPriceSyncResponseSchema,
  modelPricesResponseSchema,
} from '@manager/core/contract/model-prices';
import { openStore, prepareStore, type Store } from '../../../db/store.ts';
import { createTestFolder, type TestFolder } from '../../../db/testing/test-folder.ts';
import { ADMIN, startTestServer, type TestServer } from '../../../http/testing.ts';
import { startUpstreamRig, type UpstreamRig } from '../../../upstream/testing.ts';
import { createPriceRoutes } from '../routes.ts';
import { createPriceService } from '../service.ts';
import { startCatalogueWorker } from './catalogue-worker.ts';
import { createKeepFindings } from './keep-findings.ts';
import { readProxyUrl } from './read-proxy-url.ts';
import { createPriceSync } from './service.ts';
import {
  type CatalogueServer,
  litellm,
  modelsDev,
  openRouter,
  startCatalogues,
  startSocks,
  UNAVAILABLE,
} from './testing.ts';

const TIMEOUT_MS = 1_000;
const MAX_BYTES = 200_000;

let folder: TestFolder;
let store: Store;
let server: TestServer;
let catalogues: CatalogueServer;
let upstream: UpstreamRig | null;
/** Runs between the catalogues and the write. */
let beforeKeep: () => Promise<unknown>;
let kept: number;

beforeEach(() => {
  folder = createTestFolder();
  const path = folder.path('usage.sqlite');
  prepareStore(path, { now: Date.now, tempDirectory: folder.path('.') });
  store = openStore({ path, hourlyCore: true, now: Date.now, log: { warn: () => {} } });
  catalogues = startCatalogues();
  upstream = null;
  beforeKeep = async () => {};
  kept = 0;
  const keep = createKeepFindings(store.writer, store.reader);
  const sync = createPriceSync({
    sources: catalogues.sources,
    readProxyUrl: async () =>
      upstream === null
        ? ''
        : readProxyUrl({
            management: upstream.management,
            connection: () => upstream?.connection ?? null,
            tlsSkipVerify: () => false,
          }),
    startWorker: startCatalogueWorker,
    keep: async (findings, signal) => {
      await beforeKeep();
      signal.throwIfAborted();
      kept++;
      return keep(findings, signal);
    },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  const service = createPriceService({
    read: () => store.reader.run('modelPricesBody', null),
    replace: (body) => store.writer.run('replaceModelPrices', body),
    usageSummary: () => Promise.reject(new Error('not in these tests')),
    queryLimit: () => 1,
    sync,
  });
  server = startTestServer({ handlers: { prices: createPriceRoutes(service) } });
});
afterEach(async () => {
  await server.stop(0);
  await store.close();
  await catalogues.stop();
  await upstream?.stop();
  folder.dispose();
});

async function call(method: string, path: string, body?: unknown, signal?: AbortSignal) {
  const answer = await fetch(server.url + MODEL_PRICES_PATH + path, {
    method,
    headers: ADMIN,
    keepalive: false,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { status: answer.status, body: (await answer.json()) as unknown };
}

async function sync(models?: readonly string[]): Promise<ModelPriceSyncResponse> {
  const { status, body } = await call('POST', '/sync', models === undefined ? undefined : { models });
  expect(status).toBe(200);
  return modelPriceSyncResponseSchema.parse(body);
}

/** The text of a refused sync. */
async function refusal(models?: readonly string[]): Promise<string> {
  const { status, body } = await call('POST', '/sync', models === undefined ? undefined : { models });
  expect({ status, body }).toMatchObject({ status: 502, body: { code: 'model_price_sync_failed' } });
  return (body as { readonly error: string }).error;
}

const stored = async () => modelPricesResponseSchema.parse((await call('GET', '')).body).prices;
const put = (prices: object) => call('PUT', '', { prices });
const summary = async () =>
  Object.fromEntries(
    Object.entries(await stored()).map(([model, { source, prompt }]) => [model, `${source} ${prompt}`]),
  );

async function setUpstream(proxyUrl: string): Promise<void> {
  upstream = await startUpstreamRig();
  const answer = await fetch(`${upstream.simulator.url}/v0/management/proxy-url`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${upstream.connection.managementKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ value: proxyUrl }),
  });
  expect(answer.status).toBe(200);
}

describe('a sync', () => {
  test('stores the best source of each model and tells what it did', async () => {
    catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1.1, output: 2 }, 'acme/none': {} }));
    catalogues.answer('litellm', litellm({ a: 9, b: 3.3 }));
    catalogues.answer(
      'openrouter',
      openRouter({ 'lab/c': '0.0000044', 'lab/x': '1e-6', 'other/x': '1e-6', qqq: '-1' }),
    );
    await put({
      kept: { prompt: 7, source: 'mine' },
      a: { prompt: 5, contextTiers: [{ thresholdTokens: 1, promptConfigured: true }] },
    });

    const before = Date.now();
    const answer = await sync(['a', 'b', 'c', 'x', 'zzz', 'qqq']);
    const writtenAtMs = answer.prices.a?.updatedAtMs ?? 0;
    expect(writtenAtMs).toBeGreaterThanOrEqual(before);
    const a = {
      prompt: 1.1,
      promptConfigured: true,
      completion: 2,
      completionConfigured: true,
      cache: 0,
      source: 'models.dev',
      sourceModelId: 'acme/a',
      rawJson: '{"cost":{"input":1.1,"output":2}}',
      updatedAtMs: writtenAtMs,
      syncedAtMs: writtenAtMs,
    };
    expect(answer).toMatchObject({
      source: 'multi',
      sources: ['models.dev', 'litellm', 'openrouter'],
      imported: 3,
      skipped: 2,
      unmatched: ['zzz', 'qqq'],
      proxyUsed: false,
      sourceResults: [
        { source: 'models.dev', models: 1, skipped: 1 },
        { source: 'litellm', models: 2, skipped: 0 },
        { source: 'openrouter', models: 4, skipped: 0 },
      ],
    });
    expect(answer.matched).toEqual({ a, b: expect.anything(), c: expect.anything() });
    expect(
      answer.candidates?.map(({ model, candidates }) => [model, candidates.map((one) => one.sourceModelId)]),
    ).toEqual([['x', ['lab/x', 'other/x']]]);
    expect(answer.preserved).toBeUndefined();
    expect(answer.prices).toEqual(await stored());
    expect(answer.prices.a).toEqual(a);
    expect(await summary()).toEqual({ a: 'models.dev 1.1', b: 'litellm 3.3', c: 'openrouter 4.4', kept: 'mine 7' });
  });

  test('of everything stores every id, and offers nothing', async () => {
    catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 } }));
    catalogues.answer('litellm', litellm({ 'azure/a': 2, b: 3 }));
    const answer = await sync();
    expect(await summary()).toEqual({ a: 'models.dev 1', 'azure/a': 'litellm 2', b: 'litellm 3' });
    expect([answer.imported, answer.candidates, answer.unmatched]).toEqual([3, undefined, undefined]);
    expect(catalogues.asked).toEqual(['models.dev', 'litellm', 'openrouter']);
  });

  test('does not ask a later source once every model has its price', async () => {
    catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 } }));
    catalogues.answer('litellm', litellm({ b: 3 }));
    expect(await sync(['a'])).toMatchObject({ source: 'models.dev', sources: ['models.dev'] });
    expect(catalogues.asked).toEqual(['models.dev']);
    expect((await sync(['a', 'b'])).sourceResults).toHaveLength(2);
    expect(catalogues.asked).toEqual(['models.dev', 'models.dev', 'litellm']);
  });

  test('that finds nothing changes nothing', async () => {
    catalogues.answer('litellm', litellm({ b: 3 }));
    await put({ a: { prompt: 1 } });
    const before = await stored();
    expect(await sync(['zzz'])).toMatchObject({
      source: 'litellm',
      imported: 0,
      unmatched: ['zzz'],
    });
    expect(await stored()).toEqual(before);
  });
});

describe('prices that are kept', () => {
  test('are those whose source failed while a lesser one has the model', async () => {
    catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 }, 'acme/b': { input: 1 } }));
    await sync(['a', 'b']);
    await put({ ...(await stored()), c: { prompt: 8, source: 'openrouter' }, e: { prompt: 8, source: 'openrouter' } });
    catalogues.answer('models.dev', UNAVAILABLE);
    catalogues.answer('litellm', litellm({ a: 2, c: 2, d: 2 }));

    const answer = await sync(['a', 'b', 'c', 'd']);
    expect(answer).toMatchObject({
      source: 'litellm',
      imported: 2,
      preserved: ['a', 'b'],
      unmatched: ['b'],
      sourceResults: [
        { source: 'models.dev', models: 0, skipped: 0, error: 'answered 503' },
        { source: 'litellm', models: 3, skipped: 0 },
        { source: 'openrouter', models: 0, skipped: 0, error: 'answered 503' },
      ],
    });
    expect(Object.keys(answer.matched ?? {})).toEqual(['c', 'd']);
    expect(await summary()).toEqual({
      a: 'models.dev 1',
      b: 'models.dev 1',
      c: 'litellm 2',
      d: 'litellm 2',
      e: 'openrouter 8',
    });
    expect((await sync()).preserved).toEqual(['a', 'b', 'e']);
  });

  test('are not those of a source that answers without the model', async () => {
    catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 } }));
    await sync(['a']);
    catalogues.answer('models.dev', modelsDev({ 'acme/b': { input: 1 } }));
    catalogues.answer('litellm', litellm({ a: 2 }));
    expect((await sync(['a'])).preserved).toBeUndefined();
    expect(await summary()).toEqual({ a: 'litellm 2' });
  });

  test('are those that a person typed in', async () => {
    catalogues.answer('litellm', litellm({ a: 2, b: 2 }));
    await put({ a: { prompt: 7, source: 'manual' }, b: { prompt: 7, source: 'built-in' } });
    expect(await sync(['a', 'b'])).toMatchObject({ imported: 1, preserved: ['a'] });
    expect(await summary()).toEqual({ a: 'manual 7', b: 'litellm 2' });
  });

  test('also when they were typed in while the catalogues were read', async () => {
    catalogues.answer('litellm', litellm({ a: 2, b: 2 }));
    beforeKeep = () => put({ a: { prompt: 7, source: 'manual' } });
    const answer = await sync(['a', 'b']);
    expect(answer.preserved).toEqual(['a']);
    expect(await summary()).toEqual({ a: 'manual 7', b: 'litellm 2' });
    expect(answer.prices).toEqual(await stored());
  });
});

describe('a source', () => {
  test('that changed nothing is not sent again', async () => {
    const text = JSON.stringify(modelsDev({ 'acme/a': { input: 1 } }));
    catalogues.answer('models.dev', (request) =>
      request.headers.get('if-none-match') === '"v1"'
        ? new Response(null, { status: 304 })
        : new Response(text, { headers: { ETag: '"v1"' } }),
    );
    await sync(['a']);
    await put({});
    expect(await sync(['a'])).toMatchObject({ imported: 1, sourceResults: [{ models: 1 }] });
    expect(catalogues.validators).toEqual([null, '"v1"']);
  });

  test('with a bad answer fails, and neither it nor its validator is kept', async () => {
    const versions = [
      new Response(JSON.stringify(modelsDev({ 'acme/a': { input: 1 } })), { headers: { ETag: '"good"' } }),
      new Response('{"providers":{}}', { headers: { ETag: '"bad"' } }),
      new Response(null, { status: 304 }),
    ];
    catalogues.answer('models.dev', () => versions.shift() ?? UNAVAILABLE());
    catalogues.answer('litellm', litellm({ b: 2 }));
    await sync(['a']);
    const failed = await sync(['a']);
    expect(failed.sourceResults[0]?.error).toContain('"models"');
    expect(failed).toMatchObject({ preserved: ['a'], imported: 0 });
    expect(await sync(['a'])).toMatchObject({ imported: 1, sources: ['models.dev'] });
    const validators = catalogues.validators.filter((_, index) => catalogues.asked[index] === 'models.dev');
    expect(validators).toEqual([null, '"good"', '"good"']);
  });

  test('whose good answer has no validator is asked in full the next time', async () => {
    const body = JSON.stringify(modelsDev({ 'acme/a': { input: 1 } }));
    const versions = [new Response(body, { headers: { ETag: '"v1"' } }), new Response(body), new Response(body)];
    catalogues.answer('models.dev', () => versions.shift() ?? UNAVAILABLE());
    for (let round = 0; round < 3; round++) await sync(['a']);
    expect(catalogues.validators).toEqual([null, '"v1"', null]);
  });

  test('of the others is always asked in full', async () => {
    catalogues.answer('litellm', new Response(JSON.stringify(litellm({ a: 1 })), { headers: { ETag: '"v1"' } }));
    await sync(['a']);
    await sync(['a']);
    expect(catalogues.validators.every((validator) => validator === null)).toBe(true);
  });

  test('may be compressed', async () => {
    catalogues.answer(
      'litellm',
      new Response(gzipSync(JSON.stringify(litellm({ a: 4 }))), { headers: { 'Content-Encoding': 'gzip' } }),
    );
    await sync(['a']);
    expect(await summary()).toEqual({ a: 'litellm 4' });
  });

  test('may answer from elsewhere', async () => {
    catalogues.answer('litellm', () => Response.redirect(`${catalogues.url}/moved`));
    catalogues.answer('moved', litellm({ a: 4 }));
    expect(await sync(['a'])).toMatchObject({ imported: 1, source: 'litellm' });
  });

  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const slow = (first: string) =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(first)),
      }),
    );
  test.each([
    ['an error', UNAVAILABLE, 'answered 503'],
    ['no text', () => new Response(null, { status: 204 }), 'answered 204'],
    ['304 to a request without validator', () => new Response(null, { status: 304 }), 'answered 304'],
    ['a page', () => new Response('<html>'), 'the answer is not JSON'],
    ['a list', () => Response.json([1]), 'the answer is not a JSON object'],
    ['too much', () => new Response('x'.repeat(MAX_BYTES + 1)), `above ${MAX_BYTES} bytes`],
    [
      'a few bytes that stand for very many',
      () => new Response(bomb, { headers: { 'Content-Encoding': 'gzip' } }),
      `above ${MAX_BYTES} bytes`,
    ],
    ['a compression nobody knows', () => new Response('x', { headers: { 'Content-Encoding': 'xyz' } }), 'unreadable'],
    ['nothing', () => new Promise<Response>(() => {}), 'no complete answer within 1 s'],
    ['half of it', () => slow('{"a":'), 'no complete answer within 1 s'],
  ])('that answers with %s fails, and the next one is asked', async (_name, answer, error) => {
    catalogues.answer('models.dev', answer);
    catalogues.answer('litellm', litellm({ a: 2 }));
    const { sourceResults } = await sync(['a']);
    expect(sourceResults[0]?.error).toContain(error);
    expect(await summary()).toEqual({ a: 'litellm 2' });
  });

  test('is not replaced by others when all fail: nothing changes and every reason is told', async () => {
    await put({ a: { prompt: 1, source: 'models.dev' } });
    const before = await stored();
    catalogues.answer('litellm', new Response('{'));
    catalogues.answer('openrouter', { data: 5 });
    expect(await refusal(['a'])).toBe(
      'no price source answered: models.dev: answered 503; litellm: the answer is not JSON; ' +
        'openrouter: the answer has no list "data"',
    );
    expect(await stored()).toEqual(before);
    expect(kept).toBe(0);
  });

  test('that is not there at all', async () => {
    await catalogues.stop();
    expect(await refusal()).toMatch(/^no price source answered: models\.dev: cannot be reached \(\w+\); litellm: /);
  });
});

describe('the proxy of the upstream', () => {
  test('carries every call', async () => {
    const seen: (string | null)[] = [];
    const proxy = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        seen.push(request.headers.get('proxy-authorization'));
        return fetch(request.url, { headers: { Accept: 'application/json' } });
      },
    });
    try {
      await setUpstream(`http://us%40er:secret@127.0.0.1:${proxy.port}`);
      catalogues.answer('litellm', litellm({ a: 2 }));
      const answer = await sync(['a']);
      expect(answer).toMatchObject({ proxyUsed: true, imported: 1 });
      expect(seen).toEqual(Array.from({ length: 2 }, () => `Basic ${btoa('us@er:secret')}`));
      expect(JSON.stringify(answer)).not.toContain('secret');
    } finally {
      await proxy.stop(true);
    }
  });

  test.each([
    ['socks5', null],
    ['socks5h', { user: 'us:er', password: 'p@ss' }],
  ])('may speak %s', async (scheme, login) => {
    const socks = await startSocks(login);
    try {
      const credentials =
        login === null ? '' : `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`;
      await setUpstream(`${scheme}://${credentials}127.0.0.1:${socks.port}`);
      catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 } }));
      catalogues.answer('litellm', litellm({ b: 2 }));
      expect(await sync(['a', 'b'])).toMatchObject({ proxyUsed: true, imported: 2 });
      const { host } = new URL(catalogues.url);
      expect(socks.targets).toEqual([host, host]);
    } finally {
      await socks.stop();
    }
  });

  test('that refuses our password is named, without it', async () => {
    const socks = await startSocks({ user: 'user', password: 'right' });
    try {
      await setUpstream(`socks5://user:wrong-secret@127.0.0.1:${socks.port}`);
      const text = await refusal(['a']);
      expect(text).toContain('models.dev: ');
      expect(text).not.toContain('wrong-secret');
      expect(socks.targets).toEqual([]);
    } finally {
      await socks.stop();
    }
  });

  test('that is not there fails every source', async () => {
    const gone = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    const { port } = gone;
    await gone.stop(true);
    await setUpstream(`http://user:wrong-secret@127.0.0.1:${port}`);
    const text = await refusal(['a']);
    expect(text).toContain('through the proxy of the upstream');
    expect(text).not.toContain('wrong-secret');
    expect(catalogues.asked).toEqual([]);
  });

  test.each([
    ['127.0.0.1:7890', 'a scheme and a host are needed'],
    ['localhost:7890', 'a scheme and a host are needed'],
    ['http://', 'a scheme and a host are needed'],
    ['user:wrong-secret@proxy', 'a scheme and a host are needed'],
    ['ftp://user:wrong-secret@proxy:1', 'its scheme must be'],
  ])('%s cannot be used', async (proxyUrl, why) => {
    await setUpstream(proxyUrl);
    const text = await refusal(['a']);
    expect(text).toContain(why);
    expect(text).not.toContain('wrong-secret');
    expect(catalogues.asked).toEqual([]);
  });

  test.each(['', ' ', 'direct', 'NONE'])('%p is none', async (proxyUrl) => {
    await setUpstream(proxyUrl);
    catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 } }));
    expect(await sync(['a'])).toMatchObject({ proxyUsed: false, imported: 1 });
  });

  test('is none where the upstream does not answer', async () => {
    await setUpstream('http://127.0.0.1:1');
    await upstream?.simulator.stop();
    catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 } }));
    expect(await sync(['a'])).toMatchObject({ proxyUsed: false, imported: 1 });
  });
});

describe('syncs', () => {
  test('run one after the other', async () => {
    let running = 0;
    let most = 0;
    const steps: string[] = [];
    catalogues.answer('models.dev', async () => {
      most = Math.max(most, ++running);
      steps.push('ask');
      await Bun.sleep(30);
      return Response.json(modelsDev({ 'acme/a': { input: 1 } }));
    });
    beforeKeep = async () => {
      steps.push('store');
      running--;
    };
    const answers = await Promise.all([sync(['a']), sync(['a']), sync(['a'])]);
    expect(answers.map(({ imported }) => imported)).toEqual([1, 1, 1]);
    expect(most).toBe(1);
    expect(steps).toEqual(['ask', 'store', 'ask', 'store', 'ask', 'store']);
  });

  test('go on after one that failed', async () => {
    const failed = refusal(['a']);
    await failed;
    catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 } }));
    expect(await sync(['a'])).toMatchObject({ imported: 1 });
  });

  test('whose caller left store nothing', async () => {
    const leave = new AbortController();
    const arrived = Promise.withResolvers<void>();
    catalogues.answer('models.dev', async () => {
      arrived.resolve();
      await Bun.sleep(150);
      return Response.json(modelsDev({ 'acme/a': { input: 1 } }));
    });
    const abandoned = call('POST', '/sync', { models: ['a'] }, leave.signal);
    await arrived.promise;
    leave.abort();
    expect(await abandoned.catch((error: unknown) => error instanceof Error && error.name)).toBe('AbortError');
    // The next one waits for its end.
    await sync(['b']);
    expect(kept).toBe(1);
    expect(await stored()).toEqual({});
  });
});
