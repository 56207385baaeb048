import type { OperationClient } from '../../../sqlite/contexts.ts';
import { createWorkerClient } from '../../../sqlite/worker/client.ts';
import { workerEntry } from '../../../sqlite/worker/entry.ts';
import type { ARCHIVE_FILE_OPERATIONS } from './operations.ts';
import type { ArchiveFilesInit } from './worker.ts';

export const ARCHIVE_WORKER = 'features/archives/files/worker.ts';

/** Everything that is done to the files of archives, in a thread of its own. */
export type ArchiveFiles = OperationClient<typeof ARCHIVE_FILE_OPERATIONS>;

/** The thread starts with the first operation and ends with `close`: stages are rare, its memory is large. */
export function startArchiveFiles(init: ArchiveFilesInit): ArchiveFiles {
  return createWorkerClient<typeof ARCHIVE_FILE_OPERATIONS>({
    name: 'archive files',
    entry: workerEntry(ARCHIVE_WORKER),
    init,
  });
}
