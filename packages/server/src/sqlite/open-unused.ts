import { constants, Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { openDatabase } from './open.ts';
import { requireAccess } from './require-access.ts';

/**
 * Whether nobody has the database open, judged by its side files: then it can be read as a plain file. An ordinary reader would
 * leave an empty log and its index.
 */
export function isUnused(path: string): boolean {
  return !existsSync(`${path}-wal`) && !existsSync(`${path}-journal`);
}

/** Reads a database that nobody has open or opens meanwhile, without locks and side files. */
export function openUnused(path: string): Database {
  requireAccess(path, 'read');
  return new Database(`${fileUri(path)}?immutable=1`, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
}

/** For reading only, and without leaving side files where there are none. */
export function openForReading(path: string): Database {
  return isUnused(path) ? openUnused(path) : openDatabase(path, { readonly: true });
}

function fileUri(path: string): string {
  const slashed = process.platform === 'win32' ? `/${path.replaceAll('\\', '/')}` : path;
  // The colon of a drive letter must stay.
  return `file:${slashed.split('/').map(encodeURIComponent).join('/').replaceAll('%3A', ':')}`;
}
