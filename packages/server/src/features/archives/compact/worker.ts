import { dirname } from 'node:path';
import { openDatabase } from '../../../sqlite/open.ts';
import { serveOperations } from '../../../sqlite/worker/serve.ts';
import { COMPACT_OPERATIONS, type CompactContext } from './operations.ts';

export interface CompactorInit {
  /** Canonical, its process lock held. */
  readonly path: string;
}

// In a worker, because nothing interrupts the statements: the main thread goes on reporting and takes the signals.
serveOperations<CompactorInit, CompactContext>(({ path }) => {
  const db = openDatabase(path, {
    busyTimeoutMs: 0,
    exclusive: true,
    // Beside the database, where the space was looked for.
    tempDirectory: dirname(path),
  });
  return { operations: COMPACT_OPERATIONS, context: { db, path }, close: () => db.close() };
});
