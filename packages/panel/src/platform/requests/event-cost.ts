import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { bandOf, costOf } from '@manager/core/pricing/cost';
import { rowIdentity, rowTokens } from '@manager/core/pricing/event-row';
import type { PriceMap } from '@manager/core/pricing/price';
import { createPriceBook, type PriceBook, type PricePlan, type TokenRates } from '@manager/core/pricing/price-book';

/** All prices of the manager, ready to price rows. */
export interface Pricing {
  readonly prices: PriceMap;
  readonly book: PriceBook;
}

export const pricingOf = (prices: PriceMap): Pricing => ({ prices, book: createPriceBook(prices) });

export type CostPartKind = 'uncached' | 'cached' | 'creation' | 'write1h' | 'output';

interface CostPart {
  readonly kind: CostPartKind;
  readonly tokens: number;
  /** US dollars per 1,000,000 tokens. */
  readonly rate: number;
  readonly usd: number;
}

/** Which part of a price applies by request size: more than `above` input tokens, at most `upTo`. */
interface CostBand {
  readonly above: number | null;
  readonly upTo: number | null;
}

interface CostTier {
  readonly name: string;
  /** Compared to the price without a tier; null = the tier has prices of its own. */
  readonly factor: number | null;
}

export type EventCost =
  /** No tokens were counted. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unpriced'; readonly model: string }
  | {
      readonly kind: 'priced';
      readonly usd: number;
      /** Name of the price. */
      readonly name: string;
      /** Source of the price; null = no stored price, the model family has a fixed one. */
      readonly source: string | null;
      /** null = one price for requests of every size. */
      readonly band: CostBand | null;
      /** null = the request names none. */
      readonly tier: CostTier | null;
      readonly parts: readonly CostPart[];
    };

/** Cost of one request at current prices, with its calculation. */
export function eventCost({ prices, book }: Pricing, row: EventRow): EventCost {
  const identity = rowIdentity(row);
  const tokens = rowTokens(row);
  const plan = book.plan(identity);
  if (row.total_tokens === 0 && tokens.totalInput === 0 && tokens.billableOutput === 0) return { kind: 'nothing' };
  const name = book.pricingModel(identity);
  if (!plan.priced) return { kind: 'unpriced', model: name };
  const price = Object.hasOwn(prices, name) ? prices[name] : undefined;
  const rates = ratesFor(plan, tokens.totalInput);
  const parts: readonly CostPart[] = [
    part('uncached', tokens.uncachedInput, rates.input),
    part('cached', tokens.cached + tokens.cacheRead, rates.cacheRead),
    part('creation', tokens.cacheCreation - tokens.cacheWrite1h, rates.cacheCreation),
    part('write1h', tokens.cacheWrite1h, rates.cacheWrite1h),
    part('output', tokens.billableOutput, rates.output),
  ];
  const tier = identity.serviceTier.trim();
  const plain = ratesFor(book.plan({ ...identity, serviceTier: '' }), tokens.totalInput);
  return {
    kind: 'priced',
    usd: costOf(rates, tokens),
    name,
    source: price === undefined ? null : (price.source ?? ''),
    band: bandFor(plan, tokens.totalInput),
    tier: tier === '' ? null : { name: tier, factor: factorOf(rates, plain) },
    parts: parts.filter(({ tokens: count }) => count > 0),
  };
}

function part(kind: CostPartKind, tokens: number, rate: number): CostPart {
  return { kind, tokens, rate, usd: (tokens * rate) / 1_000_000 };
}

const FREE: TokenRates = { input: 0, cacheRead: 0, cacheCreation: 0, cacheWrite1h: 0, output: 0 };

function ratesFor(plan: PricePlan, totalInput: number): TokenRates {
  return plan.bands[bandOf(plan.thresholds, totalInput)] ?? FREE;
}

function bandFor({ thresholds }: PricePlan, totalInput: number): CostBand | null {
  if (thresholds.length === 0) return null;
  const band = bandOf(thresholds, totalInput);
  return { above: thresholds[band - 1] ?? null, upTo: thresholds[band] ?? null };
}

/** The common factor of two sets of prices, null without one. */
function factorOf(rates: TokenRates, plain: TokenRates): number | null {
  const pairs = [
    [rates.input, plain.input],
    [rates.cacheRead, plain.cacheRead],
    [rates.cacheCreation, plain.cacheCreation],
    [rates.cacheWrite1h, plain.cacheWrite1h],
    [rates.output, plain.output],
  ] as const;
  const [first] = pairs.flatMap(([rate, base]) => (base > 0 ? [rate / base] : []));
  const factor = first ?? 1;
  const same = pairs.every(([rate, base]) => Math.abs(rate - base * factor) <= 1e-9 * Math.max(1, base));
  return same ? Math.round(factor * 1e6) / 1e6 : null;
}

/** Address of the unpriced models; with the editor of one of them. */
export const unpricedSearch = (model?: string) => ({
  filter: ['missing'],
  ...(model === undefined ? {} : { model: [model] }),
});
