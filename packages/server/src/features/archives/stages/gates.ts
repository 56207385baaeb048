import type { Database } from 'bun:sqlite';
import { AppError } from '@manager/core/contract/errors';
import { dataMigrationRunning, RESPONSE_METADATA, readState } from '../../../events/background/state.ts';
import { readCounter } from '../../../events/ingest/counters.ts';
import { readNewestFact } from '../../../facts/sealed-until.ts';
import { readStageRun } from './store-run.ts';

/** What derived data lacks, or what of the run does not fit together. */
export function coverageIncomplete(reason: string): AppError {
  return new AppError('usage_archive_coverage_incomplete', {
    message: `${reason}; try again later`,
  });
}

/**
 * Everything that must hold before raw events of a run may go, apart from the proof of each single event: that is given before the
 * stage is entered, and again by every batch. Inside the transaction that it guards: an insert, a price or a migration may have changed something since it was last true.
 *
 * @throws usage_archive_coverage_incomplete
 */
export function requireDeleteGates(db: Database, runId: string): void {
  requireCoverage(db, readStageRun(db, runId).targetEventId);
}

/**
 * Derived data covers every event up to the target of a run, so that no sum needs its raw rows any more. The facts are one
 * store, which prices, monitoring, search and account history all read, and the hourly rollup is its independent check.
 *
 * @throws usage_archive_coverage_incomplete
 */
export function requireCoverage(db: Database, targetEventId: number): void {
  if (dataMigrationRunning(db)) throw coverageIncomplete('stored events are still being upgraded');
  if (readState(db, RESPONSE_METADATA).status !== 'completed') {
    throw coverageIncomplete('response metadata of stored events is still being read');
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
