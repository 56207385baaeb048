import { COMPACTOR } from '../features/archives/compact/compactor.ts';
import { ARCHIVE_WORKER } from '../features/archives/files/archive-files.ts';
import { CATALOGUE_WORKER } from '../features/prices/sync/catalogue-worker.ts';
import { IMPORT_WORKER } from '../features/transfer/import/reader/import-worker.ts';

/** Workers of the database, by path; see `workerEntry`. */
export const DATABASE_WORKERS = {
  writer: 'workers/writer.ts',
  preparer: 'workers/preparer.ts',
  reader: 'workers/reader.ts',
  checkpointer: 'workers/checkpointer.ts',
  analytics: 'workers/analytics.ts',
  secondScanner: 'workers/second-scanner.ts',
} as const;

/** Every worker of the server: entry points for the build, besides `main.ts`. */
export const WORKER_ENTRIES: readonly string[] = [
  ...Object.values(DATABASE_WORKERS),
  COMPACTOR,
  ARCHIVE_WORKER,
  CATALOGUE_WORKER,
  IMPORT_WORKER,
];
