import { createCipheriv, createDecipheriv } from 'node:crypto';
import { AppError } from '@manager/core/contract/errors';

export interface Cursor {
  readonly beforeMs: number;
  readonly beforeId: number;
}

const CIPHER = 'aes-256-ecb';
const BLOCK_BYTES = 16;

/**
 * A place in the list as one encrypted block: the id of an event counts the requests of everybody, which is nothing a
 * viewer may see. Equal places have equal texts, so that equal answers have equal entity tags.
 *
 * @param key 32 random bytes
 */
export function sealCursor({ beforeMs, beforeId }: Cursor, key: Uint8Array): string {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.writeBigInt64BE(BigInt(beforeMs), 0);
  block.writeBigInt64BE(BigInt(beforeId), 8);
  const cipher = createCipheriv(CIPHER, key, null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url');
}

/** @throws AppError 400 for a text of another key, and almost always for an invented one: what is left is a place like any other. */
export function openCursor(text: string, key: Uint8Array): Cursor {
  const sealed = Buffer.from(text, 'base64url');
  if (sealed.length !== BLOCK_BYTES) throw invalid();
  const cipher = createDecipheriv(CIPHER, key, null).setAutoPadding(false);
  const block = Buffer.concat([cipher.update(sealed), cipher.final()]);
  const [beforeMs, beforeId] = [Number(block.readBigInt64BE(0)), Number(block.readBigInt64BE(8))];
  if (!Number.isSafeInteger(beforeMs) || !Number.isSafeInteger(beforeId) || beforeId <= 0) throw invalid();
  return { beforeMs, beforeId };
}

function invalid(): AppError {
  return new AppError('invalid_request', {
    message: 'include.requests.cursor: not valid any more; load the list again',
  });
}
