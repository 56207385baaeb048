/**
 * Fetches the catalogues, stores what matches and tells what happened.
 *
 * @param models ids to look for; null = every model of the catalogues
 * @param signal of the caller: nothing is written once it is aborted
 * @returns JSON of a `ModelPriceSyncResponse`: it holds the whole table, so it is made where that is read
 * @throws AppError `model_price_sync_failed` when no source answered; the table is unchanged then
 */
export type PriceSync = (models: readonly string[] | null, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;
