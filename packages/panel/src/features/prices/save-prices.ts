import type { ModelPriceSyncResponse } from '@manager/core/contract/prices';
import type { ModelPrice, PriceMap } from '@manager/core/pricing/price';
import type { ManagerCalls } from '../../platform/api/manager.ts';
import { applyEdits, conflictsOf, type PriceEdits } from './price-changes.ts';
import { priceOf } from './price-rows.ts';

export type SaveOutcome =
  | { readonly kind: 'saved'; readonly prices: PriceMap }
  /** Nothing was written: these models were changed by someone else since `base`. `prices` are the present ones. */
  | { readonly kind: 'conflict'; readonly prices: PriceMap; readonly models: readonly string[] };

/** Writes edits over what is stored; the first argument is what the person saw. */
export type SavePrices = (base: PriceMap, edits: PriceEdits) => Promise<SaveOutcome>;

/** @returns whether it was stored */
export type SavePrice = (model: string, price: ModelPrice) => Promise<boolean>;

/** Edits alone, over what is on screen. */
export type SaveEdits = (edits: PriceEdits) => Promise<SaveOutcome>;

type PriceCalls = Pick<ManagerCalls, 'prices' | 'savePrices' | 'syncPrices'>;

/**
 * Writes some prices and keeps all others as they are now: a write replaces the whole table, so it is read again before.
 *
 * @param base the prices that the person saw
 */
export async function savePrices(
  manager: Pick<PriceCalls, 'prices' | 'savePrices'>,
  base: PriceMap,
  edits: PriceEdits,
): Promise<SaveOutcome> {
  const { prices: current } = await manager.prices();
  const models = conflictsOf(base, current, edits);
  if (models.length > 0) return { kind: 'conflict', prices: current, models };
  const { prices } = await manager.savePrices(applyEdits(current, edits));
  return { kind: 'saved', prices };
}

export interface SyncOutcome {
  readonly before: PriceMap;
  readonly after: PriceMap;
  readonly answer: ModelPriceSyncResponse;
}

/**
 * A sync of catalogue prices. The server leaves prices alone that a person has set; those in `overwrite` lose that mark before,
 * and get it back where no catalogue knew them.
 */
export async function syncPrices(
  manager: PriceCalls,
  models: readonly string[],
  overwrite: ReadonlySet<string>,
): Promise<SyncOutcome> {
  const { prices: before } = await manager.prices();
  const handSet = [...overwrite].flatMap((model) => {
    const price = priceOf(before, model);
    return price?.source === MANUAL && models.includes(model) ? [[model, price] as const] : [];
  });
  if (handSet.length > 0) {
    await manager.savePrices(
      applyEdits(before, new Map(handSet.map(([model, price]) => [model, { ...price, source: '' }]))),
    );
  }
  const answer = await manager.syncPrices(models).catch(async (error: unknown) => {
    await restore(manager, handSet);
    throw error;
  });
  const after = (await restore(manager, handSet)) ?? answer.prices;
  return { before, after, answer };
}

const MANUAL = 'manual';

/** Prices that still lack their mark get it back; null = none does. */
async function restore(
  manager: PriceCalls,
  handSet: readonly (readonly [model: string, price: ModelPrice])[],
): Promise<PriceMap | null> {
  if (handSet.length === 0) return null;
  const { prices: current } = await manager.prices();
  const open = handSet.filter(([model]) => (priceOf(current, model)?.source ?? MANUAL) === '');
  if (open.length === 0) return current;
  return (await manager.savePrices(applyEdits(current, new Map(open)))).prices;
}
