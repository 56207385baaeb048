import { stopPoint } from '../../../platform/stop-point.ts';
import type { ReaderContext, WriterContext } from '../../../sqlite/contexts.ts';
import { coverageIncomplete } from '../stages/gates.ts';
import { requireCancellable } from '../states.ts';
import { stateOf } from './change-runs.ts';

/**
 * Write operation without a change: whether the run may be canceled.
 *
 * @throws usage_archive_not_found, usage_archive_cancel_unsafe, usage_archive_cancel_published, usage_archive_invalid_state
 */
export function checkArchiveCancel({ db }: WriterContext, runId: string): 'cancelled already' | 'may be cancelled' {
  return requireCancellable(stateOf(db, runId));
}

export interface HeldEvents {
  /** References of this page, and how many of them have a raw row. */
  readonly references: number;
  readonly stored: number;
  /** Start of the next page; null = this was the last one. */
  readonly lastId: number | null;
}

const PAGE_ROWS = 20_000;

/** By usage_archive_event_refs_undeleted; a run that may be canceled has deleted nothing. */
export const HELD_SQL = `
SELECT count(*) AS rows, count(storedId) AS stored, max(id) AS lastId
FROM (
  SELECT ref.raw_event_id AS id, event.id AS storedId
  FROM usage_archive_event_refs AS ref INDEXED BY usage_archive_event_refs_undeleted
    LEFT JOIN usage_events AS event ON event.id = ref.raw_event_id
  WHERE ref.run_number = (SELECT number FROM usage_archive_runs WHERE id = ?)
    AND ref.raw_deleted_at_ms IS NULL
    AND ref.raw_event_id > ?
  ORDER BY ref.raw_event_id
  LIMIT ${PAGE_ROWS}
)`;

/** Read operation: the next events that a run holds. Neither they nor their raw rows change while it is in no stage. */
export function heldEvents(
  { db }: ReaderContext,
  { runId, afterId }: { readonly runId: string; readonly afterId: number },
): HeldEvents {
  const page = db
    .query<{ rows: number; stored: number; lastId: number | null }, [string, number]>(HELD_SQL)
    .get(runId, afterId);
  const references = page?.rows ?? 0;
  return { references, stored: page?.stored ?? 0, lastId: references < PAGE_ROWS ? null : (page?.lastId ?? null) };
}

interface CancelArgs {
  readonly runId: string;
  /** The sums of `heldEvents` over all pages. */
  readonly references: number;
  readonly stored: number;
}

/**
 * Write operation: cancels the run; files, segments and ledger stay. Its references have no meaning any more, and
 * `releaseArchiveReferences` removes them: all at once they would block every other write for a second or two per million.
 *
 * @throws as `checkArchiveCancel`, and usage_archive_coverage_incomplete when its references do not match its events
 */
export function cancelArchiveRun({ db, now }: WriterContext, { runId, references, stored }: CancelArgs): void {
  const run = stateOf(db, runId);
  if (requireCancellable(run) === 'may be cancelled') {
    if (references !== run.archivedEventCount || stored !== references) {
      throw coverageIncomplete('the events of the run are not those that it archived');
    }
    db.query("UPDATE usage_archive_runs SET status = 'cancelled', updated_at_ms = ? WHERE id = ?").run(now(), runId);
  }
  db.query(
    `UPDATE usage_archive_runs
     SET
       requested_stage = NULL, resume_status = NULL, last_error = NULL,
       progress_phase = NULL, progress_current = 0, progress_total = 0, progress_unit = NULL,
       progress_updated_at_ms = NULL
     WHERE id = ?`,
  ).run(runId);
  db.query(
    'DELETE FROM usage_maintenance_locks WHERE run_number = (SELECT number FROM usage_archive_runs WHERE id = ?)',
  ).run(runId);
  stopPoint('archive_cancel_uncommitted');
}
