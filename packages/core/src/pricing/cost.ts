import type { PriceBook, PricedIdentity, PricePlan } from './price-book.ts';
import { NO_RATES, type TokenRates } from './rates.ts';

/** Exclusive billed token counts (tier factors: `price-book.ts`, `rates.ts`); negative counts count as 0. */
export interface BilledTokens {
  readonly uncachedInput: number;
  /** The part of the older cached count beyond cache read and creation. */
  readonly cached: number;
  readonly cacheRead: number;
  readonly cacheCreation: number;
  /** The part of `cacheCreation` that was written for one hour; never more than all of it. */
  readonly cacheWrite1h: number;
  readonly billableOutput: number;
}

export interface EventTokens extends BilledTokens {
  /** Normalized total input, which selects the context band. */
  readonly totalInput: number;
}

/** Sums over events of one identity. */
export interface TokenSums {
  readonly all: BilledTokens;
  /** The part from requests with more than 272,000 input tokens. */
  readonly long: BilledTokens;
}

/**
 * Cost in USD, not rounded: (uncached input · input + (residual + read) · cache read + (creation − writes for one hour) ·
 * cache creation + writes for one hour · their rate + billable output · output) / 10^6. Linear, so costs of sums are
 * sums of costs.
 *
 * @example costOf({ input: 2, cacheRead: 0.5, cacheCreation: 2, cacheWrite1h: 2, output: 8 },
 *   { uncachedInput: 6000, cached: 0, cacheRead: 4000, cacheCreation: 0, cacheWrite1h: 0, billableOutput: 500 }) // 0.018
 */
export function costOf(rates: TokenRates, tokens: BilledTokens): number {
  const cacheWrite1h = Math.max(tokens.cacheWrite1h, 0);
  return (
    (Math.max(tokens.uncachedInput, 0) * rates.input +
      (Math.max(tokens.cached, 0) + Math.max(tokens.cacheRead, 0)) * rates.cacheRead +
      Math.max(tokens.cacheCreation - cacheWrite1h, 0) * rates.cacheCreation +
      cacheWrite1h * rates.cacheWrite1h +
      Math.max(tokens.billableOutput, 0) * rates.output) /
    1_000_000
  );
}

/**
 * Index of the band of an event: the number of thresholds strictly below its total input.
 *
 * @example bandOf([32_000, 200_000], 32_000) // 0
 * @example bandOf([32_000, 200_000], 32_001) // 1
 */
export function bandOf(thresholds: readonly number[], totalInput: number): number {
  let band = 0;
  for (const threshold of thresholds) {
    if (totalInput <= threshold) break;
    band++;
  }
  return band;
}

/**
 * Cost of one event in USD.
 *
 * @example costOfEvent(book, { billingModel: 'acme-chat', analyticsModel: 'acme-chat', requestedModel: 'acme-chat',
 * serviceTier: '' },
 *   { totalInput: 1200, uncachedInput: 1200, cached: 0, cacheRead: 0, cacheCreation: 0, cacheWrite1h: 0,
 *   billableOutput: 300 })
 */
export function costOfEvent(book: PriceBook, identity: PricedIdentity, tokens: EventTokens): number {
  const plan = book.plan(identity);
  return costOf(ratesOf(plan, bandOf(plan.thresholds, tokens.totalInput)), tokens);
}

/**
 * Cost in USD of an aggregate: token sums over events of one identity.
 *
 * @param threshold the highest context threshold below every event of the aggregate; a threshold that is no longer
 * configured means the base rates. Null for events of all sizes: exact for plans without thresholds and, by the `long`
 * sums, for `longOnly` plans; for other plans the events must be grouped by band, else they get the base rates.
 * @example costOfSums(book, identity, { all, long }, null)
 */
export function costOfSums(
  book: PriceBook,
  identity: PricedIdentity,
  sums: TokenSums,
  threshold: number | null,
): number {
  const plan = book.plan(identity);
  if (threshold !== null) return costOf(ratesOf(plan, plan.thresholds.indexOf(threshold) + 1), sums.all);
  if (!plan.longOnly) return costOf(ratesOf(plan, 0), sums.all);
  const long = mapTokens(sums.all, (all, name) => Math.min(Math.max(sums.long[name], 0), Math.max(all, 0)));
  const short = mapTokens(sums.all, (all, name) => all - long[name]);
  return costOf(ratesOf(plan, 0), short) + costOf(ratesOf(plan, 1), long);
}

function ratesOf(plan: PricePlan, band: number): TokenRates {
  return plan.bands[band] ?? NO_RATES;
}

function mapTokens(tokens: BilledTokens, map: (count: number, name: keyof BilledTokens) => number): BilledTokens {
  return {
    uncachedInput: map(tokens.uncachedInput, 'uncachedInput'),
    cached: map(tokens.cached, 'cached'),
    cacheRead: map(tokens.cacheRead, 'cacheRead'),
    cacheCreation: map(tokens.cacheCreation, 'cacheCreation'),
    cacheWrite1h: map(tokens.cacheWrite1h, 'cacheWrite1h'),
    billableOutput: map(tokens.billableOutput, 'billableOutput'),
  };
}
