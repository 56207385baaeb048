import type { Database } from 'bun:sqlite';
import { realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { hasPendingRestore, SETTLED_RESTORE, settlePendingRestore } from '../../platform/files/pending-restore.ts';
import { acquireLock, LockError, type ProcessLock, requireSingleLink } from '../../platform/lock/lock.ts';
import { inspectDatabase, openMigrated } from '../../schema/open-migrated.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { type CommandContext, CommandError } from './command.ts';
import type { Flag, ParsedFlags } from './flags.ts';

export const DB_PATH_FLAG: Flag = { name: 'db-path', value: 'P', help: 'database; default: the configured one' };

const REQUIRED_TABLES = ['settings', 'usage_events'] as const;

/** `--db-path`, else the configured path. */
export function databasePath(context: CommandContext, flags: ParsedFlags): string {
  const given = (flags.text('db-path') ?? '').trim();
  return given === '' ? context.config().databasePath : resolve(context.cwd, given);
}

/** The path behind links; of a missing file as it is. */
export function canonicalPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * Opens the database of a stopped manager for `use`, under the process lock, which is always released. A file that is
 * missing, empty or not ours is refused before anything is written.
 */
export async function withOfflineDatabase<T>(
  context: CommandContext,
  flags: ParsedFlags,
  work: (db: Database) => Promise<T> | T,
): Promise<T> {
  const path = databasePath(context, flags);
  requireExistingDatabase(path);
  return withLock(context, path, async (lock) => {
    inspectDatabase(lock.canonicalPath);
    requireTables(lock.canonicalPath);
    // Sorting for an index may need as much space as the database.
    return use(openDatabase(lock.canonicalPath, { tempDirectory: dirname(lock.canonicalPath) }), work);
  });
}

/** Also migrates the schema: for work that needs every table of this version. */
export async function withMigratedDatabase<T>(
  context: CommandContext,
  flags: ParsedFlags,
  work: (db: Database) => Promise<T> | T,
): Promise<T> {
  requireExistingDatabase(databasePath(context, flags));
  return withCreatedDatabase(context, flags, work);
}

/** Also creates a missing database and migrates the schema. */
export async function withCreatedDatabase<T>(
  context: CommandContext,
  flags: ParsedFlags,
  work: (db: Database) => Promise<T> | T,
): Promise<T> {
  return withLock(context, databasePath(context, flags), async (lock) => {
    const db = openMigrated(lock.canonicalPath, { now: context.now });
    requireSingleLink(lock.canonicalPath);
    return use(db, work);
  });
}

/** Holds the process lock while `work` runs. */
export async function withLock<T>(
  context: Pick<CommandContext, 'stderr'>,
  path: string,
  work: (lock: ProcessLock) => Promise<T> | T,
): Promise<T> {
  const lock = takeLock(path);
  try {
    const settled = settlePendingRestore(lock.canonicalPath);
    if (settled !== 'none') context.stderr(SETTLED_RESTORE[settled]);
    return await work(lock);
  } finally {
    lock.release();
  }
}

/** Does not open the file, so it may be called before the lock is held. */
export function requireExistingDatabase(path: string): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined && hasPendingRestore(path)) return;
  if (status === undefined) throw new CommandError(`no database at ${path}; check the path`);
  if (!status.isFile()) throw new CommandError(`${path} is not a regular file`);
  if (status.size === 0) throw new CommandError(`the database ${path} is empty; start the manager once`);
}

function takeLock(path: string): ProcessLock {
  try {
    return acquireLock(path);
  } catch (error) {
    if (error instanceof LockError && error.reason === 'held') {
      throw new CommandError(`${error.message} and try again; nothing was changed`);
    }
    throw error;
  }
}

function requireTables(path: string): void {
  const db = openDatabase(path, { readonly: true });
  try {
    const found = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const names = new Set(found.map((table) => table.name));
    if (REQUIRED_TABLES.every((name) => names.has(name))) return;
  } finally {
    db.close();
  }
  throw new CommandError('not a database of the manager; nothing was changed');
}

async function use<T>(db: Database, work: (db: Database) => Promise<T> | T): Promise<T> {
  try {
    return await work(db);
  } finally {
    db.close();
  }
}
