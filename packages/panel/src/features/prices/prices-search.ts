import type { Address } from '../../platform/browser/address.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { PRICE_FILTERS, type PriceFilter } from './price-rows.ts';

/** Address parameters of the page. */
export interface PricesSearch {
  /** null = the page's default. */
  readonly filter: PriceFilter | null;
  readonly search: string;
  /** The model whose editor is open; '' = none. */
  readonly model: string;
}

const MAX_TEXT = 300;

export function readPricesSearch(search: UrlSearch): PricesSearch {
  const filter = PRICE_FILTERS.find((name) => name === search.filter?.[0]) ?? null;
  return { filter, search: textOf(search.search?.[0]).trim(), model: textOf(search.model?.[0]) };
}

const textOf = (text: string | undefined): string => (text === undefined || text.length > MAX_TEXT ? '' : text);

/** Other parameters are kept, defaults are not written. */
export function writePricesSearch({ filter, search, model }: PricesSearch, before: UrlSearch): UrlSearch {
  const { filter: _filter, search: _search, model: _model, ...others } = before;
  return {
    ...others,
    ...(filter === null ? {} : { filter: [filter] }),
    ...(search === '' ? {} : { search: [search] }),
    ...(model === '' ? {} : { model: [model] }),
  };
}

export const PRICES_ADDRESS: Address<PricesSearch> = { read: readPricesSearch, write: writePricesSearch };
