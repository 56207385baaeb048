import { AppError } from '@manager/core/contract/errors';
import { hashPrefix } from './prefix-digest.ts';
import { isActive, type SessionRecord } from './record.ts';
import { createSerial, type Serial } from './serial.ts';
import type { SessionFiles } from './session-files.ts';

export interface SessionLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface SessionContext {
  readonly files: SessionFiles;
  readonly ttlMs: number;
  readonly now: () => number;
  readonly log: SessionLog;
  /** Removes the bytes of a session, now or later. */
  readonly removePart: (session: ImportSession) => Promise<void>;
}

/** A session in memory. `record` and the file change only together, by `update`. */
export interface ImportSession {
  record: SessionRecord;
  /** Running digest of the received bytes; null when it must be read from disk first. */
  hasher: Bun.CryptoHasher | null;
  /**
   * A client proved by a digest that its file begins with the received bytes, or this process received them all; and every
   * chunk since then. Never after a restart or an incomplete chunk. All chunks of a process came with the same admin key: it
   * cannot change while the process runs.
   */
  prefixProven: boolean;
  /** Chunks, checks, and the end of a cancellation: one at a time. */
  readonly steps: Serial;
  readonly saves: Serial;
  /** The chunk that is being received or waits for its turn. */
  chunk: AbortController | null;
  /** Stops the reader that checks the file. */
  check: AbortController | null;
  /** The check that follows a restart. */
  recovering: Promise<void> | null;
  completing: Promise<void> | null;
  cancelling: Promise<void> | null;
  job: { readonly abort: AbortController; readonly ended: Promise<void> } | null;
  /** A chunk failed and its bytes are still in the file. */
  cutPending: boolean;
  /** The session ended because the file no longer has the received bytes. */
  bytesLost: boolean;
  /** Requests that use this object now. */
  users: number;
}

export function createSession(record: SessionRecord): ImportSession {
  return {
    record,
    hasher: record.received_bytes === 0 ? new Bun.CryptoHasher('sha256') : null,
    prefixProven: record.received_bytes === 0,
    steps: createSerial(),
    saves: createSerial(),
    chunk: null,
    check: null,
    recovering: null,
    completing: null,
    cancelling: null,
    job: null,
    cutPending: false,
    bytesLost: false,
    users: 0,
  };
}

/** Whether it uses a slot and its bytes of the quota. */
export function holdsSlot(session: ImportSession): boolean {
  return isActive(session.record) || session.chunk !== null || session.cancelling !== null;
}

/** No work uses it, so it can be removed. */
export function isIdle(session: ImportSession): boolean {
  const { chunk, check, recovering, completing, cancelling, job, users } = session;
  return users === 0 && [chunk, check, recovering, completing, cancelling, job].every((work) => work === null);
}

type Change = Partial<SessionRecord> | null;

/**
 * Writes a change to disk, then to memory. The change is calculated when its turn comes; null changes nothing.
 *
 * @param options.touch false: the expiry does not change
 */
export function update(
  { files, ttlMs, now }: SessionContext,
  session: ImportSession,
  change: (record: SessionRecord) => Change,
  options: { readonly touch?: boolean; readonly beforeRename?: () => void } = {},
): Promise<void> {
  return session.saves.run(async () => {
    const changes = change(session.record);
    if (changes === null) return;
    const times = options.touch === false ? {} : timesAt(now(), ttlMs);
    const record = { ...session.record, ...changes, ...times };
    await files.save(record, options.beforeRename);
    session.record = record;
  });
}

export function timesAt(nowMs: number, ttlMs: number): Pick<SessionRecord, 'updated_at_ms' | 'expires_at_ms'> {
  return { updated_at_ms: nowMs, expires_at_ms: nowMs + ttlMs };
}

/** Null when the file has other bytes than the received ones. */
export async function hashOnDisk(files: SessionFiles, session: ImportSession): Promise<Bun.CryptoHasher | null> {
  const { id, received_bytes } = session.record;
  session.check = new AbortController();
  try {
    await using part = await files.openPart(id);
    if (part.size !== received_bytes) return null;
    const hasher = await hashPrefix(part.handle, received_bytes, session.check.signal);
    await part.requireUnchanged();
    return hasher;
  } finally {
    session.check = null;
  }
}

export function conflict(message?: string): AppError {
  return new AppError('usage_import_session_conflict', message === undefined ? {} : { message });
}

/** The session has the size of the file when it is read again. */
export function resized(): AppError {
  return conflict('the file of the import session has a different size than received; read the session again');
}

export function mismatch(): AppError {
  return new AppError('usage_import_session_file_mismatch');
}

export function invalidRequest(message: string): AppError {
  return new AppError('usage_import_session_invalid_request', { message });
}

export function tooLarge(message: string): AppError {
  return new AppError('usage_import_session_too_large', { message });
}

/** Keeps errors for the caller, and replaces all others by a generic one. */
export function answerable(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('usage_import_session_unavailable', { cause: error });
}

/** The reason of every abort here. */
export class SessionStopped extends Error {
  override readonly name = 'SessionStopped';
  readonly by: 'cancellation' | 'shutdown';

  constructor(by: 'cancellation' | 'shutdown') {
    super(by === 'shutdown' ? 'the manager is stopping' : 'the import session was canceled');
    this.by = by;
  }

  /** For the stopped request. */
  toAnswer(): AppError {
    return this.by === 'cancellation' ? conflict(this.message) : new AppError('usage_import_session_unavailable');
  }
}
