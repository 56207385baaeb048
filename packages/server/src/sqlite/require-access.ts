import { type Access, accessProblem } from '../platform/files/access-problem.ts';
import { DatabaseRefused } from './refused.ts';

/**
 * Before SQLite, which opens a file that it may only read without an error, and names neither path nor owner.
 *
 * @throws DatabaseRefused
 */
export function requireAccess(path: string, access: Access): void {
  // Missing side files are created in the directory of the database.
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const problem = accessProblem(file, access);
    if (problem !== null) throw new DatabaseRefused(`cannot open the database: ${problem}`);
  }
}
