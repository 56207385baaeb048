import { describe, expect, test } from 'bun:test';
import { checkPrice } from '../validate.ts';
import { CatalogueError } from './catalogue.ts';
import { readLiteLlm } from './litellm.ts';
import { readModelsDev } from './models-dev.ts';
import { readOpenRouter } from './open-router.ts';

/** The only entry, without its source. */
function litellm(entry: string) {
  return only(readLiteLlm(`{"m":${entry}}`));
}

function openRouter(pricing: string) {
  return only(readOpenRouter(`{"data":[{"id":"p/m","pricing":${pricing}}]}`));
}

function modelsDev(model: string) {
  return only(readModelsDev(`{"p":{"models":{"m":${model}}}}`));
}

function only({ entries }: ReturnType<typeof readLiteLlm>) {
  const { source: _source, sourceModelId: _id, rawJson: _raw, ...rates } = entries[0]?.price ?? {};
  expect(entries).toHaveLength(1);
  return rates;
}

const PROMPT = { prompt: 3.3, promptConfigured: true, completion: 0, cache: 0 };
const COMPLETION = { prompt: 0, completion: 3.3, completionConfigured: true, cache: 0 };
const READ = { prompt: 0, completion: 0, cache: 3.3, cacheRead: 3.3, cacheReadConfigured: true };
const WRITE = { prompt: 0, completion: 0, cache: 0, cacheCreation: 3.3, cacheCreationConfigured: true };

const WRITE_1H = { prompt: 0, completion: 0, cache: 0, cacheWrite1h: 3.3, cacheWrite1hConfigured: true };

describe('LiteLLM', () => {
  test.each([
    ['input_cost_per_token', PROMPT],
    ['output_cost_per_token', COMPLETION],
    ['cache_read_input_token_cost', READ],
    ['input_cache_read', READ],
    ['cache_creation_input_token_cost', WRITE],
    ['cache_write_input_token_cost', WRITE],
    ['input_cache_write', WRITE],
    ['input_cache_creation', WRITE],
    ['cache_creation_input_token_cost_above_1hr', WRITE_1H],
    ['cache_write_input_token_cost_above_1hr', WRITE_1H],
  ])('%s is dollars per token, as number or text', (name, rates) => {
    expect(litellm(`{"${name}":3.3e-06}`)).toEqual(rates);
    expect(litellm(`{"${name}":"0.0000033"}`)).toEqual(rates);
  });

  test('of two names the first counts', () => {
    expect(litellm('{"input_cache_read":9,"cache_read_input_token_cost":3.3e-06}')).toEqual(READ);
    expect(litellm('{"input_cache_creation":9,"cache_creation_input_token_cost":3.3e-06}')).toEqual(WRITE);
    expect(litellm('{"input_cache_read":3.3e-06,"cache_read_input_token_cost":null}')).toEqual(READ);
  });

  test('keeps the source of a price, with its exact digits', () => {
    const { entries } = readLiteLlm('{"azure/m":{"input_cost_per_token":1.10e-06, "mode":"chat"}}');
    expect(entries).toEqual([
      {
        id: 'azure/m',
        alias: '',
        price: {
          prompt: 1.1,
          promptConfigured: true,
          completion: 0,
          cache: 0,
          source: 'litellm',
          sourceModelId: 'azure/m',
          rawJson: '{"input_cost_per_token":1.10e-06,"mode":"chat"}',
        },
      },
    ]);
  });

  test('entries without any rate are counted, the sample is no entry', () => {
    const text =
      '{"sample_spec":{"input_cost_per_token":0},"image":{"mode":"image"},"x":7,"m":{"input_cost_per_token":0}}';
    const { entries, skipped } = readLiteLlm(text);
    expect(entries.map(({ id }) => id)).toEqual(['m']);
    expect(skipped).toBe(2);
  });

  test('a price of 0 is a price', () => {
    expect(litellm('{"input_cost_per_token":0,"output_cost_per_token":"0"}')).toEqual({
      prompt: 0,
      promptConfigured: true,
      completion: 0,
      completionConfigured: true,
      cache: 0,
    });
  });

  test.each(['{"input_cost_per_token":"free"}', '{"input_cost_per_token":""}', '{"input_cost_per_token":true}', '{}'])(
    '%s is no price',
    (entry) => {
      expect(readLiteLlm(`{"m":${entry},"n":{"input_cost_per_token":1}}`)).toMatchObject({ skipped: 1 });
    },
  );

  test.each([
    '{"input_cost_per_token":-1}',
    '{"input_cost_per_token":1e-6,"output_cost_per_token":-1e-6}',
    '{"input_cost_per_token":1e-6,"output_cost_per_token":"varies"}',
    '{"input_cost_per_token":1e400}',
  ])('%s is a price that cannot be stored', (entry) => {
    const [found] = readLiteLlm(`{"m":${entry}}`).entries;
    expect(found).toBeDefined();
    if (found !== undefined) expect(checkPrice('m', found.price).kind).toBe('invalid');
  });

  test.each([
    '',
    '[]',
    'null',
    '"a"',
    '{',
    '{}',
    '{"m":{"mode":"chat"}}',
    '{"sample_spec":{"input_cost_per_token":1}}',
  ])('an answer of %s is refused', (text) => {
    expect(() => readLiteLlm(text)).toThrow(CatalogueError);
  });
});

describe('OpenRouter', () => {
  test.each([
    ['prompt', PROMPT],
    ['completion', COMPLETION],
    ['input_cache_read', READ],
    ['cache_read_input_token_cost', READ],
    ['input_cache_write', WRITE],
    ['input_cache_creation', WRITE],
    ['cache_creation_input_token_cost', WRITE],
    ['cache_write_input_token_cost', WRITE],
    ['input_cache_write_1h', WRITE_1H],
    ['input_cache_creation_1h', WRITE_1H],
    ['cache_creation_input_token_cost_above_1hr', WRITE_1H],
  ])('%s is dollars per token, as text or number', (name, rates) => {
    expect(openRouter(`{"${name}":"0.0000033"}`)).toEqual(rates);
    expect(openRouter(`{"${name}":3.3e-6}`)).toEqual(rates);
  });

  test('of two names the first counts', () => {
    expect(openRouter('{"cache_read_input_token_cost":"9","input_cache_read":"0.0000033"}')).toEqual(READ);
    expect(openRouter('{"cache_creation_input_token_cost":"9","input_cache_write":"0.0000033"}')).toEqual(WRITE);
  });

  test('a price that varies cannot be stored', () => {
    const [found] = readOpenRouter('{"data":[{"id":"auto","pricing":{"prompt":"-1","completion":"-1"}}]}').entries;
    expect(found?.price.prompt).toBe(-1_000_000);
    if (found !== undefined) expect(checkPrice('auto', found.price).kind).toBe('invalid');
  });

  test('entries without id or price are counted', () => {
    const data =
      '[{"id":"a"},{"pricing":{"prompt":"1"}},{"id":"b","pricing":{"image":"1"}},7,{"id":"m","pricing":{"prompt":"0"}}]';
    const { entries, skipped } = readOpenRouter(`{"data":${data}}`);
    expect(entries.map(({ id, alias, price }) => [id, alias, price.source, price.sourceModelId])).toEqual([
      ['m', '', 'openrouter', 'm'],
    ]);
    expect(skipped).toBe(4);
  });

  test.each(['{}', '{"data":{}}', '{"data":[]}', '[]', '<html>', '{"data":[{"id":"a"}]}'])(
    'an answer of %s is refused',
    (text) => {
      expect(() => readOpenRouter(text)).toThrow(CatalogueError);
    },
  );
});

describe('models.dev', () => {
  test.each([
    ['input', PROMPT],
    ['output', COMPLETION],
    ['cache_read', READ],
    ['cache_write', WRITE],
    ['cache_write_1h', WRITE_1H],
  ])('cost.%s is dollars per million', (name, rates) => {
    expect(modelsDev(`{"cost":{"${name}":3.3}}`)).toEqual(rates);
    expect(modelsDev(`{"cost":{"${name}":"3.30"}}`)).toEqual(rates);
  });

  test('ids have their provider in front, in both shapes', () => {
    const providers =
      '{"acme":{"id":"acme","models":{"chat/2":{"id":"chat/2","cost":{"input":1}},"dark":{}}},"empty":{}}';
    const older = readModelsDev(providers);
    expect(older.canonicalIds).toBeNull();
    const newer = readModelsDev(`{"providers":${providers},"models":{"acme/chat":{}}}`);
    expect(newer.canonicalIds).toEqual(['acme/chat']);
    for (const { entries, skipped } of [older, newer]) {
      expect(skipped).toBe(1);
      expect(entries).toEqual([
        {
          id: 'acme/chat/2',
          alias: 'chat/2',
          price: {
            prompt: 1,
            promptConfigured: true,
            completion: 0,
            cache: 0,
            source: 'models.dev',
            sourceModelId: 'acme/chat/2',
            rawJson: '{"id":"chat/2","cost":{"input":1}}',
          },
        },
      ]);
    }
  });

  const base = { prompt: 1, promptConfigured: true, completion: 0, cache: 0 };
  const cost = (tiers: string) => modelsDev(`{"cost":{"input":1,"tiers":${tiers}}}`);

  test('context tiers have a threshold and their own rates', () => {
    const tiers = cost(
      '[{"tier":{"type":"Context","size":200000},"input":2,"output":0,"cache_read":0.2,"cache_write":3},' +
        '{"tier":{"type":"context","size":"400000"},"output":9},{"tier":{"type":"batch"},"input":7}]',
    );
    expect(tiers).toEqual({
      ...base,
      contextTiers: [
        {
          thresholdTokens: 200_000,
          prompt: 2,
          promptConfigured: true,
          completion: 0,
          completionConfigured: true,
          cache: 0.2,
          cacheConfigured: true,
          cacheRead: 0.2,
          cacheReadConfigured: true,
          cacheCreation: 3,
          cacheCreationConfigured: true,
        },
        { thresholdTokens: 400_000, prompt: 0, completion: 9, completionConfigured: true, cache: 0 },
      ],
    });
  });

  const good = '{"tier":{"type":"context","size":1000},"input":2}';
  test.each([
    ['a size of 0', `[${good},{"tier":{"type":"context","size":0},"input":2}]`],
    ['a size below 0', `[${good},{"tier":{"type":"context","size":-5},"input":2}]`],
    ['no size', `[${good},{"tier":{"type":"context"},"input":2}]`],
    ['half a token', `[${good},{"tier":{"type":"context","size":1.5},"input":2}]`],
    ['a size that is no number', `[${good},{"tier":{"type":"context","size":"big"},"input":2}]`],
    ['no rates', `[${good},{"tier":{"type":"context","size":2000}}]`],
    ['one threshold twice', `[${good},{"tier":{"type":"context","size":1000},"output":2}]`],
    ['only other tiers', '[{"tier":{"type":"time"},"input":2},{"input":5},7]'],
    ['no list', '{}'],
  ])('%s: no tiers, but the price stays', (_name, tiers) => {
    expect(cost(tiers)).toEqual(base);
  });

  test('the fast mode is the tier priority, other modes are ignored', () => {
    const model = (modes: string) => modelsDev(`{"cost":{"input":1},"experimental":{"modes":${modes}}}`);
    expect(model('{"fast":{"cost":{"input":2,"output":4}},"slow":{"cost":{"input":0.5}}}')).toEqual({
      ...base,
      serviceTiers: [
        {
          mode: 'fast',
          serviceTier: 'priority',
          prompt: 2,
          promptConfigured: true,
          completion: 4,
          completionConfigured: true,
          cache: 0,
        },
      ],
    });
    expect(model('{"fast":{"cost":{}},"slow":{"cost":{"input":0.5}}}')).toEqual(base);
    expect(model('{"fast":7}')).toEqual(base);
    expect(modelsDev('{"cost":{"input":1,"reasoning":9,"input_audio":5}}')).toEqual(base);
  });

  test.each([
    ['providers without models', '{"providers":{"p":{"models":{"m":{"cost":{"input":1}}}}}}'],
    ['providers with no model', '{"providers":{"p":{"models":{"m":{"cost":{"input":1}}}}},"models":{}}'],
    ['providers that are a list', '{"providers":[],"models":{"p/m":{}}}'],
    ['no price at all', '{"p":{"models":{"m":{"cost":{}}}}}'],
    ['an empty object', '{}'],
    ['a page', '<!doctype html>'],
  ])('an answer with %s is refused', (_name, text) => {
    expect(() => readModelsDev(text)).toThrow(CatalogueError);
  });
});
