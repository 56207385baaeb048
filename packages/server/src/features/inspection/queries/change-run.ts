import type { Database } from 'bun:sqlite';
import { AppError } from '@manager/core/contract/errors';
import { stopPoint } from '../../../platform/stop-point.ts';
import type { WriterContext } from '../../../sqlite/contexts.ts';
import type { ProgressCounts } from '../ports.ts';
import { finalLog, type RunEnd } from '../run-end.ts';
import { isUnfinished, type RunRow, type StoredRun, toStoredRun, UNFINISHED_CONDITION } from '../run-row.ts';
import { recountRun } from './counts.ts';
import { readRunRow } from './read-runs.ts';
import { insertLog } from './write-logs.ts';

export interface ProgressArgs extends ProgressCounts {
  readonly runKey: string;
  readonly nowMs: number;
}

/** Write operation: the amount of work of a run. No effect once it has ended. */
export function writeInspectionProgress({ db }: WriterContext, args: ProgressArgs): void {
  db.query(
    `UPDATE inspection_runs
     SET
       total_files = ?, probe_set_count = ?, sampled_count = ?, disabled_count = ?, enabled_count = ?, updated_at_ms = ?
     WHERE id = ?
       AND ${UNFINISHED_CONDITION}`,
  ).run(
    args.totalFiles,
    args.probeSetCount,
    args.sampledCount,
    args.disabledCount,
    args.enabledCount,
    args.nowMs,
    args.runKey,
  );
}

export interface RunAtTime {
  readonly runKey: string;
  readonly nowMs: number;
}

/**
 * Write operation: cancels the run. From now on it is canceled, whatever its work returns. False when it is not running.
 */
export function cancelInspectionRun({ db }: WriterContext, { runKey, nowMs }: RunAtTime): boolean {
  return (
    db
      .query(
        `UPDATE inspection_runs
         SET status = 'cancelling', cancel_requested = 1, updated_at_ms = ?2
         WHERE id = ?1
           AND status = 'running'`,
      )
      .run(runKey, nowMs).changes > 0
  );
}

export interface FinishArgs extends RunAtTime {
  readonly end: RunEnd;
}

/**
 * Write operation: the last state of a run and the last line of its log. A run that has already ended does not change.
 */
export function finishInspectionRun({ db }: WriterContext, { runKey, nowMs, end }: FinishArgs): StoredRun | null {
  const row = readRunRow(db, runKey);
  if (row === null || !isUnfinished(row.status)) return row === null ? null : toStoredRun(row);
  recountRun(db, row.number, nowMs);
  const status = row.cancel_requested !== 0 && end.kind !== 'recovered' ? 'cancelled' : END_STATUS[end.kind];
  db.query(
    `UPDATE inspection_runs
     SET status = ?2, finished_at_ms = ?3, error = ?4, updated_at_ms = ?3
     WHERE number = ?1`,
  ).run(row.number, status, nowMs, status === 'cancelled' ? '' : end.error);
  stopPoint('inspection_run_finishing');
  const finished = readRunRow(db, runKey);
  if (finished === null) throw new Error('a run is gone in the transaction that ends it');
  logEnd(db, finished, end, nowMs);
  return toStoredRun(finished);
}

const END_STATUS = {
  completed: 'completed',
  failed: 'failed',
  stopped: 'interrupted',
  unstarted: 'interrupted',
  recovered: 'interrupted',
} as const satisfies Record<RunEnd['kind'], string>;

/** A failed log line must not leave the run active. */
function logEnd(db: Database, row: RunRow, end: RunEnd, nowMs: number): void {
  try {
    db.transaction(() => insertLog(db, row.id, { ...finalLog(toStoredRun(row), end), createdAtMs: nowMs }))();
  } catch {
    // The state has the same information; the cause will show in the next write.
  }
}

export interface RecoverArgs {
  /** The run that this process executes, null = none. */
  readonly liveRunKey: string | null;
  readonly nowMs: number;
}

/** Write operation: ends runs that no process executes any more. Returns their numbers. */
export function recoverInspectionRuns({ db }: WriterContext, { liveRunKey, nowMs }: RecoverArgs): readonly number[] {
  // By inspection_runs_active.
  const left = db
    .query<Pick<RunRow, 'id' | 'number'>, []>(`SELECT id, number FROM inspection_runs WHERE ${UNFINISHED_CONDITION}`)
    .all()
    .filter(({ id }) => id !== liveRunKey);
  const context = { db, now: () => nowMs };
  for (const { id } of left) finishInspectionRun(context, { runKey: id, nowMs, end: { kind: 'recovered', error: '' } });
  return left.map(({ number }) => number);
}

export function runNotFound(): AppError {
  return new AppError('inspection_run_not_found');
}
