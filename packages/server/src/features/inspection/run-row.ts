import { INSPECTION_LOG_LEVELS } from '@manager/core/contract/constants';
import type { InspectionResponse } from '@manager/core/contract/inspection/config';
import {
  INSPECTION_TRIGGERS,
  type InspectionLog,
  type InspectionRun,
  type InspectionRunStatus,
} from '@manager/core/contract/inspection/runs';

/** A stored run: only the executing process knows whether it is active, not the database. */
export interface StoredRun extends Omit<InspectionRun, 'active' | 'cancellable'> {
  /** Names the run before the database has given it its id. 32 lower-case hex digits. */
  readonly key: string;
}

export interface RunRow {
  readonly number: number;
  readonly id: string;
  readonly trigger_type: string;
  readonly trigger_key: string;
  readonly status: string;
  readonly cancel_requested: number;
  readonly started_at_ms: number;
  readonly finished_at_ms: number | null;
  readonly total_files: number;
  readonly probe_set_count: number;
  readonly sampled_count: number;
  readonly disabled_count: number;
  readonly enabled_count: number;
  readonly delete_count: number;
  readonly disable_count: number;
  readonly enable_count: number;
  readonly reauth_count: number;
  readonly keep_count: number;
  readonly error: string;
  readonly settings: string;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

export const RUN_COLUMNS = `
  number, id, trigger_type, trigger_key, status, cancel_requested, started_at_ms, finished_at_ms,
  total_files, probe_set_count, sampled_count, disabled_count, enabled_count,
  delete_count, disable_count, enable_count, reauth_count, keep_count,
  error, settings, created_at_ms, updated_at_ms`;

const UNFINISHED: readonly string[] = ['running', 'cancelling'] satisfies InspectionRunStatus[];

/** An SQL condition; the index of active runs has the same text. */
export const UNFINISHED_CONDITION = "status IN ('running', 'cancelling')";

export function isUnfinished(status: string): boolean {
  return UNFINISHED.includes(status);
}

export function toStoredRun(row: RunRow): StoredRun {
  return {
    id: row.number,
    key: row.id,
    triggerType: INSPECTION_TRIGGERS.find((trigger) => trigger === row.trigger_type) ?? 'manual',
    ...(row.trigger_key === '' ? {} : { triggerKey: row.trigger_key }),
    status: row.status,
    startedAtMs: row.started_at_ms,
    ...(row.finished_at_ms === null ? {} : { finishedAtMs: row.finished_at_ms }),
    totalFiles: row.total_files,
    probeSetCount: row.probe_set_count,
    sampledCount: row.sampled_count,
    disabledCount: row.disabled_count,
    enabledCount: row.enabled_count,
    deleteCount: row.delete_count,
    disableCount: row.disable_count,
    enableCount: row.enable_count,
    reauthCount: row.reauth_count,
    keepCount: row.keep_count,
    ...(row.error === '' ? {} : { error: row.error }),
    // `beginInspectionRun` writes it in this form.
    settings: JSON.parse(row.settings) as InspectionResponse,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}

export interface LogRow {
  readonly id: number;
  readonly level: string;
  readonly message: string;
  readonly detail: string | null;
  readonly created_at_ms: number;
}

export const LOG_COLUMNS = 'id, level, message, detail, created_at_ms';

export function toLog(runId: number, row: LogRow): InspectionLog {
  return {
    id: row.id,
    runId,
    level: INSPECTION_LOG_LEVELS.find((level) => level === row.level) ?? 'info',
    message: row.message,
    ...(row.detail === null ? {} : { detail: JSON.parse(row.detail) as InspectionLog['detail'] }),
    createdAtMs: row.created_at_ms,
  };
}
