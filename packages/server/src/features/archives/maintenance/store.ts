import type { Database } from 'bun:sqlite';
import type { BytesPerEvent, UsageMaintenanceResponse } from '@manager/core/contract/archives/maintenance';
import { CACHE_ACCOUNTING } from '../../../events/background/state.ts';
import { eventDecoder } from '../../../events/detail/event-decoder.ts';
import { readCounter } from '../../../events/ingest/counters.ts';
import type { OperationClient, ReaderContext } from '../../../sqlite/contexts.ts';
import { isIncremental } from '../compact/online/space.ts';
import { readBytesPerEvent } from './bytes-per-event.ts';

/** The part of the maintenance answer that is read from the database. */
export interface MaintenanceCounts
  extends Pick<
    UsageMaintenanceResponse,
    | 'raw_event_count'
    | 'raw_min_timestamp_ms'
    | 'raw_max_timestamp_ms'
    | 'raw_archived_event_count'
    | 'raw_deleted_event_count'
    | 'active_lock'
    | 'migration'
  > {
  readonly newestRawEventId: number;
  readonly newestEventId: number;
  readonly hourlyRollupEventId: number;
  /** Arrival of the newest event in the hourly rollup, if it still exists; 0 = unknown. */
  readonly hourlyRollupUpdatedAtMs: number;
  readonly pageSize: number;
  readonly pageCount: number;
  readonly freelistCount: number;
  readonly isIncremental: boolean;
}

/** Read operation: all from counters, indexes and the few rows of runs, so that it is fast with many events. */
function maintenanceCounts({ db }: ReaderContext, _args: null): MaintenanceCounts {
  return db.transaction(() => {
    const activeLock = readLock(db);
    const hourlyRollupEventId = readCounter(db, 'hourly_core_event_id');
    return {
      raw_event_count: readCounter(db, 'events'),
      // By usage_events_time, from both ends.
      raw_min_timestamp_ms: numberOf(db, 'SELECT min(timestamp_ms) AS value FROM usage_events'),
      raw_max_timestamp_ms: numberOf(db, 'SELECT max(timestamp_ms) AS value FROM usage_events'),
      ...readArchived(db),
      ...(activeLock === null ? {} : { active_lock: activeLock }),
      migration: readMigration(db),
      newestRawEventId: numberOf(db, 'SELECT max(id) AS value FROM usage_events'),
      newestEventId: numberOf(db, "SELECT seq AS value FROM sqlite_sequence WHERE name = 'usage_events'"),
      hourlyRollupEventId,
      hourlyRollupUpdatedAtMs: arrivalOf(db, hourlyRollupEventId),
      pageSize: numberOf(db, 'SELECT page_size AS value FROM pragma_page_size'),
      pageCount: numberOf(db, 'SELECT page_count AS value FROM pragma_page_count'),
      freelistCount: numberOf(db, 'SELECT freelist_count AS value FROM pragma_freelist_count'),
      isIncremental: isIncremental(db),
    };
  })();
}

/** Read operation: null while there is no event. */
function bytesPerEvent({ db }: ReaderContext, _args: null): BytesPerEvent | null {
  return db.transaction(() => readBytesPerEvent(db))();
}

/** Listed in `workers/operations/reads.ts`. */
export const maintenanceReads = { maintenanceCounts, bytesPerEvent };

export type MaintenanceReads = Pick<OperationClient<typeof maintenanceReads>, 'run'>;

/** A run's counters change with its references, in one transaction; a canceled one has none any more. */
function readArchived(db: Database): Pick<MaintenanceCounts, 'raw_archived_event_count' | 'raw_deleted_event_count'> {
  const sums = db
    .query<{ undeleted: number; deleted: number }, []>(
      `SELECT
         coalesce(sum(archived_event_count - deleted_event_count), 0) AS undeleted,
         coalesce(sum(deleted_event_count), 0) AS deleted
       FROM usage_archive_runs
       WHERE status <> 'cancelled'`,
    )
    .get();
  return { raw_archived_event_count: sums?.undeleted ?? 0, raw_deleted_event_count: sums?.deleted ?? 0 };
}

function readLock(db: Database): UsageMaintenanceResponse['active_lock'] | null {
  return db
    .query<NonNullable<UsageMaintenanceResponse['active_lock']>, []>(
      `SELECT run.id AS run_id, held.operation, held.acquired_at_ms, held.updated_at_ms
       FROM usage_maintenance_locks AS held
         JOIN usage_archive_runs AS run ON run.number = held.run_number`,
    )
    .get();
}

function readMigration(db: Database): UsageMaintenanceResponse['migration'] {
  const row = db
    .query<UsageMaintenanceResponse['migration'], [string]>(
      `SELECT name, status, last_event_id, target_event_id, processed_rows, changed_rows, updated_at_ms
       FROM usage_data_migrations
       WHERE name = ?`,
    )
    .get(CACHE_ACCOUNTING);
  if (row !== null) return row;
  return {
    name: CACHE_ACCOUNTING,
    status: '',
    last_event_id: 0,
    target_event_id: 0,
    processed_rows: 0,
    changed_rows: 0,
    updated_at_ms: 0,
  };
}

function arrivalOf(db: Database, eventId: number): number {
  const row = db
    .query<{ detail: Uint8Array }, [number]>('SELECT detail FROM usage_events WHERE id <= ? ORDER BY id DESC LIMIT 1')
    .get(eventId);
  return row === null ? 0 : eventDecoder(db)(row.detail, { raw: false }).created_at_ms;
}

function numberOf(db: Database, sql: string): number {
  return db.query<{ value: number | null }, []>(sql).get()?.value ?? 0;
}
