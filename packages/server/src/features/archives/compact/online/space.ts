import type { Database } from 'bun:sqlite';
import type { ArchiveCompaction } from '@manager/core/contract/archives/runs';
import { stopPoint } from '../../../../platform/stop-point.ts';
import type { OperationClient, ReaderContext, WriterContext } from '../../../../sqlite/contexts.ts';

/** The pages of the database file. */
export interface DatabaseSpace {
  readonly pageBytes: number;
  readonly pages: number;
  readonly freePages: number;
  /** Free pages can be returned in steps. False: the file was created without it, and only `compact-usage` shrinks it. */
  readonly isIncremental: boolean;
  /** A stage of an archive run is active: it frees or needs pages itself. */
  readonly isArchiving: boolean;
  /** An archive run waits for the compaction that follows its deletion, or for the end of one that began; null = none. */
  readonly pending: 'waiting' | 'running' | null;
}

/** Number of the mode in which free pages are returned on request. */
const INCREMENTAL = 2;

/** Read operation: all of it is in the header of the file and in one row. */
export function databaseSpace({ db }: ReaderContext, _args: null): DatabaseSpace {
  return db.transaction(() => readSpace(db))();
}

/**
 * Write operation: moves up to that many pages from the end of the file into free ones, which shortens the file with the next
 * checkpoint. Returns what is left; nothing is moved while a stage is active.
 */
export function returnPages({ db }: WriterContext, { pages }: { readonly pages: number }): DatabaseSpace {
  const before = readSpace(db);
  if (!before.isIncremental || before.isArchiving || before.freePages === 0) return before;
  // One row for each page.
  db.query(`PRAGMA incremental_vacuum(${Math.max(1, Math.floor(pages))})`).all();
  stopPoint('pages_returned_uncommitted');
  return readSpace(db);
}

/** Write operation: the state of the compaction of every run that waits for it. */
export function settleCompaction(
  { db }: WriterContext,
  { to }: { readonly to: Exclude<ArchiveCompaction, 'waiting'> },
): void {
  db.query("UPDATE usage_archive_runs SET compaction = ? WHERE compaction IN ('waiting', 'running')").run(to);
}

/** Listed in `workers/operations/reads.ts` and `writes.ts`. */
export const spaceReads = { databaseSpace };
export const spaceWrites = { returnPages, settleCompaction };

export type SpaceReads = Pick<OperationClient<typeof spaceReads>, 'run'>;
export type SpaceWrites = Pick<OperationClient<typeof spaceWrites>, 'run'>;

export function isIncremental(db: Database): boolean {
  return numberOf(db, 'auto_vacuum') === INCREMENTAL;
}

function readSpace(db: Database): DatabaseSpace {
  // Runs are few.
  const pending = db
    .query<{ compaction: 'waiting' | 'running' }, []>(
      "SELECT compaction FROM usage_archive_runs WHERE compaction IN ('waiting', 'running') ORDER BY compaction LIMIT 1",
    )
    .get();
  return {
    pageBytes: numberOf(db, 'page_size'),
    pages: numberOf(db, 'page_count'),
    freePages: numberOf(db, 'freelist_count'),
    isIncremental: isIncremental(db),
    isArchiving: db.query('SELECT 1 FROM usage_maintenance_locks').get() !== null,
    pending: pending?.compaction ?? null,
  };
}

function numberOf(db: Database, pragma: string): number {
  return db.query<Record<string, number>, []>(`PRAGMA ${pragma}`).get()?.[pragma] ?? 0;
}
