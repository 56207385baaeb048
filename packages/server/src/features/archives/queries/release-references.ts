import type { Database } from 'bun:sqlite';
import { stopPoint } from '../../../platform/stop-point.ts';
import type { ReaderContext, WriterContext } from '../../../sqlite/contexts.ts';

/** One look-up in usage_archive_event_refs_undeleted per run. */
export const UNRELEASED_SQL = `
SELECT number
FROM usage_archive_runs
WHERE status = 'cancelled'
  AND EXISTS (
    SELECT 1
    FROM usage_archive_event_refs
    WHERE run_number = number
      AND raw_deleted_at_ms IS NULL
  )
LIMIT 1`;

/** Whether a canceled run still has references, so that its events cannot be counted as free. */
export function hasUnreleased(db: Database): boolean {
  return db.query(UNRELEASED_SQL).get() !== null;
}

/** Read operation. */
export function unreleasedArchiveReferences({ db }: ReaderContext, _args: null): boolean {
  return hasUnreleased(db);
}

/** By usage_archive_event_refs_undeleted. */
export const RELEASE_SQL = `
DELETE FROM usage_archive_event_refs
WHERE raw_event_id IN (
  SELECT raw_event_id
  FROM usage_archive_event_refs INDEXED BY usage_archive_event_refs_undeleted
  WHERE run_number = ?
    AND raw_deleted_at_ms IS NULL
  LIMIT ?
)`;

/** Write operation: removes some references of canceled runs; false = none left. */
export function releaseArchiveReferences({ db }: WriterContext, { atMost }: { readonly atMost: number }): boolean {
  const run = db.query<{ number: number }, []>(UNRELEASED_SQL).get();
  if (run === null) return false;
  db.query(RELEASE_SQL).run(run.number, atMost);
  stopPoint('archive_references_releasing');
  return true;
}
