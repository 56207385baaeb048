import type { ReaderContext } from '../contexts.ts';
import { openDatabase } from '../open.ts';
import { READS } from '../operations/reads.ts';
import { serveOperations } from './serve.ts';

export interface ReaderInit {
  readonly path: string;
}

serveOperations<ReaderInit, ReaderContext>((init, control) => {
  const db = openDatabase(init.path, { readonly: true });
  // SQLite of this runtime has no interrupt: a function called per row is what stops a long statement.
  db.function('alive', () => {
    if (control.stopped()) throw new Error('nobody waits for this answer');
    return 1;
  });
  return { operations: READS, context: { db }, close: () => db.close() };
});
