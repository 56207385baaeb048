import type { Database } from 'bun:sqlite';
import type { ArchiveMode } from '@manager/core/contract/archives/runs';
import { AppError } from '@manager/core/contract/errors';
import { ARCHIVE_SCHEMA_VERSION } from '@manager/core/usage/archive-record';
import type { WriterContext } from '../../../sqlite/contexts.ts';
import { ARCHIVE_FORMAT } from '../files/manifest.ts';
import { type RunRow, type RunState, toRunState } from '../run-row.ts';
import { requireDeleteGates } from '../stages/gates.ts';
import type { ArchiveStage, StageProgress } from '../stages/stage.ts';
import { invalidState, isSatisfied, mayEnter, requestedStageOf, type StageRequest } from '../states.ts';
import { readRun } from './read-runs.ts';

export interface RequestStageArgs extends StageRequest {
  readonly runId: string;
  /** Raw events may be deleted only while the hourly rollup is enabled. */
  readonly deleteEnabled: boolean;
  /** Only while the run is of this mode: the retention may have handed it over. Absent = of any. */
  readonly ofMode?: ArchiveMode | undefined;
}

/**
 * Write operation: requests a stage, which is then done even if this process ends now. Null = there is nothing to do.
 *
 * @throws usage_archive_not_found, usage_archive_invalid_state, usage_archive_delete_unavailable
 */
export function requestArchiveStage({ db, now }: WriterContext, args: RequestStageArgs): ArchiveStage | null {
  const row = rowOf(db, args.runId);
  if (args.ofMode !== undefined && row.mode !== args.ofMode) throw invalidState();
  const run = toRunState(row);
  const stage = requestedStageOf(args, run);
  if (stage === null) return null;
  if (stage === 'deleting' && !args.deleteEnabled) throw new AppError('usage_archive_delete_unavailable');
  const pending = run.requestedStage;
  if (pending !== null && !isSatisfied(pending, run)) {
    if (pending !== stage) throw invalidState();
    return stage;
  }
  // Later than the proof of a verified run, see `isSatisfied`.
  const nowMs = Math.max(now(), run.updatedAtMs + 1, (run.verifiedAtMs ?? 0) + 1);
  db.query('UPDATE usage_archive_runs SET requested_stage = ?, updated_at_ms = ? WHERE id = ?').run(
    stage,
    nowMs,
    args.runId,
  );
  return stage;
}

export interface StageOfRun {
  readonly runId: string;
  readonly stage: ArchiveStage;
}

/**
 * Write operation: the run enters the stage and takes the lock.
 *
 * @throws usage_archive_invalid_state, usage_archive_maintenance_locked, usage_archive_coverage_incomplete
 */
export function enterArchiveStage({ db, now }: WriterContext, { runId, stage }: StageOfRun): void {
  const run = stateOf(db, runId);
  // The request may have been taken back while the stage was prepared.
  if (!mayEnter(stage, run) || run.requestedStage !== stage) throw invalidState();
  const known = db.query('SELECT 1 FROM usage_archive_runs WHERE id = ? AND schema_version = ? AND format = ?');
  if (known.get(runId, ARCHIVE_SCHEMA_VERSION, ARCHIVE_FORMAT) === null) throw invalidState();
  if (stage === 'deleting') requireDeleteGates(db, runId);
  const nowMs = now();
  const locked = db
    .query(
      `INSERT INTO usage_maintenance_locks (name, run_number, operation, acquired_at_ms, updated_at_ms)
       SELECT 'usage_archive', number, ?2, ?3, ?3
       FROM usage_archive_runs
       WHERE id = ?1
       ON CONFLICT (name) DO UPDATE SET operation = excluded.operation, updated_at_ms = excluded.updated_at_ms
       WHERE run_number = excluded.run_number`,
    )
    .run(runId, stage, nowMs);
  if (locked.changes === 0) throw new AppError('usage_archive_maintenance_locked');
  const startedColumn = stage === 'deleting' ? 'delete_started_at_ms' : 'started_at_ms';
  db.query(
    `UPDATE usage_archive_runs
     SET
       status = ?2,
       resume_status = NULL,
       last_error = NULL,
       updated_at_ms = ?3,
       ${startedColumn} = coalesce(${startedColumn}, ?3)
     WHERE id = ?1`,
  ).run(runId, stage, nowMs);
}

export interface FailedStage extends StageOfRun {
  readonly error: string;
  /** The request stays and is retried. */
  readonly again: boolean;
}

const LONGEST_ERROR = 500;

/**
 * Write operation: records that a stage failed. False without a change when the run is no longer in that stage: the failure
 * came after the stage had ended, or after the run was canceled.
 */
export function failArchiveStage({ db, now }: WriterContext, { runId, stage, error, again }: FailedStage): boolean {
  const failed = db
    .query(
      `UPDATE usage_archive_runs
       SET
         status = 'failed',
         resume_status = ?2,
         last_error = ?3,
         requested_stage = CASE WHEN ?4 THEN requested_stage END,
         updated_at_ms = ?5
       WHERE id = ?1
         AND status = ?2`,
    )
    .run(runId, stage, error.slice(0, LONGEST_ERROR), again, now());
  if (failed.changes === 0) return false;
  releaseLock(db, runId);
  return true;
}

/** Why the requested stage cannot be entered has no meaning without a request; the reason of a failure has. */
const WITHOUT_REFUSAL_SQL = "last_error = CASE WHEN status = 'failed' THEN last_error END";

/** Write operation: removes the request for a stage that cannot be entered. */
export function clearArchiveRequest({ db }: WriterContext, { runId, stage }: StageOfRun): void {
  db.query(
    `UPDATE usage_archive_runs
     SET requested_stage = NULL, ${WITHOUT_REFUSAL_SQL}
     WHERE id = ?
       AND requested_stage = ?`,
  ).run(runId, stage);
}

/**
 * Write operation: why a requested stage cannot be entered yet; entering it removes that. The status and `updated_at_ms`, by which
 * requests are ordered, stay.
 */
export function noteArchiveRefusal(
  { db }: WriterContext,
  { runId, stage, error }: StageOfRun & { readonly error: string },
): void {
  db.query('UPDATE usage_archive_runs SET last_error = ? WHERE id = ? AND requested_stage = ?').run(
    error.slice(0, LONGEST_ERROR),
    runId,
    stage,
  );
}

/** The stage that an automatic run has to do next. Parameter 1: 1 = rows may be deleted. */
const NEXT_STAGE_SQL = `
  CASE WHEN automatic = 1 THEN
    CASE status
      WHEN 'previewed' THEN 'archiving'
      WHEN 'archived' THEN 'verifying'
      WHEN 'verified' THEN CASE WHEN ?1 THEN 'deleting' END
    END
  END`;

export interface FinishedStage extends StageOfRun {
  /** Raw events may be deleted only while the hourly rollup is enabled. */
  readonly deleteEnabled: boolean;
}

/** Write operation: the stage is done. An automatic run requests the next one in the same transaction. */
export function finishArchiveRequest({ db }: WriterContext, { runId, stage, deleteEnabled }: FinishedStage): void {
  db.query(
    `UPDATE usage_archive_runs SET requested_stage = ${NEXT_STAGE_SQL} WHERE id = ?2 AND requested_stage = ?3`,
  ).run(deleteEnabled, runId, stage);
}

/**
 * Write operation: the run starts no further stage by itself. The stage that is active ends; then the run waits for the
 * operator.
 *
 * @throws usage_archive_not_found, usage_archive_cancel_unsafe once rows are deleted, usage_archive_invalid_state when it is not
 *   an automatic one
 */
export function holdArchiveRun({ db, now }: WriterContext, runId: string): void {
  const row = rowOf(db, runId);
  const run = toRunState(row);
  if (run.status === 'completed' || run.status === 'cancelled') return;
  if (run.status === 'deleting' || run.deleteStartedAtMs !== null) throw new AppError('usage_archive_cancel_unsafe');
  if (row.automatic === 0) throw invalidState();
  db.query(
    `UPDATE usage_archive_runs
     SET
       automatic = 0,
       requested_stage = CASE WHEN status IN ('archiving', 'verifying') THEN requested_stage END,
       ${WITHOUT_REFUSAL_SQL},
       updated_at_ms = ?2
     WHERE id = ?1`,
  ).run(runId, now());
}

/**
 * Write operation at start: a run that was in a stage continues it; only an automatic one enters the next one. The retention may
 * have changed while the manager was stopped, so it has to request a deletion again that has not begun.
 */
export function recoverArchiveRuns(
  { db }: WriterContext,
  { deleteEnabled }: Pick<FinishedStage, 'deleteEnabled'>,
): void {
  db.run(
    `UPDATE usage_archive_runs
     SET requested_stage = NULL, ${WITHOUT_REFUSAL_SQL}
     WHERE mode = 'retention'
       AND requested_stage = 'deleting'
       AND delete_started_at_ms IS NULL`,
  );
  db.query(
    `UPDATE usage_archive_runs SET requested_stage = ${NEXT_STAGE_SQL} WHERE automatic = 1 AND requested_stage IS NULL`,
  ).run(deleteEnabled);
  db.run(
    `UPDATE usage_archive_runs
     SET requested_stage = status
     WHERE status IN ('archiving', 'verifying', 'deleting')
       AND requested_stage IS NULL`,
  );
}

/**
 * Write operation: the retention no longer wants this run. Its current stage ends, and then it waits for the operator, as a
 * manual one does. A deletion that began stays with the retention.
 */
export function handOverArchiveRun({ db, now }: WriterContext, runId: string): void {
  db.query(
    `UPDATE usage_archive_runs
     SET
       mode = 'manual',
       requested_stage = CASE WHEN status IN ('archiving', 'verifying') THEN requested_stage END,
       ${WITHOUT_REFUSAL_SQL},
       updated_at_ms = ?2
     WHERE id = ?1
       AND mode = 'retention'
       AND delete_started_at_ms IS NULL`,
  ).run(runId, now());
}

export interface ProgressArgs extends StageOfRun {
  readonly progress: StageProgress;
}

/** Write operation; keeps `updated_at_ms`, because runs are ordered by it. */
export function writeArchiveProgress({ db, now }: WriterContext, { runId, stage, progress }: ProgressArgs): void {
  db.query(
    `UPDATE usage_archive_runs
     SET
       progress_phase = ?, progress_current = ?, progress_total = ?, progress_unit = ?, progress_updated_at_ms = ?
     WHERE id = ?
       AND status = ?`,
  ).run(progress.phase, progress.current, progress.total, progress.unit ?? null, now(), runId, stage);
}

/** @throws usage_archive_not_found */
export function stateOf(db: Database, runId: string): RunState {
  return toRunState(rowOf(db, runId));
}

function rowOf(db: Database, runId: string): RunRow {
  const row = readRun(db, runId);
  if (row === null) throw new AppError('usage_archive_not_found');
  return row;
}

function releaseLock(db: Database, runId: string): void {
  db.query(
    'DELETE FROM usage_maintenance_locks WHERE run_number = (SELECT number FROM usage_archive_runs WHERE id = ?)',
  ).run(runId);
}
