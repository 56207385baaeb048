import {
  IMPORT_SESSION_FAILED,
  IMPORT_SESSION_STATUSES,
  type ImportSessionResponse,
  importResultSchema,
} from '@manager/core/contract/transfer/import-sessions';
import { z } from 'zod';

/** SHA-256 of the empty text. */
export const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const ID = /^[0-9a-f]{32}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** Of sessions and resume keys. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** The digest in lower case, null when it is invalid. */
export function parseSha256(text: string | null): string | null {
  const digest = text?.trim().toLowerCase() ?? '';
  return SHA256.test(digest) ? digest : null;
}

const byteCount = z.int().min(0);
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null);

/** `<id>.json`: a session as in the API, and the members that only the server needs. */
const recordSchema = z
  .object({
    id: z.string().regex(ID),
    filename: z.string(),
    resume_key: optional(z.string().regex(ID)),
    status: z.enum(IMPORT_SESSION_STATUSES),
    size_bytes: byteCount.min(1),
    received_bytes: byteCount,
    /** Missing in files of older versions. */
    received_prefix_sha256: optional(z.string().regex(SHA256)),
    chunk_size_bytes: byteCount.min(1),
    created_at_ms: z.int(),
    updated_at_ms: z.int(),
    expires_at_ms: z.int(),
    retryable: z.boolean().default(false),
    /** Set before a chunk or a job is stopped, so that a restart continues the cancellation. */
    cancel_requested: z.boolean().default(false),
    /** For the operator; only when `failed`. */
    error: optional(z.string()),
    result: optional(importResultSchema),
  })
  .refine((record) => record.received_bytes <= record.size_bytes);

/** The part of a session that is stored on disk. */
export type SessionRecord = Readonly<z.output<typeof recordSchema>>;

/** Null when the file is not ours. */
export function parseRecord(bytes: Uint8Array): SessionRecord | null {
  try {
    return recordSchema.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))).data ?? null;
  } catch {
    return null;
  }
}

export function serializeRecord(record: SessionRecord): string {
  return `${JSON.stringify(record)}\n`;
}

export function toResponse(record: SessionRecord): ImportSessionResponse {
  const failed = record.status === 'failed';
  return {
    id: record.id,
    filename: record.filename,
    status: record.status,
    size_bytes: record.size_bytes,
    received_bytes: record.received_bytes,
    received_prefix_sha256: record.received_prefix_sha256 ?? EMPTY_SHA256,
    chunk_size_bytes: record.chunk_size_bytes,
    created_at_ms: record.created_at_ms,
    updated_at_ms: record.updated_at_ms,
    expires_at_ms: record.expires_at_ms,
    retryable: record.retryable,
    has_error: failed,
    ...(failed ? { error: record.error ?? INTERRUPTED, error_code: IMPORT_SESSION_FAILED } : {}),
    ...(record.result === null ? {} : { result: record.result }),
  };
}

/** The file is needed: it is being received, waits for its import or is being imported. */
export function isActive(record: Pick<SessionRecord, 'status' | 'retryable'>): boolean {
  const { status, retryable } = record;
  return status === 'uploading' || status === 'ready' || status === 'processing' || (status === 'failed' && retryable);
}

/** Texts of `error`. */
export const INTERRUPTED = 'the import was interrupted; stored events stay. Complete the import again';
export const DISK_FULL =
  'the disk is full; stored events stay. Free space on the volume of the database and complete the import again';
export const FILE_LOST = 'the received bytes were lost or changed on disk; start a new import';

const NAME_CODE_POINTS = 240;
const DEFAULT_NAME = 'usage-import.jsonl';

/** The last part of a path, for display. */
export function displayName(filename: string): string {
  const name = filename.replaceAll('\0', '').trim().split(/[/\\]/).at(-1)?.trim() ?? '';
  if (name === '' || name === '.') return DEFAULT_NAME;
  return Array.from(name).slice(0, NAME_CODE_POINTS).join('');
}
