import * as z from 'zod';
import { SERVICE_NAME } from './info.ts';

export const collectorModeSchema = z.enum(['auto', 'subscribe', 'http', 'resp']);
export const gapKindSchema = z.enum(['unclean_stop', 'away', 'dropped', 'answer_lost', 'publishing_off', 'starved']);
export type GapKind = z.infer<typeof gapKindSchema>;

/** A dated time in which events may have been lost. */
export const collectionGapSchema = z.strictObject({
  fromMs: z.int(),
  /** null = still open. */
  toMs: z.int().nullable(),
  kind: gapKindSchema,
  /** null = unknown. */
  estimatedLost: z.int().nullable(),
});
export type CollectionGap = z.infer<typeof collectionGapSchema>;

/** Only `key_rejected` is about the key itself; with the others the same key works again when the cause has ended. */
export const keyRefusalReasonSchema = z.enum(['key_rejected', 'address_banned', 'remote_disabled', 'key_not_set']);
export type KeyRefusalReason = z.infer<typeof keyRefusalReasonSchema>;

export const collectorStatusSchema = z.strictObject({
  collector: z.enum(['stopped', 'starting', 'running', 'error']),
  /** URL in use; '' before setup. */
  upstream: z.string(),
  mode: collectorModeSchema,
  transport: z.enum(['', 'subscribe', 'http', 'resp']),
  queue: z.string(),
  /** ms, 0 = never in this process. */
  lastConsumedAt: z.int(),
  lastInsertedAt: z.int(),
  /** Since process start. */
  totalInserted: z.int(),
  totalSkipped: z.int(),
  /** Rows stored, not only those of this process. */
  deadLetters: z.int(),
  /**
   * Records stored with replaced or cut text, or with token counts below 0 or above 2^53 (stored as 0); since process start.
   */
  totalRepaired: z.int(),
  /** `<stage>: <detail>`, '' = no error. */
  lastError: z.string(),
  starved: z.boolean(),
  starvedReason: z.enum(['publishing_off', 'no_events', 'partial']).optional(),
  gaps: z.strictObject({
    count: z.int(),
    open: z.array(gapKindSchema),
    last: collectionGapSchema.optional(),
  }),
  spooledRecords: z.int(),
  /** The gateway refused requests with the saved key; none is sent with it until `nextTryAtMs`. */
  keyRefused: z
    .strictObject({ reason: keyRefusalReasonSchema, tries: z.int(), lastAtMs: z.int(), nextTryAtMs: z.int() })
    .optional(),
});
export type CollectorStatusResponse = z.infer<typeof collectorStatusSchema>;

export const dataMigrationSchema = z.strictObject({
  name: z.string(),
  /**
   * `discovering`, `pending`, `running`, `applying`, `clearing`, `completed`, `failed`; a word of a newer version is passed on.
   */
  status: z.string(),
  lastEventId: z.int(),
  targetEventId: z.int(),
  processedRows: z.int(),
  changedRows: z.int(),
  appliedRows: z.int(),
  startedAtMs: z.int().optional(),
  updatedAtMs: z.int(),
  finishedAtMs: z.int().optional(),
});
export type DataMigration = z.infer<typeof dataMigrationSchema>;

export const databaseMaintenanceSchema = z.strictObject({
  required: z.boolean(),
  /** Equal to `required`. */
  performanceDegraded: z.boolean(),
  deferredIndexes: z.int(),
  offlineJobs: z.int(),
  reasons: z.array(z.enum(['deferred_indexes', 'offline_derived_cleanup'])),
  /** Offline command that fixes it; absent when not required. */
  command: z.literal('cleanup-derived').optional(),
});
export type DatabaseMaintenance = z.infer<typeof databaseMaintenanceSchema>;

export const databaseFilesSchema = z.strictObject({
  databaseBytes: z.int(),
  walBytes: z.int(),
  shmBytes: z.int(),
  totalBytes: z.int(),
  journalSizeLimitBytes: z.int(),
  checkpoint: z.strictObject({
    mode: z.enum(['pending', 'passive', 'truncate']),
    /** 1 = somebody kept it from reaching the end of the log. */
    busy: z.literal([0, 1]),
    logFrames: z.int(),
    checkpointedFrames: z.int(),
    executedAtMs: z.int(),
    durationMs: z.int(),
    lastTruncateAttemptAtMs: z.int().optional(),
    /** What blocks the checkpoint, and what to do; it is retried automatically. */
    error: z.string().optional(),
  }),
  /**
   * Facts of new events cannot be packed into segments; no event is lost, and it is retried automatically. Absent while
   * it works.
   */
  sealing: z
    .strictObject({
      /** The problem and what to do. */
      error: z.string(),
      sinceMs: z.int(),
      tries: z.int(),
      nextTryAtMs: z.int(),
    })
    .optional(),
});
export type DatabaseFiles = z.infer<typeof databaseFilesSchema>;

/** `GET /status`. */
export const statusResponseSchema = z.strictObject({
  service: z.literal(SERVICE_NAME),
  version: z.string(),
  configured: z.boolean(),
  /** Canonical database path. */
  dbPath: z.string(),
  /** Stored events; both names hold the same number. */
  events: z.int(),
  eventCount: z.int(),
  deadLetters: z.int(),
  /** Stored events whose time lies outside [2000-01-01, arrival + 1 day]. */
  implausibleTimestamps: z.int(),
  /** ms, null = never in this process. */
  lastConsumedAt: z.int().nullable(),
  lastInsertedAt: z.int().nullable(),
  collector: collectorStatusSchema,
  dataMigration: dataMigrationSchema,
  databaseMaintenance: databaseMaintenanceSchema,
  /** Absent when the files cannot be read. */
  database: databaseFilesSchema.optional(),
  /**
   * The gateway's clock minus the manager's, when they differ by more than 3 min; absent = no difference is known. The manager's
   * clock decides about "today" and about impossible times.
   */
  gatewayClockAheadMs: z.int().optional(),
  /** Pages of the gateway's plugins can read what the panel stores; absent = they are sandboxed. */
  trustedPluginPages: z.literal(true).optional(),
});
export type StatusResponse = z.infer<typeof statusResponseSchema>;

/** `GET /status?scope=database-maintenance`: polled once a minute, counts nothing. */
export const maintenanceStatusResponseSchema = z.strictObject({ databaseMaintenance: databaseMaintenanceSchema });
export type MaintenanceStatusResponse = z.infer<typeof maintenanceStatusResponseSchema>;
