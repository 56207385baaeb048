import type { Database } from 'bun:sqlite';

/**
 * Counts the suggestions of a run from its results, and the states of its accounts once every account has a result: before that
 * the counts are those of the selected accounts.
 */
export function recountRun(db: Database, runNumber: number, nowMs: number): void {
  db.query(
    `UPDATE inspection_runs
     SET
       delete_count = found.delete_count,
       disable_count = found.disable_count,
       enable_count = found.enable_count,
       reauth_count = found.reauth_count,
       keep_count = found.keep_count,
       disabled_count = iif(found.results >= sampled_count, found.disabled_count, inspection_runs.disabled_count),
       enabled_count = iif(
         found.results >= sampled_count,
         found.results - found.disabled_count,
         inspection_runs.enabled_count
       ),
       updated_at_ms = ?2
     FROM (
       SELECT
         count(*) AS results,
         count(*) FILTER (WHERE action = 'delete') AS delete_count,
         count(*) FILTER (WHERE action = 'disable') AS disable_count,
         count(*) FILTER (WHERE action = 'enable') AS enable_count,
         count(*) FILTER (WHERE action = 'reauth') AS reauth_count,
         count(*) FILTER (WHERE action = 'keep') AS keep_count,
         count(*) FILTER (WHERE disabled <> 0) AS disabled_count
       FROM inspection_results
       WHERE run_number = ?1
     ) AS found
     WHERE number = ?1`,
  ).run(runNumber, nowMs);
}
