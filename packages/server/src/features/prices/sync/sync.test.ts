import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { litellm, modelsDev, openRouter, UNAVAILABLE } from './testing/catalogues.ts';
import { type SyncRig, startSyncRig } from './testing/rig.ts';

let rig: SyncRig;

beforeEach(() => {
  rig = startSyncRig();
});
afterEach(() => rig.stop());

describe('a sync', () => {
  test('stores the best source of each model and reports the result', async () => {
    rig.catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1.1, output: 2 }, 'acme/none': {} }));
    rig.catalogues.answer('litellm', litellm({ a: 9, b: 3.3 }));
    rig.catalogues.answer(
      'openrouter',
      openRouter({ 'lab/c': '0.0000044', 'lab/x': '1e-6', 'other/x': '1e-6', qqq: '-1' }),
    );
    await rig.put({
      kept: { prompt: 7, source: 'mine' },
      a: { prompt: 5, contextTiers: [{ thresholdTokens: 1, promptConfigured: true }] },
    });

    const before = Date.now();
    const answer = await rig.sync(['a', 'b', 'c', 'x', 'zzz', 'qqq']);
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
    expect(answer.prices).toEqual(await rig.stored());
    expect(answer.prices.a).toEqual(a);
    expect(await rig.summary()).toEqual({ a: 'models.dev 1.1', b: 'litellm 3.3', c: 'openrouter 4.4', kept: 'mine 7' });
  });

  test('of everything stores every id, and offers no candidates', async () => {
    rig.catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 } }));
    rig.catalogues.answer('litellm', litellm({ 'azure/a': 2, b: 3 }));
    const answer = await rig.sync();
    expect(await rig.summary()).toEqual({ a: 'models.dev 1', 'azure/a': 'litellm 2', b: 'litellm 3' });
    expect([answer.imported, answer.candidates, answer.unmatched]).toEqual([3, undefined, undefined]);
    expect(rig.catalogues.asked).toEqual(['models.dev', 'litellm', 'openrouter']);
  });

  test('does not read a later source once every model has a price', async () => {
    rig.catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 } }));
    rig.catalogues.answer('litellm', litellm({ b: 3 }));
    expect(await rig.sync(['a'])).toMatchObject({ source: 'models.dev', sources: ['models.dev'] });
    expect(rig.catalogues.asked).toEqual(['models.dev']);
    expect((await rig.sync(['a', 'b'])).sourceResults).toHaveLength(2);
    expect(rig.catalogues.asked).toEqual(['models.dev', 'models.dev', 'litellm']);
  });

  test('that finds nothing changes nothing', async () => {
    rig.catalogues.answer('litellm', litellm({ b: 3 }));
    await rig.put({ a: { prompt: 1 } });
    const before = await rig.stored();
    expect(await rig.sync(['zzz'])).toMatchObject({
      source: 'litellm',
      imported: 0,
      unmatched: ['zzz'],
    });
    expect(await rig.stored()).toEqual(before);
  });
});

describe('kept prices', () => {
  test('are those whose source failed while a lower-ranked one has the model', async () => {
    rig.catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 }, 'acme/b': { input: 1 } }));
    await rig.sync(['a', 'b']);
    await rig.put({
      ...(await rig.stored()),
      c: { prompt: 8, source: 'openrouter' },
      e: { prompt: 8, source: 'openrouter' },
    });
    rig.catalogues.answer('models.dev', UNAVAILABLE);
    rig.catalogues.answer('litellm', litellm({ a: 2, c: 2, d: 2 }));

    const answer = await rig.sync(['a', 'b', 'c', 'd']);
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
    expect(await rig.summary()).toEqual({
      a: 'models.dev 1',
      b: 'models.dev 1',
      c: 'litellm 2',
      d: 'litellm 2',
      e: 'openrouter 8',
    });
    expect((await rig.sync()).preserved).toEqual(['a', 'b', 'e']);
  });

  test('are not those of a source that answers without the model', async () => {
    rig.catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 } }));
    await rig.sync(['a']);
    rig.catalogues.answer('models.dev', modelsDev({ 'acme/b': { input: 1 } }));
    rig.catalogues.answer('litellm', litellm({ a: 2 }));
    expect((await rig.sync(['a'])).preserved).toBeUndefined();
    expect(await rig.summary()).toEqual({ a: 'litellm 2' });
  });

  test('are manual ones', async () => {
    rig.catalogues.answer('litellm', litellm({ a: 2, b: 2 }));
    await rig.put({ a: { prompt: 7, source: 'manual' }, b: { prompt: 7, source: 'built-in' } });
    expect(await rig.sync(['a', 'b'])).toMatchObject({ imported: 1, preserved: ['a'] });
    expect(await rig.summary()).toEqual({ a: 'manual 7', b: 'litellm 2' });
  });

  test('are those of an entry that a person chose, with its newest price', async () => {
    rig.catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 }, 'acme/b': { input: 1 } }));
    rig.catalogues.answer('litellm', litellm({ 'reseller/a': 2, b: 2 }));
    await rig.sync(['a', 'b']);
    const { b } = await rig.stored();
    const choice = { prompt: 2, source: 'litellm', sourceModelId: 'reseller/a', syncedAtMs: 5 };
    await rig.put({ a: choice, b });
    // Other prices are edited, so the whole table is written again.
    await rig.put({ ...(await rig.stored()), c: { prompt: 9, source: 'manual' } });

    rig.catalogues.answer('litellm', litellm({ 'reseller/a': 3, b: 3 }));
    expect((await rig.sync(['a', 'b'])).preserved).toBeUndefined();
    expect(await rig.summary()).toEqual({ a: 'litellm 3', b: 'models.dev 1', c: 'manual 9' });
    expect((await rig.sync()).matched).toMatchObject({ a: { sourceModelId: 'reseller/a' } });

    rig.catalogues.answer('litellm', litellm({ b: 4 }));
    expect(await rig.sync(['a'])).toMatchObject({ imported: 0, preserved: ['a'] });
    rig.catalogues.answer('litellm', UNAVAILABLE);
    expect((await rig.sync(['a'])).preserved).toEqual(['a']);
    expect(await rig.summary()).toMatchObject({ a: 'litellm 3' });

    // Without its price a model gets the automatic match again.
    await rig.put({ b });
    await rig.sync(['a']);
    expect(await rig.summary()).toEqual({ a: 'models.dev 1', b: 'models.dev 1' });
  });

  test('are those of an entry that was chosen while the catalogues were read', async () => {
    rig.catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 } }));
    rig.beforeKeep = () => rig.put({ a: { prompt: 2, source: 'litellm', sourceModelId: 'reseller/a' } });
    expect((await rig.sync(['a'])).preserved).toEqual(['a']);
    expect(await rig.summary()).toEqual({ a: 'litellm 2' });
  });

  test('are manual ones, also when they were entered while the catalogues were read', async () => {
    rig.catalogues.answer('litellm', litellm({ a: 2, b: 2 }));
    rig.beforeKeep = () => rig.put({ a: { prompt: 7, source: 'manual' } });
    const answer = await rig.sync(['a', 'b']);
    expect(answer.preserved).toEqual(['a']);
    expect(await rig.summary()).toEqual({ a: 'manual 7', b: 'litellm 2' });
    expect(answer.prices).toEqual(await rig.stored());
  });
});

describe('syncs', () => {
  test('run one after the other', async () => {
    let running = 0;
    let most = 0;
    const steps: string[] = [];
    rig.catalogues.answer('models.dev', async () => {
      most = Math.max(most, ++running);
      steps.push('ask');
      await Bun.sleep(30);
      return Response.json(modelsDev({ 'acme/a': { input: 1 } }));
    });
    rig.beforeKeep = async () => {
      steps.push('store');
      running--;
    };
    const answers = await Promise.all([rig.sync(['a']), rig.sync(['a']), rig.sync(['a'])]);
    expect(answers.map(({ imported }) => imported)).toEqual([1, 1, 1]);
    expect(most).toBe(1);
    expect(steps).toEqual(['ask', 'store', 'ask', 'store', 'ask', 'store']);
  });

  test('continue after a failed one', async () => {
    const failed = rig.refusal(['a']);
    await failed;
    rig.catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 } }));
    expect(await rig.sync(['a'])).toMatchObject({ imported: 1 });
  });

  test('whose caller disconnected store nothing', async () => {
    const leave = new AbortController();
    const arrived = Promise.withResolvers<void>();
    rig.catalogues.answer('models.dev', async () => {
      arrived.resolve();
      await Bun.sleep(150);
      return Response.json(modelsDev({ 'acme/a': { input: 1 } }));
    });
    const abandoned = rig.post(['a'], leave.signal);
    await arrived.promise;
    leave.abort();
    expect(await abandoned.catch((error: unknown) => error instanceof Error && error.name)).toBe('AbortError');
    // The next one waits for its end.
    await rig.sync(['b']);
    expect(rig.kept).toBe(1);
    expect(await rig.stored()).toEqual({});
  });
});
