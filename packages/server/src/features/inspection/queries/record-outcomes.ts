import { resultAfterAction } from '@manager/core/accounts/inspection/outcome';
import { AppError } from '@manager/core/contract/errors';
import type { InspectionAction, OutcomeStatus } from '@manager/core/contract/inspection/runs';
import type { WriterContext } from '../../../sqlite/contexts.ts';
import { RESULT_COLUMNS, type ResultRow, toResult } from '../result-row.ts';
import { recountRun } from './counts.ts';
import { readRunRow } from './read-runs.ts';

export interface RecordedOutcome {
  readonly resultId: number;
  /** State of the account, apart from the effect of `action`. */
  readonly disabled: boolean;
  readonly action: InspectionAction;
  readonly status: OutcomeStatus;
  /** '' = no error. */
  readonly error: string;
}

export interface RecordOutcomesArgs {
  readonly runKey: string;
  readonly outcomes: readonly RecordedOutcome[];
  /** Replaces the error of the run. */
  readonly error: string;
  readonly nowMs: number;
}

/**
 * Write operation: the outcomes of manual actions. Idempotent.
 *
 * @throws AppError `inspection_not_completed` unless the run is completed
 */
export function recordInspectionOutcomes({ db }: WriterContext, args: RecordOutcomesArgs): void {
  const run = readRunRow(db, args.runKey);
  if (run?.status !== 'completed') {
    throw new AppError('inspection_not_completed');
  }
  const find = db.query<ResultRow, [number, number]>(
    `SELECT ${RESULT_COLUMNS} FROM inspection_results WHERE id = ? AND run_number = ?`,
  );
  const write = db.query(
    `UPDATE inspection_results
     SET disabled = ?, action_status = ?, executed_action = ?, action_error = ?
     WHERE id = ?`,
  );
  for (const { resultId, disabled, ...outcome } of args.outcomes) {
    const row = find.get(resultId, run.number);
    if (row === null) continue;
    const after = resultAfterAction({ ...toResult(run.number, row), disabled }, outcome);
    write.run(
      Number(after.disabled),
      after.actionStatus,
      after.executedAction ?? '',
      after.actionError ?? '',
      resultId,
    );
  }
  recountRun(db, run.number, args.nowMs);
  db.query('UPDATE inspection_runs SET error = ? WHERE number = ?').run(args.error, run.number);
}
