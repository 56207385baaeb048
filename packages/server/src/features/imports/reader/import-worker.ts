import type { OperationClient } from '../../../db/contexts.ts';
import { createWorkerClient } from '../../../db/worker/client.ts';
import { WORKER_ENTRIES, workerEntry } from '../../../db/worker/entry.ts';
import type { ImportOperations } from './operations.ts';

/** A worker for one payload. Closing it closes the payload's files. */
export function startImportWorker(): OperationClient<ImportOperations> {
  return createWorkerClient({
    name: 'import reader',
    entry: workerEntry(WORKER_ENTRIES.imports),
    init: null,
  });
}
