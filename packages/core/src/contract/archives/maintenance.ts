import * as z from 'zod';
import { archiveRetentionSchema } from './retention.ts';
import { archiveRunSchema } from './runs.ts';

/** How far derived data covers the events. */
const coverageSchema = z.strictObject({
  status: z.string(),
  watermark_event_id: z.int(),
  target_event_id: z.int(),
  complete: z.boolean(),
});

/** Database bytes per event, by purpose. `raw` is per raw event that is left, all others per event ever stored. */
export const bytesPerEventSchema = z.strictObject({
  raw: z.number(),
  facts: z.number(),
  ledger: z.number(),
  /** Everything else: hourly rollup, symbols, references of archives, settings. */
  other: z.number(),
  /**
   * False: every page was counted. True: the database is too large for that; the identity ledger is estimated from its
   * row count.
   */
  estimated: z.boolean(),
});
export type BytesPerEvent = z.infer<typeof bytesPerEventSchema>;

/** `GET /v0/management/usage/maintenance`. */
export const usageMaintenanceResponseSchema = z.strictObject({
  raw_event_count: z.int(),
  /** 0 when there are none. */
  raw_min_timestamp_ms: z.int(),
  raw_max_timestamp_ms: z.int(),
  /** Archived events that still have a raw row. */
  raw_archived_event_count: z.int(),
  raw_deleted_event_count: z.int(),
  /** The run that blocks others. */
  active_run: archiveRunSchema.optional(),
  /** The newest completed run whose freed space is not returned to the disk yet; it blocks nothing. */
  compacting_run: archiveRunSchema.optional(),
  /** The newest manual run that waits for the operator's next step and blocks nothing. */
  waiting_run: archiveRunSchema.optional(),
  active_lock: z
    .strictObject({
      run_id: z.string(),
      operation: z.string(),
      acquired_at_ms: z.int(),
      updated_at_ms: z.int(),
    })
    .optional(),
  migration: z.strictObject({
    name: z.string(),
    /** '' when its row is missing, which counts as not ready. */
    status: z.string(),
    last_event_id: z.int(),
    target_event_id: z.int(),
    processed_rows: z.int(),
    changed_rows: z.int(),
    updated_at_ms: z.int(),
  }),
  hourly_aggregate: z.strictObject({
    name: z.literal('hourly_core'),
    schema_version: z.int(),
    status: z.enum(['ready', 'catching_up', 'disabled']),
    coverage_event_id: z.int(),
    target_event_id: z.int(),
    /** Arrival of the newest event that it covers; 0 = none yet. */
    updated_at_ms: z.int(),
  }),
  readiness: z.strictObject({
    migration_ready: z.boolean(),
    hourly_aggregate_ready: z.boolean(),
    archive_delete_enabled: z.boolean(),
  }),
  migration_coverage: coverageSchema,
  hourly_aggregate_coverage: coverageSchema,
  storage: z.strictObject({
    page_size: z.int(),
    page_count: z.int(),
    freelist_count: z.int(),
    reclaimable_bytes: z.int(),
    database_bytes: z.int(),
    wal_bytes: z.int(),
    shm_bytes: z.int(),
    total_bytes: z.int(),
    /** Absent while there is no event. */
    bytes_per_event: bytesPerEventSchema.optional(),
  }),
  /** Whether only `compact-usage` shrinks the file: an earlier version created it, and it has not been compacted since. */
  compact_requires_stopped_server: z.boolean(),
  /** Free pages of the database are returned to the disk in small steps while the manager works. */
  compaction: z.strictObject({
    /** `unavailable` = `compact_requires_stopped_server`. */
    state: z.enum(['unavailable', 'idle', 'running', 'failed']),
    /** Share of free pages from which it begins. */
    begins_above_percent: z.number(),
    /** Progress of the present one, else 0. */
    returned_pages: z.int(),
    pages_to_return: z.int(),
    /** Why the last step failed, and what to do; it is tried again after a minute. */
    error: z.string().optional(),
  }),
  /** Absent when `retention_unreadable`. */
  retention: archiveRetentionSchema.optional(),
  /** What is stored is damaged. The retention does nothing until both of its members are saved again. */
  retention_unreadable: z.literal(true).optional(),
});
export type UsageMaintenanceResponse = z.infer<typeof usageMaintenanceResponseSchema>;
