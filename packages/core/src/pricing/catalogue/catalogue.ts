import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { ModelPrice } from '../price.ts';

/** Public price lists, best first: a price of an earlier one is not replaced by a later one while the earlier one is down. */
export const CATALOGUE_SOURCES = ['models.dev', 'litellm', 'openrouter'] as const;
export type CatalogueSource = (typeof CATALOGUE_SOURCES)[number];

/** A model of a catalogue that has at least one rate. */
export interface CatalogueEntry {
  /** Id in the catalogue. */
  readonly id: string;
  /** The id without its provider; '' when the catalogue has none. */
  readonly alias: string;
  /** Unchecked: catalogues publish rates below 0 for prices that vary. */
  readonly price: ModelPrice;
}

export interface Catalogue {
  readonly source: CatalogueSource;
  readonly entries: readonly CatalogueEntry[];
  /** Models without any rate. */
  readonly skipped: number;
  /** Ids of the models as their makers sell them; null when the catalogue does not say. */
  readonly canonicalIds: readonly string[] | null;
}

/** The text of a catalogue is not what it should be. The message is for the operator. */
export class CatalogueError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CatalogueError';
  }
}

/** Parses the text of a catalogue; numbers stay the decimal text they were written as. @throws CatalogueError */
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

/** @throws CatalogueError when no model of it has a price */
export function requirePrices(catalogue: Catalogue): Catalogue {
  if (catalogue.entries.length === 0) throw new CatalogueError('the response contains no usable price');
  return catalogue;
}
