import { AppError } from '@manager/core/contract/errors';
import type { AuthFileCoordinator } from './coordinator.ts';

/** A manual change may take minutes; automation comes again instead of waiting that long. */
const LOCK_WAIT_MS = 10_000;

/**
 * Runs the work under the lock of files.
 *
 * @returns 'lock_refused' when it was not free within 10 s, or the signal was already aborted
 */
export async function tryLock<T>(
  lock: AuthFileCoordinator,
  fileNames: readonly string[],
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T | 'lock_refused'> {
  let begun = false;
  try {
    return await lock.withFiles(fileNames, AbortSignal.any([signal, AbortSignal.timeout(LOCK_WAIT_MS)]), () => {
      begun = true;
      return work();
    });
  } catch (error) {
    if (!begun && error instanceof AppError && error.code === 'auth_file_wait_ended') return 'lock_refused';
    throw error;
  }
}
