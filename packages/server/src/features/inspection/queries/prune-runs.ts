import type { WriterContext } from '../../../sqlite/contexts.ts';

/** The newest runs, which are kept however old. */
const KEPT_RUNS = 200;
const KEPT_MS = 90 * 86_400_000;

/**
 * Write operation: deletes one run that is older than 90 days and not among the newest 200, with its results and logs. True
 * when there may be more. The newest completed run stays, because it shows the state of the accounts, and the newest scheduled
 * one, because the next is calculated from it.
 */
export function pruneInspectionRuns({ db }: WriterContext, nowMs: number): boolean {
  // By inspection_runs_started.
  const oldest = db
    .query<{ number: number }, [number, number]>(
      `SELECT number
       FROM inspection_runs
       WHERE started_at_ms < ?1
         AND status NOT IN ('running', 'cancelling')
         AND (started_at_ms, number) < (
           SELECT started_at_ms, number FROM inspection_runs ORDER BY started_at_ms DESC, number DESC LIMIT 1 OFFSET ?2
         )
         AND number IS NOT (
           SELECT number FROM inspection_runs WHERE status = 'completed' ORDER BY started_at_ms DESC, number DESC LIMIT 1
         )
         AND number IS NOT (
           SELECT number FROM inspection_runs WHERE trigger_type = 'scheduled' ORDER BY started_at_ms DESC LIMIT 1
         )
       ORDER BY started_at_ms, number
       LIMIT 1`,
    )
    .get(nowMs - KEPT_MS, KEPT_RUNS - 1);
  if (oldest === null) {
    db.query('DELETE FROM inspection_account_turns WHERE inspected_at_ms < ?').run(nowMs - KEPT_MS);
    return false;
  }
  db.query('DELETE FROM inspection_runs WHERE number = ?').run(oldest.number);
  return true;
}
