import type { OperationClient } from '../../../../sqlite/contexts.ts';
import { createWorkerClient } from '../../../../sqlite/worker/client.ts';
import { workerEntry } from '../../../../sqlite/worker/entry.ts';
import type { ImportOperations } from './operations.ts';

export const IMPORT_WORKER = 'features/transfer/import/reader/worker.ts';

/** A worker for one payload. Closing it closes the payload's files. */
export function startImportWorker(): OperationClient<ImportOperations> {
  return createWorkerClient({
    name: 'import reader',
    entry: workerEntry(IMPORT_WORKER),
    init: null,
  });
}
