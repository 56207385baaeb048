import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import type { UsageSummaryResponse } from '@manager/core/contract/prices';
import { rowIdentity } from '@manager/core/pricing/event-row';
import { builtInPrice } from '@manager/core/pricing/model-families';
import type { ModelPrice, PriceMap } from '@manager/core/pricing/price';
import type { PriceBook } from '@manager/core/pricing/price-book';

/**
 * `elsewhere`: the newest requests of the name were billed at the price of the model that answered. `waiting`: that model is
 * unpriced, and once priced the name needs no price.
 */
export type PriceState = 'saved' | 'builtIn' | 'elsewhere' | 'candidate' | 'waiting' | 'missing' | 'conflict';

export interface PriceRow {
  readonly model: string;
  readonly price: ModelPrice | null;
  readonly state: PriceState;
  /** Among the newest requests; null = this server does not report it. */
  readonly requests: number | null;
  readonly requested: number;
  readonly resolved: number;
  /** The model that answers; set for `elsewhere` and `waiting`. */
  readonly pricedAs: string | null;
}

/** Missing, saved and indirect cover all rows; candidates are those of the missing with suggestions of a sync. */
export const PRICE_FILTERS = ['all', 'missing', 'candidates', 'saved', 'indirect'] as const;
export type PriceFilter = (typeof PRICE_FILTERS)[number];

/** Which names were looked up for a request, in their order, and which one had the price. */
export interface PriceLookup {
  readonly names: readonly string[];
  /** Name of the price row; null = none has one. */
  readonly used: string | null;
  /** Priced without a row, by the model family. */
  readonly family: boolean;
  readonly requests: number;
}

interface RowParts {
  readonly prices: PriceMap;
  readonly usage: UsageSummaryResponse | undefined;
  /** By requested name: the lookups of the newest requests. */
  readonly lookups: ReadonlyMap<string, readonly PriceLookup[]>;
  /** Models with suggestions of the last sync. */
  readonly candidates: ReadonlySet<string>;
  /** Models that somebody else changed during the edit. */
  readonly conflicts: ReadonlySet<string>;
}

/** Every model that has a price or was used. */
export function priceRows({ prices, usage, lookups, candidates, conflicts }: RowParts): readonly PriceRow[] {
  const used = new Map((usage?.models ?? []).map((model) => [model.model, model]));
  const names = new Set([...Object.keys(prices), ...used.keys(), ...candidates]);
  names.delete('');
  return [...names].map((model) => {
    const price = priceOf(prices, model);
    const counts = used.get(model);
    const seen = lookups.get(model) ?? [];
    const onlyAsked = (counts?.resolved_calls ?? 0) === 0 && seen.length > 0;
    const elsewhere = onlyAsked && seen.every(isPriced);
    const waiting = onlyAsked && seen.every((lookup) => isPriced(lookup) || answeredByOther(lookup, model, used));
    const state = conflicts.has(model)
      ? 'conflict'
      : price !== null
        ? 'saved'
        : builtInPrice(model) !== null
          ? 'builtIn'
          : elsewhere
            ? 'elsewhere'
            : candidates.has(model)
              ? 'candidate'
              : waiting
                ? 'waiting'
                : 'missing';
    return {
      model,
      price,
      state,
      requests: usage === undefined ? null : (counts?.calls ?? 0),
      requested: counts?.requested_calls ?? 0,
      resolved: counts?.resolved_calls ?? 0,
      pricedAs: state === 'elsewhere' || state === 'waiting' ? (seen[0]?.used ?? seen[0]?.names[0] ?? null) : null,
    };
  });
}

const isPriced = (lookup: PriceLookup): boolean => lookup.used !== null || lookup.family;

/** Whether the first price found belongs to another model, which has its own row. */
const answeredByOther = ({ names: [first] }: PriceLookup, model: string, used: ReadonlyMap<string, unknown>): boolean =>
  first !== undefined && first !== model && used.has(first);

/** Own members only: a model may be called `constructor`. */
export const priceOf = (prices: PriceMap, model: string): ModelPrice | null =>
  Object.hasOwn(prices, model) ? (prices[model] ?? null) : null;

/** How the newest requests found their price, by requested name. */
export function lookupsOf(
  events: readonly EventRow[],
  prices: PriceMap,
  book: PriceBook,
): ReadonlyMap<string, readonly PriceLookup[]> {
  const found = new Map<string, Map<string, PriceLookup>>();
  for (const event of events) {
    const identity = rowIdentity(event);
    const name = book.pricingModel(identity);
    const names = [
      ...new Set(
        [identity.billingModel, identity.analyticsModel, identity.requestedModel].filter((each) => each !== ''),
      ),
    ];
    const used = priceOf(prices, name) === null ? null : name;
    const own = found.get(identity.analyticsModel) ?? new Map<string, PriceLookup>();
    found.set(identity.analyticsModel, own);
    const key = JSON.stringify(names);
    const requests = (own.get(key)?.requests ?? 0) + 1;
    own.set(key, { names, used, family: used === null && book.plan(identity).priced, requests });
  }
  return new Map([...found].map(([model, lookups]) => [model, [...lookups.values()]]));
}

/** Needs no price of its own: by the model family, or by the model that answers. */
const isIndirect = ({ state }: PriceRow): boolean =>
  state === 'builtIn' || state === 'elsewhere' || state === 'waiting';

export const lacksPrice = (row: PriceRow): boolean => row.price === null && !isIndirect(row);

/** The initial filter: used models without a price, if any. */
export function defaultFilter(rows: readonly PriceRow[]): PriceFilter {
  return rows.some((row) => lacksPrice(row) && (row.requests ?? 0) > 0) ? 'missing' : 'all';
}

export function filterRows(rows: readonly PriceRow[], filter: PriceFilter, search: string): readonly PriceRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (row.state !== 'conflict' && !isIn(row, filter)) return false;
    const text = `${row.model} ${row.price?.source ?? ''} ${row.price?.sourceModelId ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function countFilter(rows: readonly PriceRow[], filter: PriceFilter): number {
  return rows.reduce((sum, row) => sum + (isIn(row, filter) ? 1 : 0), 0);
}

function isIn(row: PriceRow, filter: PriceFilter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'missing':
      return lacksPrice(row);
    case 'candidates':
      return row.state === 'candidate';
    case 'saved':
      return row.price !== null;
    case 'indirect':
      return row.price === null && isIndirect(row);
  }
}
