import { AppError } from '@manager/core/contract/errors';
import type { InspectionResponse } from '@manager/core/contract/inspection/config';
import type { InspectionTrigger } from '@manager/core/contract/inspection/runs';
import type { WriterContext } from '../../../sqlite/contexts.ts';
import { RUN_COLUMNS, type RunRow, type StoredRun, toStoredRun, UNFINISHED_CONDITION } from '../run-row.ts';

export interface BeginRunArgs {
  readonly key: string;
  readonly triggerType: InspectionTrigger;
  readonly triggerKey: string;
  readonly settings: InspectionResponse;
  readonly nowMs: number;
}

/**
 * Write operation: a new run, `running`. Null when this key already started a scheduled run, whatever its result.
 *
 * @throws AppError `inspection_active` while another run is not finished
 */
export function beginInspectionRun({ db }: WriterContext, args: BeginRunArgs): StoredRun | null {
  const { key, triggerType, triggerKey, settings, nowMs } = args;
  // By inspection_runs_active.
  if (db.query(`SELECT 1 FROM inspection_runs WHERE ${UNFINISHED_CONDITION}`).get() !== null) throw runActive();
  const row = db
    .query<RunRow, [string, string, string, string, number]>(
      `INSERT INTO inspection_runs
         (id, trigger_type, trigger_key, status, started_at_ms, settings, created_at_ms, updated_at_ms)
       VALUES (?1, ?2, ?3, 'running', ?5, ?4, ?5, ?5)
       ON CONFLICT (trigger_key) WHERE trigger_type = 'scheduled' DO NOTHING
       RETURNING ${RUN_COLUMNS}`,
    )
    .get(key, triggerType, triggerKey, JSON.stringify(settings), nowMs);
  return row === null ? null : toStoredRun(row);
}

export function runActive(): AppError {
  return new AppError('inspection_active');
}
