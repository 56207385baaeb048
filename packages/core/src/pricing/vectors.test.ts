import { describe, expect, test } from 'bun:test';
import { residualCachedTokens } from '../usage/cache-accounting.ts';
import type { UsageEvent } from '../usage/event.ts';
import { analyticsModel, billingModel, effectiveRequestedModel } from '../usage/models.ts';
import { eventOf } from '../usage/testing/context.ts';
import { type BilledTokens, bandOf, costOfEvent, costOfSums, type EventTokens } from './cost.ts';
import vectors from './fixtures/cost-vectors.json';
import { hasLongPremium, LONG_INPUT_TOKENS, serviceTierMultiplier, tierKey } from './model-families.ts';
import type { ModelPrice, PriceMap } from './price.ts';
import { createPriceBook, type PricedIdentity } from './price-book.ts';

const priceBooks: Readonly<Record<string, PriceMap>> = vectors.price_books;

function identityOf(event: UsageEvent): PricedIdentity {
  return {
    analyticsModel: analyticsModel(event),
    billingModel: billingModel(event),
    requestedModel: effectiveRequestedModel(event),
    serviceTier: event.service_tier,
  };
}

function tokensOf(event: UsageEvent): EventTokens {
  return {
    totalInput: event.normalized_total_input_tokens,
    uncachedInput: event.normalized_uncached_input_tokens,
    cached: residualCachedTokens(event),
    cacheRead: event.cache_read_tokens,
    cacheCreation: event.cache_creation_tokens,
    cacheWrite1h: event.cache_write_1h_tokens,
    billableOutput: event.billable_output_tokens,
  };
}

/** The highest context threshold of a price below the input; −1 = none. */
function contextThreshold(price: ModelPrice | undefined, totalInput: number): number {
  const thresholds = (price?.contextTiers ?? []).map((tier) => tier.thresholdTokens);
  return thresholds[bandOf(thresholds, totalInput) - 1] ?? -1;
}

describe('an event costs', () => {
  for (const vector of vectors.event_cases) {
    test(`${vector.id}: ${vector.title}`, () => {
      const better: object = vector.expected_better ?? {};
      const { cost, cost_number, ...classification } = { ...vector.expected, ...better };
      const prices = priceBooks[vector.price_book] ?? {};
      const book = createPriceBook(prices);
      const event = eventOf(vector.payload);
      const identity = identityOf(event);
      const tokens = tokensOf(event);
      const pricingModel = book.pricingModel(identity);
      expect({
        analytics_model: identity.analyticsModel,
        billing_model: identity.billingModel,
        pricing_model: pricingModel,
        context_threshold_tokens: contextThreshold(prices[pricingModel], tokens.totalInput),
        service_tier: event.service_tier,
        cache_input_mode: String(event.cache_input_mode),
        input_tokens: tokens.totalInput,
        output_tokens: event.output_tokens,
        billable_output_tokens: event.billable_output_tokens,
        cached_tokens: tokens.cached,
        cache_read_tokens: tokens.cacheRead,
        cache_creation_tokens: tokens.cacheCreation,
        long_input_tokens: tokens.totalInput > LONG_INPUT_TOKENS ? tokens.totalInput : 0,
      }).toMatchObject(classification);
      expect(Number(cost)).toBe(cost_number);
      expect(Math.abs(costOfEvent(book, identity, tokens) - cost_number)).toBeLessThanOrEqual(vectors.tolerance_abs);
    });
  }
});

type Row = (typeof vectors.row_cases)[number]['row'];

function sumsOf(row: Row): { readonly all: BilledTokens; readonly long: BilledTokens } {
  const { input_tokens, cached_tokens, cache_read_tokens, cache_creation_tokens } = row;
  const { long_input_tokens, long_cached_tokens, long_cache_read_tokens, long_cache_creation_tokens } = row;
  const longCache = long_cached_tokens + long_cache_read_tokens + long_cache_creation_tokens;
  return {
    all: {
      uncachedInput: Math.max(input_tokens - cached_tokens - cache_read_tokens - cache_creation_tokens, 0),
      cached: cached_tokens,
      cacheRead: cache_read_tokens,
      cacheCreation: cache_creation_tokens,
      cacheWrite1h: 0,
      billableOutput: row.output_tokens,
    },
    long: {
      uncachedInput: Math.max(long_input_tokens - longCache, 0),
      cached: long_cached_tokens,
      cacheRead: long_cache_read_tokens,
      cacheCreation: long_cache_creation_tokens,
      cacheWrite1h: 0,
      billableOutput: row.long_output_tokens,
    },
  };
}

describe('an aggregate costs', () => {
  for (const { id, title, prices, candidates, service_tier, row, expected } of vectors.row_cases) {
    test(`${id}: ${title}`, () => {
      const [behaviour = '', other = behaviour] = candidates;
      const priceMap: PriceMap = prices;
      const identity = {
        billingModel: behaviour,
        analyticsModel: other,
        requestedModel: row.pricing_model,
        serviceTier: service_tier,
      };
      const threshold = row.context_threshold_tokens > 0 ? row.context_threshold_tokens : null;
      const cost = costOfSums(createPriceBook(priceMap), identity, sumsOf(row), threshold);
      expect(Math.abs(cost - expected.cost_number)).toBeLessThanOrEqual(vectors.tolerance_abs);
    });
  }
});

test('factors of service tiers', () => {
  for (const { model, service_tier, expected } of vectors.service_tier_multiplier_cases) {
    const factor = serviceTierMultiplier(model, tierKey(service_tier));
    expect({ model, service_tier, factor }).toEqual({ model, service_tier, factor: expected });
  }
});

test('models with a premium on long requests', () => {
  for (const { model, expected } of vectors.legacy_long_context_model_cases) {
    expect({ model, premium: hasLongPremium(model) }).toEqual({ model, premium: expected });
  }
});
