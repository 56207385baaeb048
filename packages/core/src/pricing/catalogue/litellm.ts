import { isJsonObject } from '../../json/json.ts';
import { type Catalogue, type CatalogueEntry, parseCatalogue, requirePrices } from './catalogue.ts';
import { type RateNames, readRates } from './entry-rates.ts';

const NAMES: RateNames = {
  prompt: ['input_cost_per_token'],
  completion: ['output_cost_per_token'],
  cacheRead: ['cache_read_input_token_cost', 'input_cache_read'],
  cacheCreation: [
    'cache_creation_input_token_cost',
    'cache_write_input_token_cost',
    'input_cache_write',
    'input_cache_creation',
  ],
  cacheWrite1h: ['cache_creation_input_token_cost_above_1hr', 'cache_write_input_token_cost_above_1hr'],
  places: 6,
};

/** Documents the members; its numbers are no prices. */
const SAMPLE = 'sample_spec';

/** Reads `model_prices_and_context_window.json` of LiteLLM: an object of models, US dollars per token. @throws CatalogueError */
export function readLiteLlm(text: string): Catalogue {
  const entries: CatalogueEntry[] = [];
  let skipped = 0;
  for (const [id, model] of Object.entries(parseCatalogue(text))) {
    if (id === SAMPLE) continue;
    const rates = isJsonObject(model) ? readRates(model, NAMES) : null;
    if (rates === null) {
      skipped++;
      continue;
    }
    const price = { ...rates, source: 'litellm', sourceModelId: id, rawJson: JSON.stringify(model) };
    entries.push({ id, alias: '', price });
  }
  return requirePrices({ source: 'litellm', entries, skipped, canonicalIds: null });
}
