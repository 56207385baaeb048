import { isJsonObject } from '../../json/json.ts';
import { type Catalogue, type CatalogueEntry, CatalogueError, parseCatalogue, requirePrices } from './catalogue.ts';
import { type RateNames, readRates } from './entry-rates.ts';

const NAMES: RateNames = {
  prompt: ['prompt'],
  completion: ['completion'],
  cacheRead: ['input_cache_read', 'cache_read_input_token_cost'],
  cacheCreation: [
    'input_cache_write',
    'input_cache_creation',
    'cache_creation_input_token_cost',
    'cache_write_input_token_cost',
  ],
  cacheWrite1h: ['input_cache_write_1h', 'input_cache_creation_1h', 'cache_creation_input_token_cost_above_1hr'],
  places: 6,
};

/** Reads the model list of OpenRouter: `data[]` with `pricing`, US dollars per token as strings. @throws CatalogueError */
export function readOpenRouter(text: string): Catalogue {
  const { data } = parseCatalogue(text);
  if (!Array.isArray(data)) throw new CatalogueError('the response has no list "data"');
  const entries: CatalogueEntry[] = [];
  let skipped = 0;
  for (const model of data as readonly unknown[]) {
    const id = isJsonObject(model) && typeof model.id === 'string' ? model.id.trim() : '';
    const rates = isJsonObject(model) && isJsonObject(model.pricing) ? readRates(model.pricing, NAMES) : null;
    if (id === '' || rates === null) {
      skipped++;
      continue;
    }
    const price = { ...rates, source: 'openrouter', sourceModelId: id, rawJson: JSON.stringify(model) };
    entries.push({ id, alias: '', price });
  }
  return requirePrices({ source: 'openrouter', entries, skipped, canonicalIds: null });
}
