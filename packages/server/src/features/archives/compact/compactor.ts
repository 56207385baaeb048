import type { OperationClient } from '../../../sqlite/contexts.ts';
import { createWorkerClient } from '../../../sqlite/worker/client.ts';
import { workerEntry } from '../../../sqlite/worker/entry.ts';
import type { CompactOperations } from './operations.ts';
import type { CompactorInit } from './worker.ts';

export const COMPACTOR = 'features/archives/compact/worker.ts';

export type Compactor = OperationClient<CompactOperations>;

/** A worker that compacts the database while nobody else has it open. */
export function startCompactor(init: CompactorInit): Compactor {
  return createWorkerClient<CompactOperations>({ name: 'database compactor', entry: workerEntry(COMPACTOR), init });
}
