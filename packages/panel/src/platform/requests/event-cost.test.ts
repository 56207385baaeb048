import { describe, expect, test } from 'bun:test';
import type { PriceMap } from '@manager/core/pricing/price';
import { eventCost, pricingOf } from './event-cost.ts';
import { testEvent } from './testing/events.ts';

const prices: PriceMap = {
  'acme-chat': { prompt: 2, completion: 8, cache: 0.5, source: 'manual' },
  'acme-long': {
    prompt: 1,
    completion: 2,
    cache: 0,
    contextTiers: [
      { thresholdTokens: 32_000, prompt: 2, completion: 6, cache: 0 },
      { thresholdTokens: 200_000, prompt: 4, completion: 9, cache: 0 },
    ],
  },
  'acme-hour': { prompt: 3, completion: 15, cache: 0, cacheCreation: 3.75, cacheWrite1h: 6 },
  'acme-tiers': {
    prompt: 2,
    completion: 8,
    cache: 0.5,
    serviceTiers: [{ mode: 'fast', serviceTier: 'priority', prompt: 6, completion: 12, cache: 0 }],
  },
};
const pricing = pricingOf(prices);

function priced(change: Parameters<typeof testEvent>[1]) {
  const cost = eventCost(pricing, testEvent(1, change));
  if (cost.kind !== 'priced') throw new Error(`priced expected, not ${cost.kind}`);
  return cost;
}

describe('cost of a request', () => {
  test('its parts add up to it, and free parts of the price are named', () => {
    const cost = priced({
      analytics_model: 'acme-chat',
      input_tokens: 10_000,
      cache_read_tokens: 4_000,
      output_tokens: 500,
      total_tokens: 10_500,
    });
    expect(cost).toMatchObject({ name: 'acme-chat', source: 'manual', band: null, tier: null });
    expect(cost.usd).toBeCloseTo(0.018, 12);
    expect(cost.parts.map((part) => [part.kind, part.tokens, part.rate])).toEqual([
      ['uncached', 6_000, 2],
      ['cached', 4_000, 0.5],
      ['output', 500, 8],
    ]);
    expect(cost.parts.reduce((sum, part) => sum + part.usd, 0)).toBeCloseTo(cost.usd, 12);
  });

  test('cache writes for one hour are a part with a price of its own', () => {
    const cost = priced({
      analytics_model: 'acme-hour',
      input_tokens: 1_000,
      cache_creation_tokens: 900,
      cache_write_1h_tokens: 600,
      output_tokens: 0,
      total_tokens: 1_000,
    });
    expect(cost.parts.map((part) => [part.kind, part.tokens, part.rate])).toEqual([
      ['uncached', 100, 3],
      ['creation', 300, 3.75],
      ['write1h', 600, 6],
    ]);
    expect(cost.usd).toBeCloseTo(0.005_025, 12);
  });

  test('output that is billed beyond the reported count is in it', () => {
    const cost = priced({ analytics_model: 'acme-chat', billable_output_tokens: 1_000 });
    expect(cost.parts.find((part) => part.kind === 'output')?.tokens).toBe(1_000);
  });

  test('the model that answered is billed, when it has a price', () => {
    expect(priced({ analytics_model: 'acme-chat', resolved_model: 'acme-tiers' }).name).toBe('acme-tiers');
    expect(priced({ analytics_model: 'acme-chat', resolved_model: 'unknown' }).name).toBe('acme-chat');
  });

  test.each([
    [32_000, { above: null, upTo: 32_000 }, 32_000 * 1],
    [32_001, { above: 32_000, upTo: 200_000 }, 32_001 * 2],
    [200_001, { above: 200_000, upTo: null }, 200_001 * 4],
  ])('%p tokens of input lie in band %p', (input_tokens, band, millionths) => {
    const cost = priced({ analytics_model: 'acme-long', input_tokens, output_tokens: 0 });
    expect(cost.band).toEqual(band);
    expect(cost.usd).toBeCloseTo(millionths / 1e6, 12);
  });

  test.each([
    ['flex', 0.5],
    ['default', 1],
    ['priority', null],
  ])('tier %p has the factor %p', (service_tier, factor) => {
    expect(priced({ analytics_model: 'acme-tiers', service_tier }).tier).toEqual({ name: service_tier, factor });
  });

  test('a family with a fixed price needs no stored one', () => {
    const cost = priced({ analytics_model: 'gpt-5.6-luna', input_tokens: 1_000_000, output_tokens: 0 });
    expect(cost).toMatchObject({ source: null, band: { above: 272_000, upTo: null } });
    expect(cost.usd).toBeCloseTo(2, 12);
  });

  test('no price and no tokens are distinguished', () => {
    expect(eventCost(pricing, testEvent(1, { analytics_model: 'other' }))).toEqual({
      kind: 'unpriced',
      model: 'other',
    });
    expect(eventCost(pricing, testEvent(1, { analytics_model: 'constructor' })).kind).toBe('unpriced');
    const empty = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
    expect(eventCost(pricing, testEvent(1, { ...empty, analytics_model: 'other' })).kind).toBe('nothing');
  });
});
