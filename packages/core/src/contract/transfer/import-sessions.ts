import { z } from 'zod';

/**
 * Resumable uploads of import files, below `/v0/management/usage/import-sessions`: create, send chunks in order,
 * complete, then poll until the records are stored.
 */

export const IMPORT_SESSIONS_PATH = '/v0/management/usage/import-sessions';

/** Header of a chunk: SHA-256 of the client's file before the offset, in hex. */
export const IMPORT_PREFIX_HEADER = 'X-Usage-Import-Prefix-SHA256';

export const IMPORT_SESSION_STATUSES = [
  'uploading',
  'ready',
  'processing',
  'completed',
  'failed',
  'cancelled',
] as const;
export type ImportSessionStatus = (typeof IMPORT_SESSION_STATUSES)[number];

/** `error_code` of every failed session. */
export const IMPORT_SESSION_FAILED = 'usage_import_session_failed';

export const IMPORT_SESSIONS_LIMIT = { default: 20, most: 100 } as const;

export const importSessionCreateRequestSchema = z.strictObject({
  /** For display; a path before it is dropped. */
  filename: z.string().optional(),
  /** Missing = 0, which is refused as a size, not as a malformed body. */
  size_bytes: z.int().default(0),
  /** 32 lower-case hex digits chosen by the client: the same key finds the session again after a lost answer. */
  resume_key: z.string().optional(),
});

export const importSessionValidateRequestSchema = z.strictObject({
  /** SHA-256 of the client's file before `received_bytes`, in hex. */
  prefix_sha256: z.string(),
});

/** A record that could not become an event. */
const importFailureSchema = z.strictObject({
  /** Of the file, from 1; missing for a part of a snapshot. */
  line: z.int().optional(),
  /** For example `line 7`, or `detail 3 of model 1 of endpoint 2`. */
  where: z.string(),
  /** Repeats nothing of the record. */
  reason: z.string(),
});

/** The result of an import, complete or until it ended. */
export const importResultSchema = z.strictObject({
  format: z.enum(['usage_service_jsonl', 'legacy_usage_export', 'legacy_usage_payload']),
  added: z.int(),
  /** Already known. */
  skipped: z.int(),
  /** `added` and `skipped`. */
  total: z.int(),
  /** Records that could not become events. */
  failed: z.int(),
  unsupported: z.int(),
  warnings: z.array(z.string()).readonly(),
  /** The first of `failed`, at most 20; missing where nothing failed. */
  failures: z.array(importFailureSchema).readonly().optional(),
});

export type ImportResult = z.infer<typeof importResultSchema>;

export const importSessionSchema = z.strictObject({
  /** 32 lower-case hex digits. */
  id: z.string(),
  filename: z.string(),
  status: z.enum(IMPORT_SESSION_STATUSES),
  size_bytes: z.int(),
  received_bytes: z.int(),
  /** SHA-256 of the first `received_bytes`, in hex. */
  received_prefix_sha256: z.string(),
  /** Largest chunk that is accepted. */
  chunk_size_bytes: z.int(),
  created_at_ms: z.int(),
  updated_at_ms: z.int(),
  expires_at_ms: z.int(),
  /** A failed session on which `complete` may be called again. */
  retryable: z.boolean(),
  has_error: z.boolean(),
  error: z.string().optional(),
  error_code: z.literal(IMPORT_SESSION_FAILED).optional(),
  /** Present once processing has ended, with success or not. */
  result: importResultSchema.optional(),
});
export type ImportSessionResponse = z.infer<typeof importSessionSchema>;

export const importSessionsResponseSchema = z.strictObject({
  /** By `updated_at_ms`, then id, both descending. */
  sessions: z.array(importSessionSchema),
  /** Sessions that match the filter, on all pages. */
  total: z.int(),
  /** Over all sessions; statuses without a session are left out. */
  status_counts: z.partialRecord(z.enum(IMPORT_SESSION_STATUSES), z.int()),
  next_cursor: z.string().optional(),
  /** Sessions that use one of the `max_sessions` slots. */
  active_sessions: z.int(),
  max_sessions: z.int(),
  chunk_size_bytes: z.int(),
  disk_quota_bytes: z.int(),
  ttl_seconds: z.int(),
});
export type ImportSessionsResponse = z.infer<typeof importSessionsResponseSchema>;
