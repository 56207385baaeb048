import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { ModelPrice } from '../price.ts';

/** Public price lists, best first: while an earlier one is down, a later one does not replace its prices. */
export const CATALOGUE_SOURCES = ['models.dev', 'litellm', 'openrouter'] as const;
export type CatalogueSource = (typeof CATALOGUE_SOURCES)[number];

/** A model of a catalogue that has at least one rate. */
export interface CatalogueEntry {
  readonly id: string;
  /** The id without its provider; '' when the catalogue has none. */
  readonly alias: string;
  /** Unchecked: catalogues use rates below 0 for prices that vary. */
  readonly price: ModelPrice;
}

export interface Catalogue {
  readonly source: CatalogueSource;
  readonly entries: readonly CatalogueEntry[];
  /** Models without a rate. */
  readonly skipped: number;
  /** Ids of the makers' own models; null when the catalogue does not list them. */
  readonly canonicalIds: readonly string[] | null;
}

/** A catalogue has an unexpected format. The message is for the operator. */
export class CatalogueError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CatalogueError';
  }
}

/** Parses a catalogue; numbers keep their decimal text. @throws CatalogueError */
export function parseCatalogue(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text, (_key, member: unknown, context?: { readonly source?: string }) =>
      typeof member === 'number' && context?.source !== undefined ? JSON.rawJSON(context.source) : member,
    );
  } catch {
    throw new CatalogueError('the response is not JSON');
  }
  if (!isJsonObject(value)) throw new CatalogueError('the response is not a JSON object');
  return value;
}

/** @throws CatalogueError when no model has a price */
export function requirePrices(catalogue: Catalogue): Catalogue {
  if (catalogue.entries.length === 0) throw new CatalogueError('the response contains no usable price');
  return catalogue;
}
