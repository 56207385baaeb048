import type { ModelPrice, PriceMap } from '@manager/core/pricing/price';
import { ratesOf } from '@manager/core/pricing/rates';
import { RATE_NAMES, type RateName } from './price-form.ts';
import { priceOf } from './price-rows.ts';

export interface RateChange {
  readonly rate: RateName;
  /** null = not set. */
  readonly before: number | null;
  readonly after: number | null;
}

export interface PriceChange {
  readonly model: string;
  readonly kind: 'added' | 'changed' | 'removed';
  readonly rates: readonly RateChange[];
  readonly tiers: boolean;
}

/** Model → its new price; null = none. */
export type PriceEdits = ReadonlyMap<string, ModelPrice | null>;

/** The members that affect a cost; times, sources and catalog entries do not. */
export function changesBetween(before: PriceMap, after: PriceMap): readonly PriceChange[] {
  const models = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return models.flatMap((model) => {
    const old = priceOf(before, model);
    const next = priceOf(after, model);
    const rates = rateChanges(old, next);
    const tiers = tiersOf(old) !== tiersOf(next);
    if (rates.length === 0 && !tiers && (old === null) === (next === null)) return [];
    const kind = old === null ? ('added' as const) : next === null ? ('removed' as const) : ('changed' as const);
    return [{ model, kind, rates, tiers }];
  });
}

export function rateChanges(before: ModelPrice | null, after: ModelPrice | null): readonly RateChange[] {
  const old = before === null ? null : ratesOf(before);
  const next = after === null ? null : ratesOf(after);
  return RATE_NAMES.map((rate) => ({ rate, before: old?.[rate] ?? null, after: next?.[rate] ?? null })).filter(
    (change) => change.before !== change.after,
  );
}

const tiersOf = (price: ModelPrice | null): string => sorted([price?.contextTiers ?? [], price?.serviceTiers ?? []]);

/** Two stored prices are equal if they differ only in the time of the last write: PUT sets it for every model. */
function samePrice(a: ModelPrice | null, b: ModelPrice | null): boolean {
  if (a === null || b === null) return a === b;
  const { updatedAtMs: _a, ...first } = a;
  const { updatedAtMs: _b, ...second } = b;
  return sorted(first) === sorted(second);
}

/** JSON with sorted members. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

export function applyEdits(prices: PriceMap, edits: PriceEdits): PriceMap {
  const kept = Object.entries(prices).filter(([model]) => !edits.has(model));
  const set = [...edits].flatMap(([model, price]) => (price === null ? [] : [[model, price] as const]));
  return Object.fromEntries([...kept, ...set]);
}

/** Edited models that changed since the edit began. */
export function conflictsOf(base: PriceMap, current: PriceMap, edits: PriceEdits): readonly string[] {
  return [...edits.keys()].filter((model) => !samePrice(priceOf(base, model), priceOf(current, model)));
}

/** Undoes `changes`, and nothing else. */
export function undoOf(before: PriceMap, after: PriceMap): PriceEdits {
  const models = new Set([...Object.keys(before), ...Object.keys(after)]);
  return new Map(
    [...models].flatMap((model) => {
      const old = priceOf(before, model);
      return samePrice(old, priceOf(after, model)) ? [] : [[model, old] as const];
    }),
  );
}
