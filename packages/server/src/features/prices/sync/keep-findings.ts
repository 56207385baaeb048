import type { OperationClient } from '../../../sqlite/contexts.ts';
import type { applyPriceSync, priceSyncBody, SyncFindings } from './store.ts';

/** Stores the result of a sync. @returns the answer, as JSON */
export type KeepFindings = (findings: SyncFindings, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;

export function createKeepFindings(
  writer: Pick<OperationClient<{ readonly applyPriceSync: typeof applyPriceSync }>, 'run'>,
  reader: Pick<OperationClient<{ readonly priceSyncBody: typeof priceSyncBody }>, 'run'>,
): KeepFindings {
  return async (findings, signal) => {
    const outcome = await writer.run('applyPriceSync', findings, { signal });
    return reader.run('priceSyncBody', { ...findings, ...outcome }, { signal });
  };
}
