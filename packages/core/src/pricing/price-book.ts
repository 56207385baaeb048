import { withoutReasoningSuffix } from '../usage/models.ts';
import {
  builtInPrice,
  hasLongPremium,
  isFastTier,
  LONG_INPUT_TOKENS,
  serviceTierMultiplier,
  tierKey,
} from './model-families.ts';
import type { ModelPrice, PriceMap } from './price.ts';
import {
  complete,
  multipliedRates,
  NO_RATES,
  type OpenRates,
  overlay,
  ratesOf,
  ratesOfBuiltIn,
  type TokenRates,
} from './rates.ts';

export type { TokenRates } from './rates.ts';

export interface PricedModels {
  readonly analyticsModel: string;
  readonly billingModel: string;
  /** The requested model with its reasoning suffix; matters only with `hasSuffixedNames`. */
  readonly requestedModel: string;
}

/** Everything except tokens that a cost depends on. */
export interface PricedIdentity extends PricedModels {
  readonly serviceTier: string;
}

/** Prices every event of one identity, whatever its tokens. */
export interface PricePlan {
  /** False: unpriced, the cost is 0. */
  readonly priced: boolean;
  /** Tokens, ascending: total input strictly above `thresholds[i]` means band i + 1 or higher. */
  readonly thresholds: readonly number[];
  /** The rates of each band, for the whole request; one more than thresholds. */
  readonly bands: readonly TokenRates[];
  /** True when the only threshold is 272,000, so that the `long_*` sums of an aggregate belong to the upper band. */
  readonly longOnly: boolean;
}

export interface PriceBook {
  /** The plan of an identity; equal identities get the same object. */
  plan(identity: PricedIdentity): PricePlan;
  /** The name with the price row; the billing model when none has one. */
  pricingModel(models: PricedModels): string;
  /** True when a priced name has a reasoning suffix, so that groups must be split by requested model. */
  readonly hasSuffixedNames: boolean;
}

/** Names and tiers come from clients, so the plan cache is bounded. */
const MAX_PLANS = 20_000;

const UNPRICED: PricePlan = { priced: false, thresholds: [], bands: [NO_RATES], longOnly: false };

/**
 * Plans from a set of prices that does not change.
 *
 * @example
 * const book = createPriceBook({ 'acme-chat': { prompt: 2, completion: 8, cache: 0.5 } });
 * const model = { analyticsModel: 'acme-chat', billingModel: 'acme-chat', requestedModel: 'acme-chat' };
 * book.plan({ ...model, serviceTier: 'flex' }).bands;
 * // [{ input: 1, cacheRead: 0.25, cacheCreation: 1, cacheWrite1h: 1, output: 4 }]
 */
export function createPriceBook(prices: PriceMap): PriceBook {
  const rows = new Map(Object.entries(prices));
  const hasSuffixedNames = [...rows.keys()].some((name) => withoutReasoningSuffix(name) !== name);
  const plans = new Map<string, PricePlan>();

  function pricingModel({ analyticsModel, billingModel, requestedModel }: PricedModels): string {
    return [billingModel, analyticsModel, requestedModel].find((name) => rows.has(name)) ?? billingModel;
  }

  function plan(identity: PricedIdentity): PricePlan {
    const tier = tierKey(identity.serviceTier);
    // Names and tiers are arbitrary texts: a quoted join keeps them distinct.
    const key = JSON.stringify([
      identity.billingModel,
      identity.analyticsModel,
      hasSuffixedNames ? identity.requestedModel : '',
      tier,
    ]);
    const known = plans.get(key);
    if (known !== undefined) return known;
    const row = rows.get(pricingModel(identity));
    const made = makePlan(row, [identity.billingModel, identity.analyticsModel], tier);
    if (plans.size >= MAX_PLANS) plans.clear();
    plans.set(key, made);
    return made;
  }

  return { plan, pricingModel, hasSuffixedNames };
}

/**
 * @param row price row of the pricing model
 * @param candidates billing model, analytics model; the first non-empty one selects the family
 * @param tier as `tierKey`
 */
function makePlan(row: ModelPrice | undefined, candidates: readonly string[], tier: string): PricePlan {
  const behaviour = candidates.find((name) => name !== '') ?? '';
  const familyPrice = builtInPrice(behaviour);
  const base = row === undefined ? builtInRates(candidates) : ratesOf(row);
  if (base === null) return UNPRICED;

  const rule = row?.serviceTiers?.find((each) => tierKey(each.mode) === tier || tierKey(each.serviceTier) === tier);
  const standard = complete(base, familyPrice);
  const explicit = rule === undefined ? null : complete(overlay(base, ratesOf(rule)), familyPrice);
  const multiplier = explicit === null ? serviceTierMultiplier(behaviour, tier) : 1;
  const billed = explicit ?? standard;
  const lowest = multipliedRates(billed, multiplier);

  const tiers = [...(row?.contextTiers ?? [])].sort((a, b) => a.thresholdTokens - b.thresholdTokens);
  if (tiers.length > 0) {
    // An active context tier ignores the service tier.
    const bands = tiers.map((each) => multipliedRates(overlay(standard, ratesOf(each))));
    return planOf(
      tiers.map((each) => each.thresholdTokens),
      [lowest, ...bands],
    );
  }
  if (!hasLongPremium(behaviour)) return planOf([], [lowest]);
  // Long requests are billed at the standard rates, never at fast ones.
  const long = isFastTier(tier)
    ? multipliedRates(standard, 2, 1.5)
    : multipliedRates(billed, multiplier * 2, multiplier * 1.5);
  return planOf([LONG_INPUT_TOKENS], [lowest, long]);
}

function planOf(thresholds: readonly number[], bands: readonly TokenRates[]): PricePlan {
  return { priced: true, thresholds, bands, longOnly: thresholds.length === 1 && thresholds[0] === LONG_INPUT_TOKENS };
}

function builtInRates(candidates: readonly string[]): OpenRates | null {
  for (const name of candidates) {
    const price = builtInPrice(name);
    if (price !== null) return ratesOfBuiltIn(price);
  }
  return null;
}
