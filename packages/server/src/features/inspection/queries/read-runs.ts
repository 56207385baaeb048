import type { Database } from 'bun:sqlite';
import { logAsSent, resultAsSent } from '@manager/core/accounts/inspection/codex/reasons';
import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import type { ReaderContext } from '../../../sqlite/contexts.ts';
import { Transfer } from '../../../sqlite/worker/transfer.ts';
import { RESULT_COLUMNS, type ResultRow, toResult } from '../result-row.ts';
import { LOG_COLUMNS, type LogRow, RUN_COLUMNS, type RunRow, type StoredRun, toLog, toStoredRun } from '../run-row.ts';

/** Read operation: runs, newest first. By inspection_runs_started. */
export function inspectionRuns({ db }: ReaderContext, limit: number): readonly StoredRun[] {
  return db
    .query<RunRow, [number]>(
      `SELECT ${RUN_COLUMNS}
       FROM inspection_runs
       ORDER BY started_at_ms DESC, number DESC
       LIMIT ?`,
    )
    .all(limit)
    .map(toStoredRun);
}

/** Read operation: one run; null when it does not exist. */
export function inspectionRun({ db }: ReaderContext, id: number): StoredRun | null {
  const row = findRunRow(db, id);
  return row === null ? null : toStoredRun(row);
}

export interface RunDetailParts {
  readonly run: StoredRun;
  /** The members `results` and `logs` as JSON text: hundreds of them are serialized in the reader. */
  readonly rest: Uint8Array<ArrayBuffer>;
}

/** Read operation: a run with its results and logs; null when it does not exist. */
export function inspectionRunDetail(
  { db }: ReaderContext,
  id: number,
): RunDetailParts | null | Transfer<RunDetailParts> {
  return db.transaction(() => {
    const row = findRunRow(db, id);
    if (row === null) return null;
    const results = JSON.stringify(readResults(db, row).map(resultAsSent));
    const logs = JSON.stringify(readLogs(db, row).map(logAsSent));
    const rest = new TextEncoder().encode(`"results":${results},"logs":${logs}`);
    return new Transfer({ run: toStoredRun(row), rest }, [rest.buffer]);
  })();
}

export interface RunWithResults {
  readonly run: StoredRun;
  /** By file name, displayed account, id. */
  readonly results: readonly InspectionResult[];
}

/** Read operation. */
export function inspectionRunResults({ db }: ReaderContext, id: number): RunWithResults | null {
  return db.transaction(() => {
    const row = findRunRow(db, id);
    return row === null ? null : { run: toStoredRun(row), results: readResults(db, row) };
  })();
}

/**
 * Read operation: end, else start, of the newest scheduled run, whatever its result; null = there was none. By
 * inspection_runs_scheduled_started.
 */
export function lastScheduledInspection({ db }: ReaderContext, _args: null): number | null {
  return (
    db
      .query<{ last: number }, []>(
        `SELECT coalesce(finished_at_ms, started_at_ms) AS last
         FROM inspection_runs
         WHERE trigger_type = 'scheduled'
         ORDER BY started_at_ms DESC
         LIMIT 1`,
      )
      .get()?.last ?? null
  );
}

export interface AccountTurn {
  readonly accountKey: string;
  readonly inspectedAtMs: number;
}

/** Read operation: when accounts were last probed. */
export function inspectionAccountTurns({ db }: ReaderContext, _args: null): readonly AccountTurn[] {
  return db
    .query<AccountTurn, []>(
      'SELECT account_key AS accountKey, inspected_at_ms AS inspectedAtMs FROM inspection_account_turns',
    )
    .all();
}

function findRunRow(db: Database, id: number): RunRow | null {
  return db.query<RunRow, [number]>(`SELECT ${RUN_COLUMNS} FROM inspection_runs WHERE number = ?`).get(id);
}

export function readRunRow(db: Database, runKey: string): RunRow | null {
  return db.query<RunRow, [string]>(`SELECT ${RUN_COLUMNS} FROM inspection_runs WHERE id = ?`).get(runKey);
}

/** By the unique index of run and account. */
export function readResults(db: Database, run: Pick<RunRow, 'number'>): InspectionResult[] {
  return db
    .query<ResultRow, [number]>(
      `SELECT ${RESULT_COLUMNS}
       FROM inspection_results
       WHERE run_number = ?
       ORDER BY file_name, display_account, id`,
    )
    .all(run.number)
    .map((row) => toResult(run.number, row));
}

/** By inspection_logs_run. */
function readLogs(db: Database, run: Pick<RunRow, 'number'>) {
  return db
    .query<LogRow, [number]>(
      `SELECT ${LOG_COLUMNS}
       FROM inspection_logs
       WHERE run_number = ?
       ORDER BY created_at_ms, id`,
    )
    .all(run.number)
    .map((row) => toLog(run.number, row));
}
