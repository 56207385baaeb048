import type { Database } from 'bun:sqlite';
import { checkpoint } from '../checkpoint.ts';
import { openDatabase } from '../open.ts';
import { serveOperations } from './serve.ts';

export interface CheckpointerInit {
  readonly path: string;
}

const OPERATIONS = { checkpoint } as const;

export type CheckpointerOperations = typeof OPERATIONS;

serveOperations<CheckpointerInit, { readonly db: Database }>((init) => {
  const db = openDatabase(init.path, { busyTimeoutMs: 250, cacheBytes: 1024 * 1024 });
  return { operations: OPERATIONS, context: { db }, close: () => db.close() };
});
