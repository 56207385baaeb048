import type { Database } from 'bun:sqlite';
import { type LogDetail, redactedLogDetail } from '@manager/core/accounts/inspection/log';
import type { InspectionLogLevel } from '@manager/core/contract/inspection/runs';
import type { WriterContext } from '../../../sqlite/contexts.ts';
import { type LogMessage, logMessageKey } from '../log-message.ts';

export interface LogLine {
  readonly level: InspectionLogLevel;
  readonly message: LogMessage;
  readonly detail: LogDetail | null;
  readonly createdAtMs: number;
}

export interface LogsOfRun {
  readonly runKey: string;
  readonly lines: readonly LogLine[];
}

/** Write operation: adds lines to the log of a run; none when the run is gone. */
export function addInspectionLogs({ db }: WriterContext, { runKey, lines }: LogsOfRun): void {
  for (const line of lines) insertLog(db, runKey, line);
}

/** Replaces secrets in the detail. */
export function insertLog(db: Database, runKey: string, { level, message, detail, createdAtMs }: LogLine): void {
  db.query(
    `INSERT INTO inspection_logs (run_number, level, message, detail, created_at_ms)
     SELECT number, ?2, ?3, ?4, ?5
     FROM inspection_runs
     WHERE id = ?1`,
  ).run(
    runKey,
    level,
    logMessageKey(message),
    detail === null ? null : JSON.stringify(redactedLogDetail(detail)),
    createdAtMs,
  );
}
