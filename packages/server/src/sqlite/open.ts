import { constants, Database } from 'bun:sqlite';
import { closeSync, openSync, statSync } from 'node:fs';
import { DatabaseRefused } from './refused.ts';
import { requireAccess } from './require-access.ts';

export interface OpenOptions {
  readonly readonly?: boolean;
  /** A missing file is an error: a worker must not put an empty database in the place of one that was moved away. */
  readonly mustExist?: boolean;
  /**
   * Directory of SQLite's temporary files. The setting is one variable of the whole process, so only the first connection sets
   * it, before any worker runs.
   */
  readonly tempDirectory?: string;
  /** Default 5,000; the offline commands use 0. */
  readonly busyTimeoutMs?: number;
  readonly cacheBytes?: number | undefined;
  /** Blocks every other connection while this one is open; refused with `SQLITE_BUSY` while there is another one. */
  readonly exclusive?: boolean;
}

export const JOURNAL_SIZE_LIMIT_BYTES = 268_435_456;
/** Set when the file is created. Small, because each random key of the identity ledger writes one page. */
const PAGE_BYTES = 4096;
const DEFAULT_CACHE_BYTES = 8 * 1024 * 1024;
/**
 * The oldest SQLite with all features of our statements (`RETURNING` inside upserts, `unixepoch`, 64-bit `VACUUM INTO`).
 */
const OLDEST_SQLITE = [3, 38, 0] as const;

/** Opens the manager's database with all settings that durability depends on. Creates a missing file. */
export function openDatabase(path: string, options: OpenOptions = {}): Database {
  const readonly = options.readonly ?? false;
  requireAccess(path, readonly ? 'read' : 'write');
  if (!readonly && options.mustExist !== true) createPrivateFile(path);
  const isNew = !readonly && statSync(path, { throwIfNoEntry: false })?.size === 0;
  const flags = readonly ? constants.SQLITE_OPEN_READONLY : constants.SQLITE_OPEN_READWRITE;
  const db = new Database(path, { strict: true, ...openMode(flags) });
  try {
    // First: after a crash another connection may be reading the log, and then even the first statement has to wait.
    db.run(`PRAGMA busy_timeout = ${options.busyTimeoutMs ?? 5_000}`);
    requireEngine(db);
    applySettings(db, options, { readonly, isNew });
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

function openMode(flags: number): { readonly readonly: true } | { readonly readwrite: true } {
  return flags === constants.SQLITE_OPEN_READONLY ? { readonly: true } : { readwrite: true };
}

/**
 * SQLite gives the side files the mode of the database, so the mode must be right before it opens it. An existing file is not
 * opened: opening and closing it here would drop the locks of this process on it.
 */
function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function requireEngine(db: Database): void {
  const version = textOf(db, 'SELECT sqlite_version() AS value');
  const parts = version.split('.').map(Number);
  for (const [index, least] of OLDEST_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) break;
    if (part < least) throw refusedEngine(version, `at least ${OLDEST_SQLITE.join('.')} is required`);
  }
  const options = db.query<{ compile_options: string }, []>('PRAGMA compile_options').all();
  for (const { compile_options: option } of options) {
    if (option === 'THREADSAFE=0' || option === 'OMIT_WAL' || option === 'OMIT_FOREIGN_KEY') {
      throw refusedEngine(version, `it was built with ${option}`);
    }
  }
}

function refusedEngine(version: string, reason: string): DatabaseRefused {
  return new DatabaseRefused(`SQLite ${version} of this system cannot be used: ${reason}`);
}

function applySettings(
  db: Database,
  options: OpenOptions,
  { readonly, isNew }: { readonly readonly: boolean; readonly isNew: boolean },
): void {
  const cacheKib = Math.floor((options.cacheBytes ?? DEFAULT_CACHE_BYTES) / 1024);
  if (options.tempDirectory !== undefined) {
    db.run(`PRAGMA temp_store_directory = '${options.tempDirectory.replaceAll("'", "''")}'`);
  }
  // Before the first access, which decides about it.
  if (options.exclusive === true) db.run('PRAGMA locking_mode = EXCLUSIVE');
  db.run('PRAGMA temp_store = FILE');
  db.run(`PRAGMA cache_size = -${cacheKib}`);
  db.run('PRAGMA foreign_keys = ON');
  if (readonly) return;
  db.run(`PRAGMA page_size = ${PAGE_BYTES}`);
  // It writes to a file that has it already, so only a new one is asked for it.
  if (isNew) db.run('PRAGMA auto_vacuum = INCREMENTAL');
  const mode = textOf(db, 'PRAGMA journal_mode = WAL', 'journal_mode');
  if (mode !== 'wal') {
    throw new DatabaseRefused(
      'the file system of the database does not support the write-ahead log; use a local disk for the data directory',
    );
  }
  db.run('PRAGMA synchronous = FULL');
  db.run(`PRAGMA journal_size_limit = ${JOURNAL_SIZE_LIMIT_BYTES}`);
}

function textOf(db: Database, sql: string, column = 'value'): string {
  return db.query<Record<string, string>, []>(sql).get()?.[column] ?? '';
}
