import type { ModelPriceSyncResponse } from '@manager/core/contract/prices';
import type { ModelPrice, PriceMap } from '@manager/core/pricing/price';
import type { ManagerCalls } from '../../platform/api/manager.ts';
import { applyEdits, conflictsOf, type PriceEdits } from './price-changes.ts';
import { priceOf } from './price-rows.ts';

export type SaveOutcome =
  | { readonly kind: 'saved'; readonly prices: PriceMap }
  /** Nothing was written: somebody else changed these models since `base`. `prices` are the present ones. */
  | { readonly kind: 'conflict'; readonly prices: PriceMap; readonly models: readonly string[] };

/** Writes edits over the stored prices; the first argument is what the person saw. */
export type SavePrices = (base: PriceMap, edits: PriceEdits) => Promise<SaveOutcome>;

/** @returns whether it was stored */
export type SavePrice = (model: string, price: ModelPrice) => Promise<boolean>;

/** Writes edits over the prices on screen. */
export type SaveEdits = (edits: PriceEdits) => Promise<SaveOutcome>;

type PriceCalls = Pick<ManagerCalls, 'prices' | 'savePrices' | 'syncPrices'>;

/**
 * Writes some prices and keeps all others: a write replaces the whole table, so it is read again before. `base` = the prices that
 * the person saw.
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
 * A sync of catalog prices. The server keeps manual prices; those in `overwrite` lose that mark before, and get it back where no
 * catalog knew them.
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

/** Restores missing marks; null = none is missing. */
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
