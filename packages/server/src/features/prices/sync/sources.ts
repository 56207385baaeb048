import type { CatalogueSource } from '@manager/core/pricing/catalogue/catalogue';

export interface PriceSource {
  readonly source: CatalogueSource;
  readonly url: string;
  /** Its answer is cached with its validator and sent again only after a change. */
  readonly revalidate: boolean;
}

/** In the order of requests; the first is the best. */
export const PRICE_SOURCES: readonly PriceSource[] = [
  { source: 'models.dev', url: 'https://models.dev/catalog.json', revalidate: true },
  {
    source: 'litellm',
    url: 'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
    revalidate: false,
  },
  { source: 'openrouter', url: 'https://openrouter.ai/api/v1/models', revalidate: false },
];
