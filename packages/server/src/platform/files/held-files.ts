/** A virus scanner on Windows may lock a file that was just written. */
const HELD = new Set(['EACCES', 'EBUSY', 'EPERM']);
const RETRY_FOR_MS = 2_000;
const RETRY_AFTER_MS = 50;

/**
 * Retries renames and removals that fail because another program has the file open, for up to two seconds, only on Windows.
 */
export async function retryHeld<T>(action: () => Promise<T>, platform: string = process.platform): Promise<T> {
  const deadline = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (platform !== 'win32' || !HELD.has(errorCode(error)) || performance.now() > deadline) throw error;
      await Bun.sleep(RETRY_AFTER_MS);
    }
  }
}

/** The code of an error of the file system, '' for any other. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
