import { Database } from 'bun:sqlite';
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  type Stats,
  statSync,
  truncateSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { accessDetail, accessProblem } from '../files/access-problem.ts';

/** The lock was refused. The message is for the operator and contains the path. */
export class LockError extends Error {
  override readonly name = 'LockError';
  /** `held` = another process has it; all others are files that must not be used. */
  readonly reason: 'held' | 'unusable';
  constructor(reason: 'held' | 'unusable', message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Keep the object referenced while the lock must hold: its connection ends when it is garbage-collected. */
export interface ProcessLock {
  /** Use this path for every open of the database. */
  readonly canonicalPath: string;
  readonly lockPath: string;
  /** Only after the database is closed. */
  release(): void;
}

/**
 * Takes the exclusive lock of a database for this process, without waiting. The operating system releases it when the process
 * ends in any way. The runtime has no file-lock call, so the lock is an exclusive transaction of SQLite on the lock file; never
 * open that file any other way in the same process, because closing it would release the lock.
 */
export function acquireLock(databasePath: string): ProcessLock {
  const canonicalPath = canonicalDatabasePath(databasePath);
  const lockPath = `${canonicalPath}.manager.lock`;
  prepareLockFile(lockPath);
  const connection = lockFile(lockPath);
  const lock: ProcessLock = { canonicalPath, lockPath, release: () => connection.close() };
  try {
    requireSingleLink(canonicalPath);
  } catch (error) {
    lock.release();
    throw error;
  }
  return lock;
}

/**
 * Refuses a database with several hard links: its write-ahead log belongs to one name only. Repeat it after the database was
 * created. Does not open the file.
 */
export function requireSingleLink(canonicalPath: string): void {
  const status = statSync(canonicalPath, { throwIfNoEntry: false });
  if (status === undefined || status.nlink <= 1) return;
  throw new LockError(
    'unusable',
    `${canonicalPath} has ${status.nlink} hard links; keep one canonical path to the database and remove the others`,
  );
}

function canonicalDatabasePath(databasePath: string): string {
  if (databasePath.trim() === '') throw new LockError('unusable', 'the database path is empty');
  const absolute = resolve(databasePath);
  const directory = dirname(absolute);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(realpathSync.native(directory), basename(absolute));
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status === undefined) return path;
    const target = status.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : status;
    if (target === undefined)
      throw new LockError('unusable', `${path} is a symbolic link to a file that does not exist`);
    if (!target.isFile()) throw new LockError('unusable', `${path} is not a regular file`);
    // Also returns the spelling on disk when the file system ignores case.
    return realpathSync.native(path);
  } catch (error) {
    if (error instanceof LockError) throw error;
    throw new LockError('unusable', `cannot use ${absolute} as the database${accessDetail(absolute, 'write', error)}`);
  }
}

function prepareLockFile(lockPath: string): void {
  try {
    // Exclusive creation never opens an existing file, so a lock of this process is kept.
    closeSync(openSync(lockPath, 'wx', 0o600));
    if (process.platform !== 'win32') chmodSync(lockPath, 0o600);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      throw new LockError(
        'unusable',
        `cannot create the lock file ${lockPath}${accessDetail(lockPath, 'write', error)}`,
      );
    }
  }
  requirePlainFile(lockPath, lstatSync(lockPath));
  // SQLite opens a file that it may only read without an error, and then locks nothing.
  const problem = accessProblem(lockPath, 'write');
  if (problem !== null) throw new LockError('unusable', `cannot use the lock file: ${problem}`);
}

function requirePlainFile(lockPath: string, status: Stats): void {
  if (!status.isFile()) throw new LockError('unusable', `the lock file ${lockPath} is not a regular file`);
  if (status.nlink > 1) throw new LockError('unusable', `the lock file ${lockPath} has several hard links`);
}

function lockFile(lockPath: string): Database {
  try {
    return beginExclusive(lockPath);
  } catch (error) {
    // Foreign content is ignored, but SQLite must be able to read the file as its own.
    if (codeOf(error) !== 'SQLITE_NOTADB') throw lockFailure(lockPath, error);
  }
  try {
    truncateSync(lockPath, 0);
    return beginExclusive(lockPath);
  } catch (error) {
    throw lockFailure(lockPath, error);
  }
}

function beginExclusive(lockPath: string): Database {
  const connection = new Database(lockPath, { readwrite: true });
  try {
    connection.run('PRAGMA busy_timeout = 0');
    connection.run('PRAGMA journal_mode = MEMORY');
    connection.run('BEGIN EXCLUSIVE');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function lockFailure(lockPath: string, error: unknown): LockError {
  if (codeOf(error).startsWith('SQLITE_BUSY')) {
    return new LockError(
      'held',
      `another manager is running on this database: already held for ${lockPath}; stop it first`,
    );
  }
  return new LockError('unusable', `cannot lock ${lockPath} (${codeOf(error)}); use a file system with working locks`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
