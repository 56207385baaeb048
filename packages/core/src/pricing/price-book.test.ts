import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type BilledTokens, bandOf, costOf, costOfEvent, costOfSums, type EventTokens } from './cost.ts';
import { LONG_INPUT_TOKENS } from './model-families.ts';
import type { ModelPrice } from './price.ts';
import { createPriceBook, type PricedIdentity, type TokenRates } from './price-book.ts';

function identity(model: string, serviceTier = ''): PricedIdentity {
  return { analyticsModel: model, billingModel: model, requestedModel: model, serviceTier };
}

const BASE: ModelPrice = { prompt: 2, completion: 8, cache: 0.5 };

function bandsOf(price: ModelPrice, model = 'acme', serviceTier = ''): readonly TokenRates[] {
  return createPriceBook({ [model]: price }).plan(identity(model, serviceTier)).bands;
}

describe('a plan', () => {
  test('of an unknown model costs nothing and is unpriced', () => {
    expect(createPriceBook({}).plan(identity('acme'))).toEqual({
      priced: false,
      thresholds: [],
      bands: [{ input: 0, cacheRead: 0, cacheCreation: 0, cacheWrite1h: 0, output: 0 }],
      longOnly: false,
    });
  });

  test('of a name that is an object built-in is unpriced', () => {
    for (const model of ['constructor', 'toString', '__proto__']) {
      expect(createPriceBook({}).plan(identity(model)).priced).toBe(false);
    }
  });

  test('is the same object for equal identities, whatever the spelling of the tier', () => {
    const book = createPriceBook({ acme: BASE });
    expect(book.plan(identity('acme', 'flex'))).toBe(book.plan(identity('acme', ' FLEX ')));
    expect(book.plan(identity('acme', 'flex'))).not.toBe(book.plan(identity('acme')));
  });

  test('separates names whose concatenations are equal', () => {
    const book = createPriceBook({ a: BASE, 'a","b': { ...BASE, prompt: 9 } });
    const first = book.plan({ ...identity('a'), analyticsModel: 'b' });
    const second = book.plan({ ...identity('a","b'), analyticsModel: '' });
    expect(first.bands[0]?.input).toBe(2);
    expect(second.bands[0]?.input).toBe(9);
  });

  test('is kept for a bounded number of identities', () => {
    const book = createPriceBook({ acme: BASE });
    const first = book.plan(identity('acme'));
    for (let index = 0; index < 20_001; index++) book.plan(identity(`model-${index}`));
    expect(book.plan(identity('acme'))).toEqual(first);
  });

  test('uses the requested name only where a priced name has a reasoning suffix', () => {
    const plain = createPriceBook({ acme: BASE });
    expect(plain.hasSuffixedNames).toBe(false);
    const suffixed = createPriceBook({ 'acme(high)': BASE });
    expect(suffixed.hasSuffixedNames).toBe(true);
    expect(suffixed.plan({ ...identity('acme'), requestedModel: 'acme(high)' }).priced).toBe(true);
    expect(suffixed.plan({ ...identity('acme'), requestedModel: 'acme(low)' }).priced).toBe(false);
  });

  test('derives unset cache rates from the prompt, and takes set ones of 0 as free', () => {
    expect(bandsOf({ ...BASE, cache: 0 })).toEqual([
      { input: 2, cacheRead: 0.2, cacheCreation: 2, cacheWrite1h: 2, output: 8 },
    ]);
    expect(bandsOf({ ...BASE, cacheReadConfigured: true, cacheCreation: 0, cacheCreationConfigured: true })).toEqual([
      { input: 2, cacheRead: 0, cacheCreation: 0, cacheWrite1h: 0, output: 8 },
    ]);
  });

  test('has a band for each context tier, in order, with unset rates from the base', () => {
    const price: ModelPrice = {
      ...BASE,
      contextTiers: [
        { thresholdTokens: 200, prompt: 6, completion: 0, cache: 0, promptConfigured: true },
        {
          thresholdTokens: 100,
          prompt: 0,
          completion: 10,
          cache: 0.7,
          completionConfigured: true,
          cacheConfigured: true,
        },
      ],
    };
    const plan = createPriceBook({ acme: price }).plan(identity('acme', 'flex'));
    expect(plan.thresholds).toEqual([100, 200]);
    expect(plan.bands).toEqual([
      { input: 1, cacheRead: 0.25, cacheCreation: 1, cacheWrite1h: 1, output: 4 },
      { input: 2, cacheRead: 0.7, cacheCreation: 2, cacheWrite1h: 2, output: 10 },
      { input: 6, cacheRead: 0.5, cacheCreation: 6, cacheWrite1h: 6, output: 8 },
    ]);
  });

  test('completes a family price before a context tier and after a service tier rule', () => {
    const price: ModelPrice = {
      prompt: 10,
      completion: 20,
      cache: 9,
      contextTiers: [{ thresholdTokens: 100, prompt: 30, completion: 0, cache: 0, promptConfigured: true }],
      serviceTiers: [
        { mode: 'fast', serviceTier: 'priority', prompt: 50, completion: 0, cache: 0, promptConfigured: true },
      ],
    };
    const [base, long] = bandsOf(price, 'gpt-5.6-sol', 'priority');
    expect(base).toEqual({ input: 50, cacheRead: 5, cacheCreation: 62.5, cacheWrite1h: 62.5, output: 20 });
    expect(long).toEqual({ input: 30, cacheRead: 1, cacheCreation: 12.5, cacheWrite1h: 12.5, output: 20 });
  });

  test('knows built-in prices without a row, also by the analytics model', () => {
    const book = createPriceBook({});
    expect(book.plan(identity('x/gpt-5.6-luna-2026')).bands[0]).toEqual({
      input: 1,
      cacheRead: 0.1,
      cacheCreation: 1.25,
      cacheWrite1h: 1.25,
      output: 6,
    });
    const byAlias = book.plan({ ...identity('gpt-5.6-luna'), billingModel: 'deployment-7' });
    expect(byAlias).toMatchObject({ priced: true, thresholds: [] });
  });

  test('of a long-premium model has one threshold; a context tier there is equivalent', () => {
    const book = createPriceBook({
      'gpt-5.5': BASE,
      other: {
        ...BASE,
        contextTiers: [{ ...BASE, thresholdTokens: LONG_INPUT_TOKENS, prompt: 3, promptConfigured: true }],
      },
    });
    expect(book.plan(identity('gpt-5.5', 'priority'))).toEqual({
      priced: true,
      thresholds: [LONG_INPUT_TOKENS],
      bands: [
        { input: 5, cacheRead: 1.25, cacheCreation: 5, cacheWrite1h: 5, output: 20 },
        { input: 4, cacheRead: 1, cacheCreation: 4, cacheWrite1h: 4, output: 12 },
      ],
      longOnly: true,
    });
    expect(book.plan(identity('other')).longOnly).toBe(true);
  });
});

test('a band starts strictly above its threshold', () => {
  expect([0, 100, 101, 200, 201].map((input) => bandOf([100, 200], input))).toEqual([0, 0, 1, 1, 2]);
});

describe('cache writes for one hour', () => {
  const tokens: EventTokens = {
    totalInput: 1000,
    uncachedInput: 100,
    cached: 0,
    cacheRead: 0,
    cacheCreation: 900,
    cacheWrite1h: 600,
    billableOutput: 0,
  };
  const PRICE: ModelPrice = { prompt: 3, completion: 15, cache: 0, cacheCreation: 3.75, cacheWrite1h: 6 };
  const cost = (price: ModelPrice, tier = '') =>
    costOfEvent(createPriceBook({ m: price }), identity('m', tier), tokens) * 1_000_000;

  test('have a price of their own', () => {
    expect(cost(PRICE)).toBeCloseTo(100 * 3 + 300 * 3.75 + 600 * 6, 9);
    expect(cost({ ...PRICE, cacheWrite1h: 0, cacheWrite1hConfigured: true })).toBeCloseTo(100 * 3 + 300 * 3.75, 9);
    expect(cost(PRICE, 'flex')).toBeCloseTo((100 * 3 + 300 * 3.75 + 600 * 6) / 2, 9);
  });

  test('cost what other writes cost where that is not set', () => {
    const { cacheWrite1h: _, ...without } = PRICE;
    expect(cost(without)).toBeCloseTo(100 * 3 + 900 * 3.75, 9);
    expect(cost({ prompt: 3, completion: 0, cache: 0 })).toBeCloseTo(1000 * 3, 9);
  });

  test('have a price in tiers, else that of the base', () => {
    const tier = { thresholdTokens: 500, prompt: 5, promptConfigured: true, completion: 0, cache: 0 };
    expect(cost({ ...PRICE, contextTiers: [tier] })).toBeCloseTo(100 * 5 + 300 * 3.75 + 600 * 6, 9);
    expect(cost({ ...PRICE, contextTiers: [{ ...tier, cacheWrite1h: 9 }] })).toBeCloseTo(
      100 * 5 + 300 * 3.75 + 600 * 9,
      9,
    );
    const rule = { mode: 'fast', serviceTier: 'priority', prompt: 0, completion: 0, cache: 0, cacheWrite1h: 12 };
    expect(cost({ ...PRICE, serviceTiers: [rule] }, 'fast')).toBeCloseTo(100 * 3 + 300 * 3.75 + 600 * 12, 9);
  });
});

test('negative counts cost nothing', () => {
  const rates = { input: 1, cacheRead: 1, cacheCreation: 1, cacheWrite1h: 1, output: 1 };
  const tokens = {
    uncachedInput: -5,
    cached: -5,
    cacheRead: -5,
    cacheCreation: -5,
    cacheWrite1h: -5,
    billableOutput: -5,
  };
  expect(costOf(rates, tokens)).toBe(0);
});

describe('the cost of sums is the sum of costs', () => {
  const count = fc.nat({ max: 400_000 });
  const event = fc
    .record({
      uncachedInput: count,
      cached: count,
      cacheRead: count,
      cacheCreation: count,
      cacheWrite1h: count,
      billableOutput: count,
    })
    .map(
      (tokens): EventTokens => ({
        ...tokens,
        cacheWrite1h: Math.min(tokens.cacheWrite1h, tokens.cacheCreation),
        totalInput: tokens.uncachedInput + tokens.cached + tokens.cacheRead + tokens.cacheCreation,
      }),
    );
  const NAMES = ['uncachedInput', 'cached', 'cacheRead', 'cacheCreation', 'cacheWrite1h', 'billableOutput'] as const;

  function sumOf(events: readonly BilledTokens[]): BilledTokens {
    const sums = { uncachedInput: 0, cached: 0, cacheRead: 0, cacheCreation: 0, cacheWrite1h: 0, billableOutput: 0 };
    for (const tokens of events) for (const name of NAMES) sums[name] += tokens[name];
    return sums;
  }

  test.each(['gpt-5.5', 'gpt-5.6-sol', 'claude-opus-5'])('of %s, long requests and all', (model) => {
    const book = createPriceBook({ [model]: BASE });
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 20 }),
        fc.constantFrom('', 'default', 'flex', 'priority', 'fast'),
        (events, serviceTier) => {
          const one = identity(model, serviceTier);
          const long = sumOf(events.filter((tokens) => tokens.totalInput > LONG_INPUT_TOKENS));
          const total = events.reduce((cost, tokens) => cost + costOfEvent(book, one, tokens), 0);
          expect(costOfSums(book, one, { all: sumOf(events), long }, null)).toBeCloseTo(total, 9);
        },
      ),
    );
  });
});
