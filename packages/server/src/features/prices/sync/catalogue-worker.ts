import type { OperationClient } from '../../../db/contexts.ts';
import { createWorkerClient } from '../../../db/worker/client.ts';
import { WORKER_ENTRIES, workerEntry } from '../../../db/worker/entry.ts';
import type { CatalogueOperations } from './catalogue-operations.ts';

/** A worker for one sync. */
export function startCatalogueWorker(): OperationClient<CatalogueOperations> {
  return createWorkerClient({
    name: 'price catalogues',
    entry: workerEntry(WORKER_ENTRIES.catalogues),
    init: null,
    stoppable: true,
  });
}
