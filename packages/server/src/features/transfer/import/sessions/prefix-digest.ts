import type { FileHandle } from 'node:fs/promises';

/** Hashed per turn of the event loop: about 0.2 ms. */
const STEP_BYTES = 256 * 1024;

/**
 * The running SHA-256 of a file's first bytes, read in steps so that nothing else waits. Null when the file is shorter.
 *
 * @throws the reason of the signal
 */
export async function hashPrefix(
  handle: FileHandle,
  bytes: number,
  signal: AbortSignal,
): Promise<Bun.CryptoHasher | null> {
  const hasher = new Bun.CryptoHasher('sha256');
  const buffer = new Uint8Array(Math.min(STEP_BYTES, bytes));
  for (let at = 0; at < bytes; ) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, bytes - at), at);
    if (bytesRead === 0) return null;
    hasher.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hasher;
}

/** Hashes bytes that are in memory, in steps of the same size. */
export async function hashMore(hasher: Bun.CryptoHasher, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    if (at > 0) await Bun.sleep(0);
    hasher.update(bytes.subarray(at, at + STEP_BYTES));
  }
}

/** The digest so far; the hasher can continue. */
export function digestOf(hasher: Bun.CryptoHasher): string {
  return hasher.copy().digest('hex');
}
