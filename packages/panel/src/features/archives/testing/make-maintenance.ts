import type { Maintenance } from '../wire.ts';

/** A server where everything is ready, which tests modify. */
export function makeMaintenance(change: Partial<Maintenance> = {}): Maintenance {
  return {
    raw_event_count: 1_500,
    raw_min_timestamp_ms: 1_760_000_000_000,
    raw_max_timestamp_ms: 1_780_000_000_000,
    raw_archived_event_count: 0,
    raw_deleted_event_count: 0,
    migration: {
      name: 'usage_cache_accounting_v2',
      status: 'completed',
      last_event_id: 0,
      target_event_id: 0,
      processed_rows: 0,
      changed_rows: 0,
      updated_at_ms: 0,
    },
    hourly_aggregate: {
      name: 'hourly_core',
      schema_version: 1,
      status: 'ready',
      coverage_event_id: 1_500,
      target_event_id: 1_500,
      updated_at_ms: 0,
    },
    readiness: { migration_ready: true, hourly_aggregate_ready: true, archive_delete_enabled: true },
    migration_coverage: { status: 'completed', watermark_event_id: 0, target_event_id: 0, complete: true },
    hourly_aggregate_coverage: {
      status: 'ready',
      watermark_event_id: 1_500,
      target_event_id: 1_500,
      complete: true,
    },
    storage: {
      page_size: 4_096,
      page_count: 250,
      freelist_count: 10,
      reclaimable_bytes: 40_960,
      database_bytes: 1_024_000,
      wal_bytes: 32_768,
      shm_bytes: 32_768,
      total_bytes: 1_089_536,
    },
    compact_requires_stopped_server: true,
    ...change,
  };
}
