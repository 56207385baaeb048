import type { AppError } from '@manager/core/contract/errors';
import { errorCode } from '../../../../platform/files/held-files.ts';
import { UnsafeFileError } from '../../../../platform/files/verified-file.ts';
import { digestOf, hashPrefix } from './prefix-digest.ts';
import { EMPTY_SHA256, FILE_LOST, isActive, type SessionRecord } from './record.ts';
import { conflict, hashOnDisk, type ImportSession, mismatch, type SessionContext, update } from './session.ts';

/**
 * State of the received bytes in the file. `resized`: more or fewer, from which the session can continue. `changed`: different bytes,
 * or a link in place of the file. Only with `same` the session can continue; from `changed` and `gone` it never can.
 */
export type BytesOnDisk = 'same' | 'resized' | 'changed' | 'gone';

/**
 * Reads the received bytes from disk and uses their digest as the running one if it equals the stored one. Only in a step of
 * the session.
 */
export async function compareWithDisk(context: SessionContext, session: ImportSession): Promise<BytesOnDisk> {
  session.hasher = null;
  try {
    const hasher = await hashOnDisk(context.files, session);
    if (hasher === null) return 'resized';
    if (digestOf(hasher) !== (session.record.received_prefix_sha256 ?? EMPTY_SHA256)) return 'changed';
    session.hasher = hasher;
    return 'same';
  } catch (error) {
    const found = lossOf(error);
    if (found === null) throw error;
    return found;
  }
}

/** Null for an error that is not about the bytes. */
export function lossOf(error: unknown): 'changed' | 'gone' | null {
  if (error instanceof UnsafeFileError) return 'changed';
  return errorCode(error) === 'ENOENT' ? 'gone' : null;
}

/**
 * Makes a session agree with its file: it ends when its bytes can never be imported, so that it frees its slot and its quota, and it
 * continues with what a file of another size has. Only in a step of the session.
 */
export async function followDisk(context: SessionContext, session: ImportSession, found: BytesOnDisk): Promise<void> {
  if (found === 'same' || (found === 'resized' && !isActive(session.record))) return;
  if (found === 'resized' && (await continueFromDisk(context, session))) return;
  await end(context, session);
}

async function end(context: SessionContext, session: ImportSession): Promise<void> {
  await update(context, session, (record) => (isActive(record) ? lost(record) : null));
  session.bytesLost = true;
  await context.removePart(session);
  context.log.warn({ id: session.record.id }, 'the bytes of an import session changed on disk; the session has failed');
}

/** As a start does: additional bytes are cut off, missing ones are received again. False when the bytes are not those that were received. */
async function continueFromDisk(context: SessionContext, session: ImportSession): Promise<boolean> {
  const { id, received_bytes, size_bytes, received_prefix_sha256 } = session.record;
  session.hasher = null;
  session.prefixProven = false;
  session.check = new AbortController();
  try {
    await using part = await context.files.openPart(id, { write: true });
    const bytes = Math.min(part.size, received_bytes);
    if (part.size > bytes) {
      await part.handle.truncate(bytes);
      await part.handle.sync();
    }
    const hasher = await hashPrefix(part.handle, bytes, session.check.signal);
    if (hasher === null) return false;
    const digest = digestOf(hasher);
    if (bytes === received_bytes && digest !== (received_prefix_sha256 ?? EMPTY_SHA256)) return false;
    await update(context, session, (record) => ({
      received_bytes: bytes,
      received_prefix_sha256: digest,
      ...statusAfter(record, bytes === size_bytes),
    }));
    session.hasher = hasher;
    context.log.warn(
      { id, received_bytes, bytes },
      'the file of an import session had another size than received; it continues from there',
    );
    return true;
  } finally {
    session.check = null;
  }
}

/** A complete file can be imported, an incomplete one can be continued; a retryable failure keeps its status. */
export function statusAfter({ status, retryable, error }: SessionRecord, complete: boolean): Partial<SessionRecord> {
  if (status === 'failed' && complete) return { status, retryable, error };
  return { status: complete ? 'ready' : 'uploading', retryable: false, error: null, result: null };
}

export function lost(record: SessionRecord): SessionRecord {
  return {
    ...record,
    status: 'failed',
    retryable: false,
    error: FILE_LOST,
    received_bytes: 0,
    received_prefix_sha256: EMPTY_SHA256,
  };
}

/** For an action that the state of the session does not allow. */
export function refusalOf({ record, bytesLost }: ImportSession): AppError {
  // The same reason for a client that gets it a second time: this upload is over, a new import is needed.
  return bytesLost ? mismatch() : conflict(`the import session is ${record.status}`);
}
