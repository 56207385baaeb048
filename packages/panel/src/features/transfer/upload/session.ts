import type { ImportSessionResponse, ImportSessionsResponse } from '@manager/core/contract/transfer/import-sessions';
import { ApiError } from '../../../platform/api/errors.ts';

/** A session as a manager of any version sends it. */
export interface UploadSession extends Omit<ImportSessionResponse, 'status' | 'received_prefix_sha256'> {
  /** One of the known ones, or one of a later version. */
  readonly status: string;
  /** '' when the server keeps none. */
  readonly received_prefix_sha256: string;
}

type SessionLimits = Pick<
  ImportSessionsResponse,
  'active_sessions' | 'max_sessions' | 'chunk_size_bytes' | 'disk_quota_bytes' | 'ttl_seconds'
>;

export interface SessionList extends SessionLimits {
  readonly sessions: readonly UploadSession[];
  readonly total: number;
  /** Over all sessions, by status; empty ones are left out. */
  readonly status_counts: Readonly<Record<string, number>>;
  readonly next_cursor?: string;
}

const NUMBERS = ['size_bytes', 'received_bytes', 'chunk_size_bytes', 'expires_at_ms'] as const;
const LIMITS = ['active_sessions', 'max_sessions', 'chunk_size_bytes', 'disk_quota_bytes', 'ttl_seconds'] as const;

/** An upload depends on these numbers exactly, so another answer must not be taken for a session. */
export function readSession(value: unknown, path: string): UploadSession {
  if (!isRecord(value) || typeof value.id !== 'string' || typeof value.status !== 'string') throw invalidSession(path);
  if (!NUMBERS.every((name) => Number.isSafeInteger(value[name]))) throw invalidSession(path);
  const { received_prefix_sha256: digest } = value;
  const session = { ...value, received_prefix_sha256: typeof digest === 'string' ? digest.toLowerCase() : '' };
  return session as unknown as UploadSession;
}

export function readSessionList(value: unknown, path: string): SessionList {
  if (!isRecord(value) || !Array.isArray(value.sessions)) throw invalidSession(path);
  if (!LIMITS.every((name) => Number.isSafeInteger(value[name]))) throw invalidSession(path);
  const counts = isRecord(value.status_counts) ? value.status_counts : {};
  const list = {
    ...value,
    status_counts: counts,
    sessions: value.sessions.map((session: unknown) => readSession(session, path)),
  };
  return list as unknown as SessionList;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function invalidSession(path: string): ApiError {
  return new ApiError('shape', 'the answer is no import session', { path, atMs: 0 });
}

/** Final. */
export function hasEnded({ status, retryable }: UploadSession): boolean {
  return status === 'completed' || status === 'cancelled' || (status === 'failed' && !retryable);
}
