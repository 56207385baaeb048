import { UnsafeFileError } from '../../../../platform/files/verified-file.ts';
import { stopPoint } from '../../../../platform/stop-point.ts';
import { digestOf } from './prefix-digest.ts';
import { compareWithDisk, lost, statusAfter } from './received-bytes.ts';
import { isActive, type SessionRecord } from './record.ts';
import {
  createSession,
  hashOnDisk,
  type ImportSession,
  type SessionContext,
  SessionStopped,
  timesAt,
  update,
} from './session.ts';

export interface RecoveryContext extends SessionContext {
  readonly chunkBytes: number;
}

/**
 * Converts the files of an earlier process, however it ended, to a valid state of a session; others are removed. Reads only
 * sizes: `checkRecovered` checks the bytes, which may take long.
 */
export async function recoverSessions(context: RecoveryContext): Promise<readonly ImportSession[]> {
  const { files, log } = context;
  const sessions: ImportSession[] = [];
  for (const { id, hasRecord } of await files.find()) {
    try {
      const record = hasRecord ? await recoverOne(context, id) : null;
      if (record !== null) {
        sessions.push(createSession(record));
        if (!isActive(record)) await files.removePart(id);
        continue;
      }
      await files.removeRecord(id);
      stopPoint('import_record_removed');
      await files.removePart(id);
      log.info({ id }, 'the files of an import session that ended were removed');
    } catch (error) {
      log.warn({ err: error, id }, 'an import session cannot be resumed');
    }
  }
  return sessions;
}

/** Null when nothing of the session stays. */
async function recoverOne(context: RecoveryContext, id: string): Promise<SessionRecord | null> {
  const { files, ttlMs, now } = context;
  const stored = await files.load(id);
  const partBytes = stored === null ? null : await sizeOfPart(context, id);
  if (stored === null || partBytes === 'unsafe') return null;
  const nowMs = now();
  if (stored.expires_at_ms <= nowMs && stored.status !== 'processing') return null;
  if (stored.cancel_requested && stored.status !== 'processing') return null;

  const recovered = await takeUp(context, stored, partBytes);
  if (Bun.deepEquals(recovered, stored)) return stored;
  const times = recovered.status === stored.status ? {} : timesAt(nowMs, ttlMs);
  const record = { ...recovered, ...times };
  // Saved with its new digest, if that was read: without one, the next start would take it for a file of an old version.
  if (!lacksDigest(record)) await files.save(record);
  return record;
}

async function sizeOfPart({ files }: RecoveryContext, id: string): Promise<number | null | 'unsafe'> {
  try {
    return await files.partSize(id);
  } catch (error) {
    if (error instanceof UnsafeFileError) return 'unsafe';
    throw error;
  }
}

async function takeUp(
  { files, chunkBytes }: RecoveryContext,
  stored: SessionRecord,
  partBytes: number | null,
): Promise<SessionRecord> {
  if (stored.cancel_requested) return { ...stored, status: 'cancelled', retryable: false, cancel_requested: false };
  if (!isActive(stored)) return stored;
  const { id, size_bytes, received_bytes, received_prefix_sha256 } = stored;
  if (partBytes === null || partBytes > size_bytes) return lost(stored);
  if (lacksDigest(stored)) return lost(stored);
  if (partBytes > received_bytes) {
    await using part = await files.openPart(id, { write: true });
    await part.handle.truncate(received_bytes);
    await part.handle.sync();
  }
  const received = Math.min(partBytes, received_bytes);
  const complete = received === size_bytes;
  return {
    ...stored,
    received_bytes: received,
    // A digest of more bytes is not valid for the remaining ones; it is calculated again.
    received_prefix_sha256: received < received_bytes ? null : received_prefix_sha256,
    chunk_size_bytes: Math.min(stored.chunk_size_bytes, chunkBytes),
    ...statusAfter(stored, complete),
  };
}

/** Its bytes were cut meanwhile, or it was written by a version without digests. */
export function lacksDigest({ received_bytes, received_prefix_sha256 }: SessionRecord): boolean {
  return received_bytes > 0 && received_prefix_sha256 === null;
}

/**
 * Reads the received bytes of a recovered session and compares them with their digest. Never rejects. Bytes that could not be
 * read now are read again before the next chunk.
 */
export async function checkRecovered(context: SessionContext, session: ImportSession): Promise<void> {
  const { id } = session.record;
  const check = async () => {
    if (!isActive(session.record) || session.hasher !== null || session.cancelling !== null) return;
    if (lacksDigest(session.record)) return readDigest(context, session);
    if ((await compareWithDisk(context, session)) === 'same') return;
    await update(context, session, lost);
    await context.removePart(session);
    context.log.warn({ id }, 'the bytes of an import session changed on disk; the session has failed');
  };
  await session.steps.run(check).catch((error: unknown) => {
    if (!(error instanceof SessionStopped)) context.log.warn({ err: error, id }, 'an import session cannot be checked');
  });
}

async function readDigest(context: SessionContext, session: ImportSession): Promise<void> {
  const hasher = await hashOnDisk(context.files, session);
  if (hasher === null) return;
  await update(context, session, () => ({ received_prefix_sha256: digestOf(hasher) }), { touch: false });
  session.hasher = hasher;
}
