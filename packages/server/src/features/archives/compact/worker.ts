import { dirname } from 'node:path';
import { openDatabase } from '../../../sqlite/open.ts';
import { serveOperations } from '../../../sqlite/worker/serve.ts';
import { COMPACT_OPERATIONS, type CompactContext } from './operations.ts';

export interface CompactorInit {
  /** Canonical path; the process lock is held. */
  readonly path: string;
}

// In a worker, because nothing interrupts the statements: the main thread prints progress and handles signals.
serveOperations<CompactorInit, CompactContext>(({ path }) => {
  const db = openDatabase(path, {
    busyTimeoutMs: 0,
    exclusive: true,
    // Next to the database, where the free space was checked.
    tempDirectory: dirname(path),
  });
  return { operations: COMPACT_OPERATIONS, context: { db, path }, close: () => db.close() };
});
