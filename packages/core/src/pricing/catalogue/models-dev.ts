import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { ContextTier, ModelPrice, ServiceTierRule } from '../price.ts';
import { type Catalogue, type CatalogueEntry, CatalogueError, parseCatalogue, requirePrices } from './catalogue.ts';
import { decimalText } from './decimal.ts';
import { type RateNames, readOverlayRates, readRates } from './entry-rates.ts';

const NAMES: RateNames = {
  prompt: ['input'],
  completion: ['output'],
  cacheRead: ['cache_read'],
  cacheCreation: ['cache_write'],
  cacheWrite1h: ['cache_write_1h'],
  places: 0,
};

/**
 * Reads the catalogue of models.dev: models by provider, USD per 1,000,000 tokens. The newer format lists the ids of
 * the makers' own models next to the providers, the older one is the object of providers only.
 *
 * @throws CatalogueError
 */
export function readModelsDev(text: string): Catalogue {
  const root = parseCatalogue(text);
  const { providers, canonicalIds } = partsOf(root);
  const entries: CatalogueEntry[] = [];
  let skipped = 0;
  for (const [providerId, provider] of Object.entries(providers)) {
    const models = isJsonObject(provider) && isJsonObject(provider.models) ? provider.models : {};
    for (const [modelId, model] of Object.entries(models)) {
      const price = isJsonObject(model) ? readPrice(model) : null;
      if (price === null) {
        skipped++;
        continue;
      }
      const id = `${providerId}/${modelId}`;
      const origin = { source: 'models.dev', sourceModelId: id, rawJson: JSON.stringify(model) };
      entries.push({ id, alias: modelId, price: { ...price, ...origin } });
    }
  }
  return requirePrices({ source: 'models.dev', entries, skipped, canonicalIds });
}

function partsOf(root: JsonObject): {
  readonly providers: JsonObject;
  readonly canonicalIds: readonly string[] | null;
} {
  const { providers, models } = root;
  if (providers === undefined) return { providers: root, canonicalIds: null };
  if (!isJsonObject(providers)) throw new CatalogueError('the response has no object "providers"');
  const canonicalIds = isJsonObject(models) ? Object.keys(models) : [];
  // Without it a reseller's price would rank like the maker's.
  if (canonicalIds.length === 0) throw new CatalogueError('the response has no object "models" next to "providers"');
  return { providers, canonicalIds };
}

function readPrice(model: JsonObject): ModelPrice | null {
  const { cost } = model;
  if (!isJsonObject(cost)) return null;
  const rates = readRates(cost, NAMES);
  if (rates === null) return null;
  const contextTiers = readContextTiers(cost.tiers);
  const serviceTiers = readFastMode(model.experimental);
  return {
    ...rates,
    ...(contextTiers.length === 0 ? {} : { contextTiers }),
    ...(serviceTiers.length === 0 ? {} : { serviceTiers }),
  };
}

/** All or none: with a missing band, its requests would be billed at the rates of the lower one. */
function readContextTiers(tiers: unknown): readonly ContextTier[] {
  if (!Array.isArray(tiers)) return [];
  const read: ContextTier[] = [];
  const thresholds = new Set<number>();
  for (const entry of tiers as readonly unknown[]) {
    if (!isJsonObject(entry) || !isContextTier(entry.tier)) continue;
    const thresholdTokens = Number(decimalText(entry.tier.size) ?? Number.NaN);
    const rates = readOverlayRates(entry, NAMES);
    const isGood = Number.isSafeInteger(thresholdTokens) && thresholdTokens > 0 && !thresholds.has(thresholdTokens);
    if (!isGood || rates === null) return [];
    thresholds.add(thresholdTokens);
    read.push({ thresholdTokens, ...rates });
  }
  return read;
}

function isContextTier(tier: unknown): tier is JsonObject {
  return isJsonObject(tier) && typeof tier.type === 'string' && tier.type.trim().toLowerCase() === 'context';
}

/** The only mode that is known to be a billed tier. */
function readFastMode(experimental: unknown): readonly ServiceTierRule[] {
  const modes = isJsonObject(experimental) ? experimental.modes : undefined;
  const fast = isJsonObject(modes) ? modes.fast : undefined;
  const cost = isJsonObject(fast) ? fast.cost : undefined;
  const rates = isJsonObject(cost) ? readOverlayRates(cost, NAMES) : null;
  return rates === null ? [] : [{ mode: 'fast', serviceTier: 'priority', ...rates }];
}
