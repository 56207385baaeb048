import { openPrivateDirectory, type PrivateDirectory } from '../../../platform/files/private-directory.ts';
import { ARCHIVE_TEMPORARY } from './temporary.ts';

/** The directory of all archives, created where it is missing; below it each run has its own. */
export function openArchivesDirectory(base: string, name: string): Promise<PrivateDirectory> {
  return openPrivateDirectory(base, name, { temporary: ARCHIVE_TEMPORARY });
}
