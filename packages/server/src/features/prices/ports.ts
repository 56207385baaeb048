/**
 * Fetches the catalogues, stores matches and reports the result.
 *
 * @param models ids to look up; null = every model of the catalogues
 * @param signal of the caller: nothing is written after its abort
 * @returns JSON of a `ModelPriceSyncResponse`: it has the whole table, so it is serialized where that is read
 * @throws AppError `model_price_sync_failed` when no source answered; the table is then unchanged
 */
export type PriceSync = (models: readonly string[] | null, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;
