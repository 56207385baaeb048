import { type BuiltInPrice, FAMILY_PRICES } from '@manager/core/pricing/model-families';
import type { ContextTier, ModelPrice, PriceMap } from '@manager/core/pricing/price';
import snapshot from './prices.json';

interface SnapshotRates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly cacheWrite1h?: number;
}

interface SnapshotModel extends SnapshotRates {
  /** Provider and model in the catalogue. */
  readonly id: string;
  readonly tiers?: readonly (SnapshotRates & { readonly above: number })[];
}

/** Source of built-in prices; they are no sign of earlier use. */
const BUILT_IN_SOURCE = 'built-in';

/**
 * Prices of common models on the day of the snapshot; `prices.json` has their source and date. Families have the price
 * that they have without a row: removing the row must not change a cost.
 */
export function builtInPrices(): PriceMap {
  const models: Readonly<Record<string, SnapshotModel>> = snapshot.models;
  const prices = Object.entries(models).map(([model, entry]): readonly [string, ModelPrice] => [model, priceOf(entry)]);
  return Object.fromEntries([
    ...prices,
    ...FAMILY_PRICES.map(([family, price]) => [family, familyPrice(price)] as const),
  ]);
}

function familyPrice({ prompt, completion, cacheRead, cacheCreation }: BuiltInPrice): ModelPrice {
  return {
    ...ratesOf({ input: prompt, output: completion, cacheRead, cacheWrite: cacheCreation }),
    source: BUILT_IN_SOURCE,
  };
}

/** Anthropic charges twice the input for cache writes of one hour; the snapshot does not list that price. */
function withCacheWrite1h<Rates extends SnapshotRates>(id: string, rates: Rates): Rates {
  const isListed = id.startsWith('anthropic/') && rates.cacheWrite !== undefined;
  return isListed ? { ...rates, cacheWrite1h: rates.input * 2 } : rates;
}

function priceOf({ id, tiers = [], ...rates }: SnapshotModel): ModelPrice {
  return {
    ...ratesOf(withCacheWrite1h(id, rates)),
    source: BUILT_IN_SOURCE,
    sourceModelId: id,
    ...(tiers.length === 0 ? {} : { contextTiers: tiers.map((tier) => tierOf(withCacheWrite1h(id, tier))) }),
  };
}

function tierOf({ above, ...rates }: SnapshotRates & { readonly above: number }): ContextTier {
  return { thresholdTokens: above, ...ratesOf(rates) };
}

/** As a catalogue sync maps them: a stated rate counts, `cache` is the read rate. */
function ratesOf({ input, output, cacheRead, cacheWrite, cacheWrite1h }: SnapshotRates) {
  return {
    prompt: input,
    completion: output,
    cache: cacheRead ?? 0,
    promptConfigured: true,
    completionConfigured: true,
    ...(cacheRead === undefined ? {} : { cacheRead, cacheReadConfigured: true }),
    ...(cacheWrite === undefined ? {} : { cacheCreation: cacheWrite, cacheCreationConfigured: true }),
    ...(cacheWrite1h === undefined ? {} : { cacheWrite1h, cacheWrite1hConfigured: true }),
  };
}
