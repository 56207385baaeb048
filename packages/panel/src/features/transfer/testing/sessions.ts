import type { SessionList, UploadSession } from '../upload/session.ts';

/** A session of the list. */
export function sessionOf(about: Partial<UploadSession>): UploadSession {
  return {
    id: '0'.repeat(32),
    filename: 'events.jsonl',
    status: 'uploading',
    size_bytes: 1_000,
    received_bytes: 400,
    received_prefix_sha256: 'a'.repeat(64),
    chunk_size_bytes: 1_024,
    created_at_ms: 1_767_225_000_000,
    updated_at_ms: 1_767_225_000_000,
    expires_at_ms: 1_767_311_400_000,
    retryable: false,
    has_error: false,
    ...about,
  };
}

export function listOf(sessions: readonly UploadSession[], about: Partial<SessionList> = {}): SessionList {
  return {
    sessions,
    total: sessions.length,
    status_counts: {},
    active_sessions: 0,
    max_sessions: 2,
    chunk_size_bytes: 1_024,
    disk_quota_bytes: 10_000,
    ttl_seconds: 86_400,
    ...about,
  };
}
