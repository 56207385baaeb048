import type { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';

/** Sizes of a database in bytes, and counts. A missing side file has size 0. */
export interface FileStatistics {
  readonly page_size: number;
  readonly page_count: number;
  readonly freelist_count: number;
  readonly database_bytes: number;
  readonly wal_bytes: number;
  readonly shm_bytes: number;
  readonly total_bytes: number;
  /** The least that compacting would free. */
  readonly reclaimable_bytes: number;
}

export function readFileStatistics(db: Database, path: string): FileStatistics {
  const pageSize = numberOf(db, 'page_size');
  const freePages = numberOf(db, 'freelist_count');
  const [database, wal, shm] = [bytesOf(path), bytesOf(`${path}-wal`), bytesOf(`${path}-shm`)];
  return {
    page_size: pageSize,
    page_count: numberOf(db, 'page_count'),
    freelist_count: freePages,
    database_bytes: database,
    wal_bytes: wal,
    shm_bytes: shm,
    total_bytes: database + wal + shm,
    reclaimable_bytes: pageSize * freePages,
  };
}

function numberOf(db: Database, pragma: string): number {
  return db.query<Record<string, number>, []>(`PRAGMA ${pragma}`).get()?.[pragma] ?? 0;
}

/** A stat does not open the file, so it cannot drop locks of this process. */
function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
