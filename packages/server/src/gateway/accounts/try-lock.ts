import { AppError } from '@manager/core/contract/errors';
import type { AuthFileCoordinator } from './coordinator.ts';

/** A change by hand may go on for minutes; what runs by itself comes again instead of waiting that long. */
const LOCK_WAIT_MS = 10_000;

/**
 * Does the work under the lock of files, unless that stays taken.
 *
 * @returns 'lock_refused' when it was not free within 10 s, or the signal was aborted before
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
    if (!begun && error instanceof AppError && error.status === 408) return 'lock_refused';
    throw error;
  }
}
