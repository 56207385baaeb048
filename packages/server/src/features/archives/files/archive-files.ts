import type { OperationClient } from '../../../db/contexts.ts';
import { createWorkerClient } from '../../../db/worker/client.ts';
import { WORKER_ENTRIES, workerEntry } from '../../../db/worker/entry.ts';
import type { ARCHIVE_FILE_OPERATIONS } from './operations.ts';
import type { ArchiveFilesInit } from './worker.ts';

/** Everything that is done to the files of archives, in a thread of its own. */
export type ArchiveFiles = OperationClient<typeof ARCHIVE_FILE_OPERATIONS>;

/** The thread starts with the first operation and ends with `close`: stages are rare, its memory is large. */
export function startArchiveFiles(init: ArchiveFilesInit): ArchiveFiles {
  return createWorkerClient<typeof ARCHIVE_FILE_OPERATIONS>({
    name: 'archive files',
    entry: workerEntry(WORKER_ENTRIES.archives),
    init,
  });
}
