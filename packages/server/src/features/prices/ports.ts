import type { ModelPriceSyncResponse } from '@manager/core/contract/model-prices';
import type { PriceMap } from '@manager/core/pricing/price';
import type { OperationClient } from '../../db/contexts.ts';
import type { Reads } from '../../db/operations/reads.ts';
import type { Writes } from '../../db/operations/writes.ts';

export type SyncAnswer = ModelPriceSyncResponse;

/**
 * Fetches the catalogues, stores what matches and tells what happened.
 *
 * @param models ids to look for; null = every model of the catalogues
 * @param signal of the caller: nothing is written once it is aborted
 * @throws AppError `model_price_sync_failed` when no source answered; the table is unchanged then
 */
export type PriceSync = (models: readonly string[] | null, signal: AbortSignal) => Promise<SyncAnswer>;

/** What a sync keeps in the database. */
export interface SyncStore {
  /** Every stored price. */
  list(): Promise<PriceMap>;
  /**
   * Writes prices in one transaction; models that are not named stay. `updatedAtMs` = `syncedAtMs` = now, an empty source
   * becomes `sync`. Prices come out of `checkPrice` (core/pricing/validate).
   *
   * @returns every price as stored afterwards
   */
  upsert(prices: PriceMap): Promise<PriceMap>;
}

/** The store over the workers of the process. */
export function createSyncStore(
  writer: Pick<OperationClient<Writes>, 'run'>,
  reader: Pick<OperationClient<Reads>, 'run'>,
): SyncStore {
  return {
    list: () => reader.run('listModelPrices', null),
    upsert: (prices) => writer.run('upsertModelPrices', prices),
  };
}
