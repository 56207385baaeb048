import type { BytesPerEvent, UsageMaintenanceResponse } from '@manager/core/contract/archives/maintenance';
import type { ArchiveRetention } from '@manager/core/contract/archives/retention';
import type { ArchiveRun } from '@manager/core/contract/archives/runs';
import type { DatabaseFiles } from '@manager/core/contract/system/status';
import { BEGIN_SHARE, type CompactionState } from '../compact/online/online-compaction.ts';
import type { MaintenanceCounts, MaintenanceReads } from './store.ts';

export interface MaintenanceServiceDeps {
  readonly reader: MaintenanceReads;
  /** The archive run that blocks others. */
  readonly activeRun: () => Promise<ArchiveRun | null>;
  /** The newest completed run whose freed space is not returned to the disk yet. */
  readonly compactingRun: () => Promise<ArchiveRun | null>;
  /** The newest run that waits for the operator. */
  readonly waitingRun: () => Promise<ArchiveRun | null>;
  readonly databaseFiles: () => DatabaseFiles | null;
  readonly hourlyRollupEnabled: boolean;
  /** Null = the stored setting is unreadable. */
  readonly retention: () => Promise<ArchiveRetention | null>;
  readonly compaction: () => CompactionState;
  readonly now: () => number;
}

export interface MaintenanceService {
  read(): Promise<UsageMaintenanceResponse>;
}

/** Bytes per event change slowly, and measuring them reads up to 256 MiB. */
const BYTES_KEPT_MS = 60_000;
const HOURLY_SCHEMA_VERSION = 1;

export function createMaintenanceService(deps: MaintenanceServiceDeps): MaintenanceService {
  // Counters, the ends of an index and a few rows: cheap enough to be read each time. Concurrent callers share one reading.
  const counts = kept(0, deps.now, () =>
    Promise.all([
      deps.reader.run('maintenanceCounts', null),
      deps.activeRun(),
      deps.compactingRun(),
      deps.waitingRun(),
    ]),
  );
  const bytes = kept(BYTES_KEPT_MS, deps.now, () => deps.reader.run('bytesPerEvent', null));
  return {
    async read() {
      const [[read, activeRun, compactingRun, waitingRun], perEvent, retention] = await Promise.all([
        counts(),
        bytes(),
        deps.retention(),
      ]);
      return toResponse(deps, read, { activeRun, compactingRun, waitingRun, perEvent, retention });
    },
  };
}

/** One reading at a time; its value is cached for a while. Neither a failure nor null is cached. */
function kept<Value>(ms: number, now: () => number, read: () => Promise<Value>): () => Promise<Value> {
  let last: { readonly value: Value; readonly atMs: number } | null = null;
  let running: Promise<Value> | null = null;

  async function readAgain(): Promise<Value> {
    try {
      const value = await read();
      last = value === null ? null : { value, atMs: now() };
      return value;
    } finally {
      running = null;
    }
  }

  return async () => {
    if (last !== null && Math.abs(now() - last.atMs) < ms) return last.value;
    running ??= readAgain();
    return running;
  };
}

interface Beside {
  readonly activeRun: ArchiveRun | null;
  readonly compactingRun: ArchiveRun | null;
  readonly waitingRun: ArchiveRun | null;
  readonly perEvent: BytesPerEvent | null;
  readonly retention: ArchiveRetention | null;
}

function toResponse(
  { hourlyRollupEnabled, databaseFiles, compaction }: MaintenanceServiceDeps,
  read: MaintenanceCounts,
  { activeRun, compactingRun, waitingRun, perEvent, retention }: Beside,
): UsageMaintenanceResponse {
  const { migration } = read;
  const migrationReady = migration.status === 'completed';
  // When the newest raw events were deleted, derived data still covers them.
  const target = Math.max(read.newestEventId, read.newestRawEventId);
  const complete = hourlyRollupEnabled && read.hourlyRollupEventId >= target;
  const hourlyStatus = hourlyRollupEnabled ? readyOrBehind(complete) : 'disabled';
  return {
    raw_event_count: read.raw_event_count,
    raw_min_timestamp_ms: read.raw_min_timestamp_ms,
    raw_max_timestamp_ms: read.raw_max_timestamp_ms,
    raw_archived_event_count: read.raw_archived_event_count,
    raw_deleted_event_count: read.raw_deleted_event_count,
    ...(activeRun === null ? {} : { active_run: activeRun }),
    ...(compactingRun === null ? {} : { compacting_run: compactingRun }),
    ...(waitingRun === null ? {} : { waiting_run: waitingRun }),
    ...(read.active_lock === undefined ? {} : { active_lock: read.active_lock }),
    migration,
    hourly_aggregate: {
      name: 'hourly_core',
      schema_version: HOURLY_SCHEMA_VERSION,
      status: hourlyStatus,
      coverage_event_id: read.hourlyRollupEventId,
      target_event_id: target,
      updated_at_ms: read.hourlyRollupUpdatedAtMs,
    },
    readiness: {
      migration_ready: migrationReady,
      hourly_aggregate_ready: complete,
      archive_delete_enabled: hourlyRollupEnabled,
    },
    migration_coverage: {
      status: migration.status,
      watermark_event_id: migration.last_event_id,
      target_event_id: migration.target_event_id,
      complete: migrationReady,
    },
    hourly_aggregate_coverage: {
      status: hourlyStatus,
      watermark_event_id: read.hourlyRollupEventId,
      target_event_id: target,
      complete,
    },
    storage: toStorage(read, databaseFiles(), perEvent),
    compact_requires_stopped_server: !read.isIncremental,
    compaction: toCompaction(read, compaction()),
    ...(retention === null ? { retention_unreadable: true } : { retention }),
  };
}

function toCompaction(
  { isIncremental }: MaintenanceCounts,
  { state, returnedPages, pagesToReturn, error }: CompactionState,
): UsageMaintenanceResponse['compaction'] {
  return {
    state: isIncremental ? state : 'unavailable',
    begins_above_percent: BEGIN_SHARE * 100,
    returned_pages: returnedPages,
    pages_to_return: pagesToReturn,
    ...(error === null ? {} : { error }),
  };
}

function readyOrBehind(complete: boolean): 'ready' | 'catching_up' {
  return complete ? 'ready' : 'catching_up';
}

function toStorage(
  { pageSize, pageCount, freelistCount }: MaintenanceCounts,
  files: DatabaseFiles | null,
  perEvent: BytesPerEvent | null,
): UsageMaintenanceResponse['storage'] {
  return {
    page_size: pageSize,
    page_count: pageCount,
    freelist_count: freelistCount,
    reclaimable_bytes: pageSize * freelistCount,
    database_bytes: files?.databaseBytes ?? 0,
    wal_bytes: files?.walBytes ?? 0,
    shm_bytes: files?.shmBytes ?? 0,
    total_bytes: files?.totalBytes ?? 0,
    ...(perEvent === null ? {} : { bytes_per_event: perEvent }),
  };
}
