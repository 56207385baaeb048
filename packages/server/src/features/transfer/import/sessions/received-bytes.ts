import type { AppError } from '@manager/core/contract/errors';
import { errorCode } from '../../../../platform/files/held-files.ts';
import { UnsafeFileError } from '../../../../platform/files/verified-file.ts';
import { digestOf } from './prefix-digest.ts';
import { EMPTY_SHA256, FILE_LOST, isActive, type SessionRecord } from './record.ts';
import { conflict, hashOnDisk, type ImportSession, mismatch, type SessionContext, update } from './session.ts';

/**
 * What the file holds of the bytes that were received. `resized`: more or fewer, which the next start puts right. `changed`: others,
 * or a link in the place of the file. Only with `same` the session can go on; from `changed` and `gone` it never can.
 */
export type BytesOnDisk = 'same' | 'resized' | 'changed' | 'gone';

/**
 * Reads the received bytes from disk and takes their digest for the running one where it is the stored one. Only in a step of the
 * session.
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

/** Null when an error says nothing about the bytes. */
export function lossOf(error: unknown): 'changed' | 'gone' | null {
  if (error instanceof UnsafeFileError) return 'changed';
  return errorCode(error) === 'ENOENT' ? 'gone' : null;
}

/** Ends a session whose bytes can never be imported, so that it holds its slot and its quota no longer. */
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

/** For whoever asks something of a session that its state does not allow. */
export function refusalOf({ record, bytesLost }: ImportSession): AppError {
  // The reason stays the same for the client that meets it a second time: this file is over, a new import is needed.
  return bytesLost ? mismatch() : conflict(`the import session is ${record.status}`);
}
