import type { OperationClient } from '../../../sqlite/contexts.ts';
import { createWorkerClient } from '../../../sqlite/worker/client.ts';
import { workerEntry } from '../../../sqlite/worker/entry.ts';
import type { ARCHIVE_FILE_OPERATIONS } from './operations.ts';
import type { ArchiveFilesInit } from './worker.ts';

export const ARCHIVE_WORKER = 'features/archives/files/worker.ts';

/** All work on archive files, in a separate thread. */
export type ArchiveFiles = OperationClient<typeof ARCHIVE_FILE_OPERATIONS>;

/** The thread starts with the first operation and ends with `close`: stages are rare, and it needs much memory. */
export function startArchiveFiles(init: ArchiveFilesInit): ArchiveFiles {
  return createWorkerClient<typeof ARCHIVE_FILE_OPERATIONS>({
    name: 'archive files',
    entry: workerEntry(ARCHIVE_WORKER),
    init,
  });
}
