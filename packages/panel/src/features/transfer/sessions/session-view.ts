import type { ImportResult } from '@manager/core/contract/transfer/import-sessions';
import type { Word } from '../../../ui/display/status.tsx';
import type { SessionList, UploadSession } from '../upload/session.ts';
import { outcomeOf } from './result-view.ts';

/** An upload without a byte for this long counts as stalled, ms. A chunk may take as long. */
const IDLE_MS = 300_000;

export const STATUS_WORDS: Readonly<Record<string, Word>> = {
  uploading: { tone: 'wait', label: 'importStatus.uploading' },
  ready: { tone: 'wait', label: 'importStatus.ready' },
  processing: { tone: 'wait', label: 'importStatus.processing' },
  completed: { tone: 'ok', label: 'importStatus.completed' },
  failed: { tone: 'bad', label: 'importStatus.failed' },
  cancelled: { tone: 'off', label: 'importStatus.cancelled' },
};

/** Null for a status of a later version, which is shown unchanged. */
export function statusWord({ status, retryable, result }: UploadSession): Word | null {
  if (status === 'failed' && retryable) return { tone: 'warn', label: 'importStatus.interrupted' };
  if (status === 'completed' && result !== undefined) return completedWord(result);
  return STATUS_WORDS[status] ?? null;
}

function completedWord(result: ImportResult): Word {
  const tone = result.failed > 0 ? 'warn' : 'ok';
  switch (outcomeOf(result)) {
    case 'imported':
      return { tone, label: 'importStatus.completed' };
    case 'known':
      return { tone, label: 'importStatus.known' };
    case 'nothing':
      return { tone: 'bad', label: 'importStatus.nothing' };
  }
}

/** Takes a slot and reserves its size at the server. */
export function isActive({ status, retryable }: UploadSession): boolean {
  return status === 'uploading' || status === 'ready' || status === 'processing' || (status === 'failed' && retryable);
}

/** A stalled upload. */
export function isIdle({ status, updated_at_ms }: UploadSession, nowMs: number): boolean {
  return status === 'uploading' && nowMs - updated_at_ms >= IDLE_MS;
}

export interface SessionActions {
  /** The same file has to be picked again. */
  readonly resume: boolean;
  /** Everything is received: the server can continue without the file. */
  readonly finish: boolean;
  readonly cancel: boolean;
}

export function sessionActions(session: UploadSession, nowMs: number): SessionActions {
  const { status, retryable, received_bytes, received_prefix_sha256, expires_at_ms } = session;
  // A running import does not expire.
  const expired = status !== 'processing' && expires_at_ms <= nowMs;
  // Without a digest it could be another file.
  const comparable = received_bytes === 0 || received_prefix_sha256 !== '';
  return {
    resume: status === 'uploading' && !expired && comparable,
    finish: (status === 'ready' || (status === 'failed' && retryable)) && !expired,
    cancel: isActive(session) && !expired,
  };
}

/** Bytes that active sessions reserve; null when the list does not contain all of them. */
export function reservedBytes({ sessions, active_sessions }: SessionList): number | null {
  const active = sessions.filter(isActive);
  return active.length < active_sessions ? null : active.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
}
