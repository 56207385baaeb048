import type { Database } from 'bun:sqlite';
import { AppError } from '@manager/core/contract/errors';
import { dataMigrationRunning, RESPONSE_METADATA, readState } from '../../../db/background/state.ts';
import { readCounter } from '../../../db/ingest/counters.ts';
import { SEALED_UNTIL } from '../../../facts/sealed-until.ts';
import { readStageRun, type StageRun } from './store-run.ts';

/** What derived data lacks, or what of the run does not fit together. */
export function coverageIncomplete(reason: string): AppError {
  return new AppError('usage_archive_coverage_incomplete', {
    message: `${reason}; try again later`,
  });
}

/**
 * Everything that must hold before raw events of a run may go, apart from the proof of each single event, which every batch gives.
 * Inside the transaction that it guards: an insert, a price or a migration may have changed something since it was last true.
 *
 * @throws usage_archive_coverage_incomplete
 */
export function requireDeleteGates(db: Database, runId: string): void {
  const run = readStageRun(db, runId);
  requireCoverage(db, run.targetEventId);
  requireReferences(db, run);
}

/**
 * Derived data covers every event up to the target of a run, so that no sum needs its raw rows any more. The facts are one
 * store, which prices, monitoring, search and account history all read, and the hourly core is its independent check.
 *
 * @throws usage_archive_coverage_incomplete
 */
export function requireCoverage(db: Database, targetEventId: number): void {
  if (dataMigrationRunning(db)) throw coverageIncomplete('stored events are still being brought up to date');
  if (readState(db, RESPONSE_METADATA).status !== 'completed') {
    throw coverageIncomplete('response metadata of stored events is still being read');
  }
  requireHourlyCore(db, targetEventId);
  if (newestFact(db) < targetEventId) throw coverageIncomplete('the facts are behind the events of this run');
  if (readCounter(db, 'header_snapshots_pending_id') !== 0) {
    throw coverageIncomplete('the newest response headers of stored events are still being collected');
  }
}

/** @throws usage_archive_coverage_incomplete */
export function requireHourlyCore(db: Database, targetEventId: number): void {
  if (readCounter(db, 'hourly_core_event_id') < targetEventId) {
    throw coverageIncomplete('the hourly rollup is behind the events of this run');
  }
}

/** Both ends of the facts, each by an index. */
function newestFact(db: Database): number {
  return (
    db
      .query<{ id: number }, []>(
        `SELECT max((SELECT coalesce(max(event_id), 0) FROM facts_tail), ${SEALED_UNTIL}) AS id`,
      )
      .get()?.id ?? 0
  );
}

/** By usage_archive_event_refs_undeleted: its entries are all that is left of the run. */
const UNDELETED_SQL = `
SELECT count(*) AS rows
FROM usage_archive_event_refs
WHERE run_number = ?
  AND raw_deleted_at_ms IS NULL`;

/**
 * Each event of the run has its reference; those of deleted events were counted when they were deleted.
 *
 * @throws usage_archive_coverage_incomplete
 */
export function requireReferences(db: Database, run: StageRun): void {
  const undeleted = db.query<{ rows: number }, [number]>(UNDELETED_SQL).get(run.number)?.rows ?? 0;
  const known = undeleted + run.deletedEventCount;
  if (known !== run.eventCount) throw coverageIncomplete(`of ${run.eventCount} events of the run ${known} are known`);
}
