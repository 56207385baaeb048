import type { Database } from 'bun:sqlite';
import { AppError } from '@manager/core/contract/errors';
import { dataMigrationRunning, isDone, SINGLE_PASSES } from '../../../events/background/state.ts';
import { readCounter } from '../../../events/ingest/counters.ts';
import { readNewestFact } from '../../../facts/sealed-until.ts';
import { readStageRun } from './store-run.ts';

/** Derived data is incomplete, or the run is inconsistent. */
export function coverageIncomplete(reason: string): AppError {
  return new AppError('usage_archive_coverage_incomplete', {
    message: `${reason}; try again later`,
  });
}

/**
 * Conditions for deleting raw events of a run, apart from the proof of each event: that is done before the stage is entered,
 * and again by every batch. Inside the guarded transaction: an insert, a price or a migration may have changed something
 * meanwhile.
 *
 * @throws usage_archive_coverage_incomplete
 */
export function requireDeleteGates(db: Database, runId: string): void {
  requireCoverage(db, readStageRun(db, runId).targetEventId);
}

/**
 * Derived data covers every event up to the target of a run, so that no sum needs its raw rows any more. Prices, monitoring,
 * search and account history all read the facts, and the hourly rollup is their independent check.
 *
 * @throws usage_archive_coverage_incomplete
 */
export function requireCoverage(db: Database, targetEventId: number): void {
  if (dataMigrationRunning(db)) throw coverageIncomplete('stored events are still being upgraded');
  if (!SINGLE_PASSES.every((name) => isDone(db, name))) {
    throw coverageIncomplete('stored events are still being completed');
  }
  requireHourlyRollup(db, targetEventId);
  if (readNewestFact(db) < targetEventId) throw coverageIncomplete('the facts do not cover the events of this run yet');
  if (readCounter(db, 'header_snapshots_pending_id') !== 0) {
    throw coverageIncomplete('the newest response headers of stored events are still being collected');
  }
}

/** @throws usage_archive_coverage_incomplete */
export function requireHourlyRollup(db: Database, targetEventId: number): void {
  if (readCounter(db, 'hourly_core_event_id') < targetEventId) {
    throw coverageIncomplete('the hourly rollup does not cover the events of this run yet');
  }
}
