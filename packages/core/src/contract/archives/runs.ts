import * as z from 'zod';

export const ARCHIVE_STATUSES = [
  'previewed',
  'archiving',
  'archived',
  'verifying',
  'verified',
  'deleting',
  'completed',
  'failed',
  'cancelled',
] as const;
export type ArchiveStatus = (typeof ARCHIVE_STATUSES)[number];

export const ARCHIVE_MODES = ['manual', 'retention'] as const;
export type ArchiveMode = (typeof ARCHIVE_MODES)[number];

/** The long stages of a run; each is also the status of a run while it is active. */
export const ARCHIVE_STAGES = ['archiving', 'verifying', 'deleting'] as const;

export const ARCHIVE_ACTIONS = ['resume', 'verify', 'delete', 'cancel', 'hold'] as const;
export type ArchiveAction = (typeof ARCHIVE_ACTIONS)[number];

/** Body of `preview` and of create. */
export const archiveCutoffRequestSchema = z.strictObject({
  /** Events before this time, ms. At most the largest time of a date. */
  cutoff_timestamp_ms: z.int().positive().max(8.64e15),
});

/** Body of create. */
export const archiveCreateRequestSchema = z.strictObject({
  ...archiveCutoffRequestSchema.shape,
  /** All stages follow automatically: archiving, verification, deletion of the rows, compaction. Default false. */
  delete_rows: z.boolean().optional(),
  /** The number that was confirmed: nothing is created when another one is that old now. */
  expected_event_count: z.int().positive().optional(),
});

/** State of the last step of an automatic run. */
export const ARCHIVE_COMPACTIONS = ['waiting', 'running', 'done', 'not_needed', 'offline'] as const;
export type ArchiveCompaction = (typeof ARCHIVE_COMPACTIONS)[number];

/** Answer of `POST …/usage/archives/preview`. */
export const archivePreviewSchema = z.strictObject({
  cutoff_timestamp_ms: z.int(),
  /** Largest id among the events, 0 = none. */
  target_event_id: z.int(),
  event_count: z.int(),
  /** Before compression. */
  estimated_bytes: z.int(),
  /** Of the files, by what earlier runs were compressed to; absent without one. */
  estimated_file_bytes: z.int().optional(),
  /** Absent when there are no events. */
  min_timestamp_ms: z.int().optional(),
  max_timestamp_ms: z.int().optional(),
});
export type ArchivePreview = z.infer<typeof archivePreviewSchema>;

export const archiveProgressSchema = z.strictObject({
  phase: z.enum([
    'archiving_records',
    'archive_finalizing',
    'archive_publishing',
    'verifying_archive',
    'cleanup_revalidating',
    'deleting_records',
  ]),
  current: z.int(),
  total: z.int(),
  unit: z.enum(['events', 'segments']).optional(),
  updated_at_ms: z.int().optional(),
});
export type ArchiveProgress = z.infer<typeof archiveProgressSchema>;

/** A run in the API: no paths, digests or error texts. */
export const archiveRunSchema = z.strictObject({
  /** 32 lower-case hex digits. */
  id: z.string(),
  mode: z.enum(ARCHIVE_MODES),
  status: z.enum(ARCHIVE_STATUSES),
  /** Only when `failed`: the stage that `resume` continues. */
  resume_status: z.enum(ARCHIVE_STAGES).optional(),
  /** A stage that is waiting or active. */
  requested_stage: z.enum(ARCHIVE_STAGES).optional(),
  /** Each stage starts the next one, up to the deletion of the rows; `hold` ends that. */
  automatic: z.literal(true).optional(),
  /**
   * Of an automatic run whose rows are deleted. `not_needed`: new events reuse the free space; `offline`: only `compact-usage`
   * shrinks this file.
   */
  compaction: z.enum(ARCHIVE_COMPACTIONS).optional(),
  progress: archiveProgressSchema.optional(),
  cutoff_timestamp_ms: z.int(),
  target_event_id: z.int(),
  event_count: z.int(),
  estimated_bytes: z.int(),
  last_archived_event_id: z.int(),
  archived_event_count: z.int(),
  archived_uncompressed_bytes: z.int(),
  archived_compressed_bytes: z.int(),
  last_deleted_event_id: z.int(),
  deleted_event_count: z.int(),
  created_at_ms: z.int(),
  updated_at_ms: z.int(),
  started_at_ms: z.int().optional(),
  archived_at_ms: z.int().optional(),
  verified_at_ms: z.int().optional(),
  delete_started_at_ms: z.int().optional(),
  completed_at_ms: z.int().optional(),
  has_error: z.boolean(),
});
export type ArchiveRun = z.infer<typeof archiveRunSchema>;

export const archiveSegmentSchema = z.strictObject({
  run_id: z.string(),
  /** From 1. */
  sequence: z.int(),
  status: z.enum(['published', 'verified']),
  first_event_id: z.int(),
  last_event_id: z.int(),
  min_timestamp_ms: z.int(),
  max_timestamp_ms: z.int(),
  event_count: z.int(),
  uncompressed_bytes: z.int(),
  compressed_bytes: z.int(),
  created_at_ms: z.int(),
  verified_at_ms: z.int().optional(),
});
export type ArchiveSegment = z.infer<typeof archiveSegmentSchema>;

/** Answer of create, of `GET …/usage/archives/{id}` and of every action. */
export const archiveRunResponseSchema = z.strictObject({
  run: archiveRunSchema,
  segments: z.array(archiveSegmentSchema),
});
export type ArchiveRunResponse = z.infer<typeof archiveRunResponseSchema>;

/** Answer of `GET …/usage/archives`. */
export const archiveListResponseSchema = z.strictObject({
  runs: z.array(archiveRunSchema),
  /** Runs that match both filters. */
  total: z.int(),
  /** Runs of the mode by status; statuses without a run are absent. */
  status_counts: z.partialRecord(z.enum(ARCHIVE_STATUSES), z.int()),
  next_cursor: z.string().optional(),
});
export type ArchiveListResponse = z.infer<typeof archiveListResponseSchema>;
