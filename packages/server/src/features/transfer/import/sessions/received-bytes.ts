import type { AppError } from '@manager/core/contract/errors';
import { errorCode } from '../../../../platform/files/held-files.ts';
import { UnsafeFileError } from '../../../../platform/files/verified-file.ts';
import { digestOf } from './prefix-digest.ts';
import { EMPTY_SHA256, FILE_LOST, isActive, type SessionRecord } from './record.ts';
import { conflict, hashOnDisk, type ImportSession, mismatch, type SessionContext, update } from './session.ts';

/**
 * State of the received bytes in the file. `resized`: more or fewer, which the next start repairs. `changed`: different bytes,
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

/** Ends a session whose bytes can never be imported, so that it frees its slot and its quota. */
export async function endIfLost(context: SessionContext, session: ImportSession, found: BytesOnDisk): Promise<void> {
  if (found === 'same' || found === 'resized') return;
  await update(context, session, (record) => (isActive(record) ? lost(record) : null));
  session.bytesLost = true;
  await context.removePart(session);
  context.log.warn({ id: session.record.id }, 'the bytes of an import session changed on disk; the session has failed');
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
