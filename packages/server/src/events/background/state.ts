import type { Database } from 'bun:sqlite';
import type { DataMigration } from '@manager/core/contract/system/status';
import type { ReaderContext } from '../../sqlite/contexts.ts';

/** Background changes of stored rows, in their order. Names are on disk and on the wire. */
export const CACHE_ACCOUNTING = 'usage_cache_accounting_v2';
export const RESPONSE_METADATA = 'response_metadata_backfill';
export const STORED_EVENT_RULES = 'stored_event_rules';
/** Has a row only after it was requested. */
export const RECEIVED_TIMES = 'received_times';

/** Jobs that leave events in a form that is archived only when they are done, in their order. */
export const SINGLE_PASSES = [RESPONSE_METADATA, STORED_EVENT_RULES, RECEIVED_TIMES] as const;

export type DataMigrationStatus =
  | 'discovering'
  | 'pending'
  | 'running'
  | 'applying'
  | 'clearing'
  | 'completed'
  | 'failed';

const STATUSES: ReadonlySet<string> = new Set<DataMigrationStatus>([
  'discovering',
  'pending',
  'running',
  'applying',
  'clearing',
  'completed',
  'failed',
]);

export interface DataMigrationState {
  readonly status: DataMigrationStatus;
  /** Events up to this id are done. While discovering: events from this id on, 0 = none. */
  readonly lastEventId: number;
  /** Events after it are already correct; 0 = not known yet. */
  readonly targetEventId: number;
  readonly processedRows: number;
  readonly changedRows: number;
  readonly appliedRows: number;
  readonly startedAtMs: number;
  readonly updatedAtMs: number;
  readonly finishedAtMs: number;
}

/** The row is missing or has a value that this version does not know; it is not changed. */
export class DataMigrationUnknown extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DataMigrationUnknown';
  }
}

const COLUMNS = `
  status,
  last_event_id AS lastEventId,
  target_event_id AS targetEventId,
  processed_rows AS processedRows,
  changed_rows AS changedRows,
  applied_rows AS appliedRows,
  started_at_ms AS startedAtMs,
  updated_at_ms AS updatedAtMs,
  finished_at_ms AS finishedAtMs`;

/** @throws DataMigrationUnknown */
export function readState(db: Database, name: string): DataMigrationState {
  const row = readRow(db, name);
  if (row === null) throw new DataMigrationUnknown(`the state of the background migration ${name} is missing`);
  if (!isKnown(row)) throw new DataMigrationUnknown(`the data migration ${name} has an unknown status`);
  return row;
}

export function writeState(db: Database, name: string, state: DataMigrationState): void {
  db.query(
    `UPDATE usage_data_migrations
     SET
       status = ?, last_event_id = ?, target_event_id = ?, processed_rows = ?, changed_rows = ?, applied_rows = ?,
       started_at_ms = ?, updated_at_ms = ?, finished_at_ms = ?, last_error = ''
     WHERE name = ?`,
  ).run(
    state.status,
    state.lastEventId,
    state.targetEventId,
    state.processedRows,
    state.changedRows,
    state.appliedRows,
    state.startedAtMs,
    state.updatedAtMs,
    state.finishedAtMs,
    name,
  );
}

/** Only the status changes: counters and checkpoint stay those of the last committed step. */
export function writeFailure(db: Database, name: string, error: string, nowMs: number): void {
  db.query("UPDATE usage_data_migrations SET status = 'failed', last_error = ?, updated_at_ms = ? WHERE name = ?").run(
    error,
    nowMs,
    name,
  );
}

/** @returns false while an earlier request is not done; then nothing changes */
export function requestCorrection(
  db: Database,
  { after, target, nowMs }: { readonly after: number; readonly target: number; readonly nowMs: number },
): boolean {
  if (!isDone(db, RECEIVED_TIMES)) return false;
  db.query(
    `INSERT OR REPLACE INTO usage_data_migrations
       (name, status, last_event_id, target_event_id, processed_rows, changed_rows, applied_rows, started_at_ms,
        updated_at_ms, finished_at_ms, last_error)
     VALUES (?, 'pending', ?, ?, 0, 0, 0, 0, ?, 0, '')`,
  ).run(RECEIVED_TIMES, after, target, nowMs);
  return true;
}

/** Whether nothing is left to do; a job on request may never have been requested. */
export function isDone(db: Database, name: string): boolean {
  const row = readRow(db, name);
  return row === null ? name === RECEIVED_TIMES : row.status === 'completed';
}

/**
 * Whether stored events may still have an older accounting. Until this is over no derived data is caught up and no
 * archive is resumed.
 */
export function dataMigrationRunning(db: Database): boolean {
  return readRow(db, CACHE_ACCOUNTING)?.status !== 'completed';
}

/** Read operation: whether no work is left on stored events. */
export function dataMigrationsCompleted({ db }: ReaderContext, _args: null): boolean {
  return [CACHE_ACCOUNTING, ...SINGLE_PASSES].every((name) => isDone(db, name));
}

/** Read operation for `/status`. A status of a newer version is passed on. */
export function dataMigration({ db }: ReaderContext, _args: null): DataMigration {
  const row = readRow(db, CACHE_ACCOUNTING);
  if (row === null) throw new DataMigrationUnknown(`the state of the data migration ${CACHE_ACCOUNTING} is missing`);
  const { startedAtMs, finishedAtMs, ...shown } = row;
  return {
    name: CACHE_ACCOUNTING,
    ...shown,
    ...(startedAtMs === 0 ? {} : { startedAtMs }),
    ...(finishedAtMs === 0 ? {} : { finishedAtMs }),
  };
}

type StateRow = Omit<DataMigrationState, 'status'> & { readonly status: string };

function readRow(db: Database, name: string): StateRow | null {
  return db.query<StateRow, [string]>(`SELECT ${COLUMNS} FROM usage_data_migrations WHERE name = ?`).get(name);
}

function isKnown(row: StateRow): row is DataMigrationState {
  return STATUSES.has(row.status);
}
