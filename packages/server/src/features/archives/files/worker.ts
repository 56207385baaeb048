import { basename, dirname } from 'node:path';
import type { PrivateDirectory } from '../../../platform/files/private-directory.ts';
import { openDatabase } from '../../../sqlite/open.ts';
import { serveOperations } from '../../../sqlite/worker/serve.ts';
import { openArchivesDirectory } from './directory.ts';
import { createEventDigest } from './event-digest.ts';
import { ARCHIVE_FILE_OPERATIONS, type ArchiveFilesContext } from './operations.ts';

export interface ArchiveFilesInit {
  readonly databasePath: string;
  /** The directory of all archives. */
  readonly directory: string;
}

serveOperations<ArchiveFilesInit, ArchiveFilesContext>(({ databasePath, directory }) => {
  const db = openDatabase(databasePath, { readonly: true });
  let archives: Promise<PrivateDirectory> | null = null;
  return {
    operations: ARCHIVE_FILE_OPERATIONS,
    context: {
      db,
      running: createEventDigest(),
      async directoryOf(runId, options) {
        archives ??= openArchivesDirectory(dirname(directory), basename(directory));
        return (await archives).subdirectory(runId, options);
      },
    },
    close: () => db.close(),
  };
});
