import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { litellm, modelsDev, UNAVAILABLE } from './testing/catalogues.ts';
import { MAX_BYTES, type SyncRig, startSyncRig } from './testing/rig.ts';

let rig: SyncRig;

beforeEach(() => {
  rig = startSyncRig();
});
afterEach(() => rig.stop());

describe('a source', () => {
  test('that has not changed is not sent again', async () => {
    const text = JSON.stringify(modelsDev({ 'acme/a': { input: 1 } }));
    rig.catalogues.answer('models.dev', (request) =>
      request.headers.get('if-none-match') === '"v1"'
        ? new Response(null, { status: 304 })
        : new Response(text, { headers: { ETag: '"v1"' } }),
    );
    await rig.sync(['a']);
    await rig.put({});
    expect(await rig.sync(['a'])).toMatchObject({ imported: 1, sourceResults: [{ models: 1 }] });
    expect(rig.catalogues.validators).toEqual([null, '"v1"']);
  });

  test('with a bad answer fails, and neither it nor its validator is cached', async () => {
    const versions = [
      new Response(JSON.stringify(modelsDev({ 'acme/a': { input: 1 } })), { headers: { ETag: '"good"' } }),
      new Response('{"providers":{}}', { headers: { ETag: '"bad"' } }),
      new Response(null, { status: 304 }),
    ];
    rig.catalogues.answer('models.dev', () => versions.shift() ?? UNAVAILABLE());
    rig.catalogues.answer('litellm', litellm({ b: 2 }));
    await rig.sync(['a']);
    const failed = await rig.sync(['a']);
    expect(failed.sourceResults[0]?.error).toContain('"models"');
    expect(failed).toMatchObject({ preserved: ['a'], imported: 0 });
    expect(await rig.sync(['a'])).toMatchObject({ imported: 1, sources: ['models.dev'] });
    const validators = rig.catalogues.validators.filter((_, index) => rig.catalogues.asked[index] === 'models.dev');
    expect(validators).toEqual([null, '"good"', '"good"']);
  });

  test('whose good answer has no validator is read completely the next time', async () => {
    const body = JSON.stringify(modelsDev({ 'acme/a': { input: 1 } }));
    const versions = [new Response(body, { headers: { ETag: '"v1"' } }), new Response(body), new Response(body)];
    rig.catalogues.answer('models.dev', () => versions.shift() ?? UNAVAILABLE());
    for (let round = 0; round < 3; round++) await rig.sync(['a']);
    expect(rig.catalogues.validators).toEqual([null, '"v1"', null]);
  });

  test('without revalidation is always read completely', async () => {
    rig.catalogues.answer('litellm', new Response(JSON.stringify(litellm({ a: 1 })), { headers: { ETag: '"v1"' } }));
    await rig.sync(['a']);
    await rig.sync(['a']);
    expect(rig.catalogues.validators.every((validator) => validator === null)).toBe(true);
  });

  test('may be compressed', async () => {
    rig.catalogues.answer(
      'litellm',
      new Response(gzipSync(JSON.stringify(litellm({ a: 4 }))), { headers: { 'Content-Encoding': 'gzip' } }),
    );
    await rig.sync(['a']);
    expect(await rig.summary()).toEqual({ a: 'litellm 4' });
  });

  test('may redirect', async () => {
    rig.catalogues.answer('litellm', () => Response.redirect(`${rig.catalogues.url}/moved`));
    rig.catalogues.answer('moved', litellm({ a: 4 }));
    expect(await rig.sync(['a'])).toMatchObject({ imported: 1, source: 'litellm' });
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
    ['a page', () => new Response('<html>'), 'the response is not JSON'],
    ['a list', () => Response.json([1]), 'the response is not a JSON object'],
    ['too much', () => new Response('x'.repeat(MAX_BYTES + 1)), `above ${MAX_BYTES} bytes`],
    [
      'a few bytes that stand for very many',
      () => new Response(bomb, { headers: { 'Content-Encoding': 'gzip' } }),
      `above ${MAX_BYTES} bytes`,
    ],
    ['a compression nobody knows', () => new Response('x', { headers: { 'Content-Encoding': 'xyz' } }), 'unreadable'],
    ['nothing', () => new Promise<Response>(() => {}), 'no complete response within 3 s'],
    ['half of it', () => slow('{"a":'), 'no complete response within 3 s'],
  ])('that answers with %s fails, and the next one is asked', async (_name, answer, error) => {
    rig.catalogues.answer('models.dev', answer);
    rig.catalogues.answer('litellm', litellm({ a: 2 }));
    const { sourceResults } = await rig.sync(['a']);
    expect(sourceResults[0]?.error).toContain(error);
    expect(await rig.summary()).toEqual({ a: 'litellm 2' });
  });

  test('is not replaced by others when all fail: nothing changes and every reason is reported', async () => {
    await rig.put({ a: { prompt: 1, source: 'models.dev' } });
    const before = await rig.stored();
    rig.catalogues.answer('litellm', new Response('{'));
    rig.catalogues.answer('openrouter', { data: 5 });
    expect(await rig.refusal(['a'])).toBe(
      'no price catalog responded: models.dev: answered 503; litellm: the response is not JSON; ' +
        'openrouter: the response has no list "data"',
    );
    expect(await rig.stored()).toEqual(before);
    expect(rig.kept).toBe(0);
  });

  test('that is unreachable', async () => {
    await rig.catalogues.stop();
    expect(await rig.refusal()).toMatch(
      /^no price catalog responded: models\.dev: cannot be reached \(\w+\); litellm: /,
    );
  });
});
