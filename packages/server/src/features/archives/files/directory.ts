import { openPrivateDirectory, type PrivateDirectory } from '../../../platform/files/private-directory.ts';
import { ARCHIVE_TEMPORARY } from './temporary.ts';

/** The directory of all archives, created if it is missing; each run has its own directory in it. */
export function openArchivesDirectory(base: string, name: string): Promise<PrivateDirectory> {
  return openPrivateDirectory(base, name, { temporary: ARCHIVE_TEMPORARY });
}
