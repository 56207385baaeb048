import type { OperationClient } from '../../../sqlite/contexts.ts';
import type { Reads } from '../../../workers/operations/reads.ts';
import type { Writes } from '../../../workers/operations/writes.ts';
import type { SyncFindings } from './store.ts';

/** Stores what a sync found. @returns the answer, as JSON */
export type KeepFindings = (findings: SyncFindings, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;

export function createKeepFindings(
  writer: Pick<OperationClient<Writes>, 'run'>,
  reader: Pick<OperationClient<Reads>, 'run'>,
): KeepFindings {
  return async (findings, signal) => {
    const outcome = await writer.run('applyPriceSync', findings, { signal });
    return reader.run('priceSyncBody', { ...findings, ...outcome }, { signal });
  };
}
