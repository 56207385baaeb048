import type { ChosenEntry } from '@manager/core/pricing/catalogue/sync-plan';
import type { OperationClient } from '../../../sqlite/contexts.ts';
import { createWorkerClient } from '../../../sqlite/worker/client.ts';
import { workerEntry } from '../../../sqlite/worker/entry.ts';
import type { CatalogueOperations } from './catalogue-operations.ts';

export const CATALOGUE_WORKER = 'features/prices/sync/worker.ts';

/** A worker for one sync. */
export function startCatalogueWorker(chosen: readonly ChosenEntry[]): OperationClient<CatalogueOperations> {
  return createWorkerClient({
    name: 'price catalogues',
    entry: workerEntry(CATALOGUE_WORKER),
    init: chosen,
    stoppable: true,
  });
}
