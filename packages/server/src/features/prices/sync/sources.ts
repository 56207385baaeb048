import type { CatalogueSource } from '@manager/core/pricing/catalogue/catalogue';

export interface PriceSource {
  readonly source: CatalogueSource;
  readonly url: string;
  /** Its answer is kept with its validator and asked for again only when it changed. */
  readonly revalidate: boolean;
}

/** In the order in which they are asked; the first is the best. */
export const PRICE_SOURCES: readonly PriceSource[] = [
  { source: 'models.dev', url: 'https://models.dev/catalog.json', revalidate: true },
  {
    source: 'litellm',
    url: 'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
    revalidate: false,
  },
  { source: 'openrouter', url: 'https://openrouter.ai/api/v1/models', revalidate: false },
];
