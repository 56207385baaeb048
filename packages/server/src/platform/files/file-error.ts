import { errorCode } from './held-files.ts';

/** A path of a mistaken variable can be a whole file. */
const SHOWN_CHARACTERS = 200;

const MEANINGS: Readonly<Record<string, string>> = {
  EBUSY: 'in use',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'exists already',
  EIO: 'the disk failed',
  EISDIR: 'is a directory',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the path is too long',
  ENOENT: 'no such file or directory',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a directory',
};

/** @example fileErrorMeaning(error) // 'no such file or directory, ENOENT' */
export function fileErrorMeaning(error: unknown): string {
  const code = errorCode(error) || 'unknown error';
  const meaning = MEANINGS[code];
  return meaning === undefined ? code : `${meaning}, ${code}`;
}

/**
 * An error of the file system with its path; null for others.
 *
 * @example fileErrorText(error) // '/proc/x: no such file or directory, ENOENT'
 */
export function fileErrorText(error: unknown): string | null {
  if (!(error instanceof Error) || MEANINGS[errorCode(error)] === undefined) return null;
  if (!('path' in error) || typeof error.path !== 'string' || error.path.includes('://')) return null;
  const path = error.path.length > SHOWN_CHARACTERS ? `${error.path.slice(0, SHOWN_CHARACTERS)}…` : error.path;
  return `${path}: ${fileErrorMeaning(error)}`;
}
