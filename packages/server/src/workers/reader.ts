import type { ReaderContext } from '../sqlite/contexts.ts';
import { openDatabase } from '../sqlite/open.ts';
import { registerStillWanted } from '../sqlite/still-wanted.ts';
import { serveOperations } from '../sqlite/worker/serve.ts';
import { READS } from './operations/reads.ts';

export interface ReaderInit {
  readonly path: string;
  /** Pages of the database that it keeps. Default 8 MiB. */
  readonly pageBytes?: number | undefined;
}

serveOperations<ReaderInit, ReaderContext>((init, control) => {
  const db = openDatabase(init.path, { readonly: true, cacheBytes: init.pageBytes });
  registerStillWanted(db, control.stopped);
  return { operations: READS, context: { db }, close: () => db.close() };
});
