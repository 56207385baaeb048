import type { NewInspectionResult } from '@manager/core/accounts/inspection/result';
import { AppError } from '@manager/core/contract/errors';
import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import type { WriterContext } from '../../../sqlite/contexts.ts';
import { RESULT_COLUMNS, RESULT_FIELDS, type ResultRow, resultValues, toResult } from '../result-row.ts';
import { isUnfinished } from '../run-row.ts';
import { recountRun } from './counts.ts';
import { readRunRow } from './read-runs.ts';

export interface SaveResultsArgs {
  readonly runKey: string;
  readonly results: readonly NewInspectionResult[];
  readonly nowMs: number;
}

/**
 * Write operation: stores results and returns them with their ids, in the same order. A new result replaces that of the same
 * account; known windows stay when the new result has none.
 *
 * @throws AppError `inspection_ended` once the run has ended
 */
export function saveInspectionResults({ db }: WriterContext, args: SaveResultsArgs): readonly InspectionResult[] {
  const run = readRunRow(db, args.runKey);
  if (run === null || !isUnfinished(run.status)) {
    throw new AppError('inspection_ended');
  }
  const upsert = db.query<ResultRow, (string | number | null)[]>(UPSERT);
  const turn = db.query(
    `INSERT INTO inspection_account_turns (account_key, inspected_at_ms)
     VALUES (?, ?)
     ON CONFLICT (account_key) DO UPDATE SET inspected_at_ms = max(inspected_at_ms, excluded.inspected_at_ms)`,
  );
  const stored = args.results.map((result) => {
    const row = upsert.get(run.number, ...resultValues(result));
    if (row === null) throw new Error('a result that was written gives no row');
    turn.run(result.accountKey, result.createdAtMs);
    return toResult(run.number, row);
  });
  recountRun(db, run.number, args.nowMs);
  return stored;
}

/** These two are one statement of the provider: whether it reported windows, and which. */
const KEPT_TOGETHER: readonly string[] = ['quota_windows', 'quota_inventory_observed'];

const UPSERT = `
INSERT INTO inspection_results (run_number, ${RESULT_FIELDS.join(', ')})
VALUES (?, ${RESULT_FIELDS.map(() => '?').join(', ')})
ON CONFLICT (run_number, account_key) DO UPDATE SET
  ${RESULT_FIELDS.map((field) =>
    KEPT_TOGETHER.includes(field)
      ? `${field} = iif(excluded.quota_inventory_observed, excluded.${field}, ${field})`
      : `${field} = excluded.${field}`,
  ).join(',\n  ')}
RETURNING ${RESULT_COLUMNS}`;
