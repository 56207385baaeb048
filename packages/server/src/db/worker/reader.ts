import { registerAlive } from '../alive.ts';
import type { ReaderContext } from '../contexts.ts';
import { openDatabase } from '../open.ts';
import { READS } from '../operations/reads.ts';
import { serveOperations } from './serve.ts';

export interface ReaderInit {
  readonly path: string;
}

serveOperations<ReaderInit, ReaderContext>((init, control) => {
  const db = openDatabase(init.path, { readonly: true });
  registerAlive(db, control.stopped);
  return { operations: READS, context: { db }, close: () => db.close() };
});
