import { Database } from 'bun:sqlite';
import {
  accessSync,
  closeSync,
  copyFileSync,
  existsSync,
  constants as fsConstants,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { openUnused } from '../../../sqlite/open-unused.ts';
import { codeOf } from '../../../sqlite/worker/errors.ts';

/** The source cannot be read, with a message for the operator. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused';
}

/** The source is damaged, with a message for the operator. What was copied before stays. */
export class SourceDamaged extends Error {
  override readonly name = 'SourceDamaged';
}

/** The database of another program, read page by page and never written. */
export interface ForeignSource {
  /**
   * Runs one short read. It may run twice: the other program may lock the database for a moment, or open it for the first time
   * when it seemed unused.
   */
  read<Result>(work: (db: Database) => Result): Promise<Result>;
  /**
   * Looks through every page: a damaged one can look like one with fewer rows. False = the other program wrote to the file each time.
   * @throws SourceDamaged
   */
  check(): Promise<boolean>;
  close(): void;
}

export interface SourceOptions {
  /** For a private copy of the file, if needed. */
  readonly temporaryFolder: string;
  /** Replaced in tests; default: asks the system. */
  readonly isWritable?: (folder: string) => boolean;
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** Number of tries on a locked source; the default is enough for half a minute and more. */
  readonly busyTries?: number;
}

/** Broken pages and lengths are reported in all of these ways, and so is an unknown form of the schema. */
const DAMAGED = /^SQLITE_(?:CORRUPT|NOTADB|IOERR|NOMEM|TOOBIG|FORMAT|ERROR)/;
const BUSY_TIMEOUT_MS = 1_000;
const BUSY_TRIES = 60;
const RETRY_MS = 500;
const COPY_TRIES = 3;
const CHECK_TRIES = 3;
const HEADER_BYTES = 100;
const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

/**
 * How a source is opened without leaving side files.
 * - `shared`: like any other reader, with the existing side files
 * - `unused`: as a file that nobody has open. Opening it like a reader would leave two empty side files
 * - `copy`: a private copy, when a reader could not create the side files or must first repair the database
 */
type Mode = 'shared' | 'unused' | 'copy';

/** Opens the file with the first read. */
export function openSource(path: string, options: SourceOptions): ForeignSource {
  const sleep = options.sleep ?? Bun.sleep;
  const isWritable = options.isWritable ?? canWrite;
  let opened: Opened | null = null;

  function open(): Opened {
    const mode = modeOf(path, isWritable);
    const folder = mode === 'copy' ? copySource(path, options.temporaryFolder) : null;
    try {
      return { mode, folder, db: connect(folder === null ? path : join(folder, COPY_NAME), mode) };
    } catch (error) {
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  function close(): void {
    const { db = null, folder = null } = opened ?? {};
    opened = null;
    db?.close();
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }

  async function read<Result>(work: (db: Database, mode: Mode) => Result): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        opened ??= open();
        const result = work(opened.db, opened.mode);
        if (opened.mode !== 'unused' || !existsSync(`${path}-wal`)) return result;
        // Its owner opened it again, and may write to it from now on.
        close();
      } catch (error) {
        if (!codeOf(error).startsWith('SQLITE_BUSY') || tries >= (options.busyTries ?? BUSY_TRIES))
          throw readable(error);
        await sleep(RETRY_MS);
      }
    }
  }

  return {
    read,
    async check() {
      for (let tries = 0; tries < CHECK_TRIES; tries += 1) {
        const checked = await read((db, mode) => {
          // With a write-ahead log nobody waits for a reader.
          if (mode === 'shared' && !isWriteAheadLogged(path)) return checkUnlocked(path);
          requireSound(db);
          return true;
        });
        if (checked) return true;
      }
      return false;
    },
    close,
  };
}

interface Opened {
  readonly mode: Mode;
  /** Of the private copy. */
  readonly folder: string | null;
  readonly db: Database;
}

function modeOf(path: string, isWritable: (folder: string) => boolean): Mode {
  for (const suffix of SIDE_FILES) requireFile(path + suffix);
  const isLogged = isWriteAheadLogged(path);
  if (!isLogged) return hasJournal(path) ? 'copy' : 'shared';
  if (!existsSync(`${path}-wal`)) return 'unused';
  return isWritable(dirname(path)) ? 'shared' : 'copy';
}

/** A pipe would block whoever opens it. A missing file is none of the others. */
function requireFile(path: string): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isFile() === false) throw new SourceRefused(`${path} is not a regular file`);
}

function hasJournal(path: string): boolean {
  return (statSync(`${path}-journal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** The write format in the header: 2 = write-ahead log. */
function isWriteAheadLogged(path: string): boolean {
  return headerOf(path)[18] === 2;
}

function headerOf(path: string): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES || !startsLikeSqlite(header)) {
      throw new SourceRefused('the source is not a SQLite database');
    }
  } finally {
    closeSync(file);
  }
  return header;
}

function startsLikeSqlite(header: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(header.subarray(0, 16)) === 'SQLite format 3\0';
}

function connect(path: string, mode: Mode): Database {
  const db =
    mode === 'unused'
      ? openUnused(path)
      : new Database(path, mode === 'copy' ? { readwrite: true } : { readonly: true });
  try {
    db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    // Prevents every write.
    db.run('PRAGMA query_only = ON');
    // The file comes from elsewhere: its schema runs nothing, and its pages are checked when they are read.
    db.run('PRAGMA trusted_schema = OFF');
    db.run('PRAGMA cell_size_check = ON');
    db.query('SELECT count(*) FROM sqlite_schema').get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Values that a column should not have are no damage. */
const VALUES = /value in|constraint/;

function requireSound(db: Database): void {
  const findings = db.query<{ quick_check: string }, []>('PRAGMA quick_check').all();
  if (findings.some(({ quick_check }) => quick_check !== 'ok' && !VALUES.test(quick_check)))
    throw new SourceDamaged('the source is damaged');
}

/**
 * Checks a database without write-ahead log as a file, because its owner would wait for a reader with a lock. False = it was written to
 * meanwhile, and what was found says nothing.
 */
function checkUnlocked(path: string): boolean {
  const before = contentOf(path);
  let damage: unknown = null;
  try {
    const db = connect(path, 'unused');
    try {
      requireSound(db);
    } finally {
      db.close();
    }
  } catch (error) {
    damage = error;
  }
  if (hasJournal(path) || contentOf(path) !== before) return false;
  if (damage !== null) throw damage;
  return true;
}

const COPY_NAME = 'source.sqlite';

/** Copies database and side files into a private folder; refused when the database changes meanwhile. */
function copySource(path: string, temporaryFolder: string): string {
  const files = ['', ...SIDE_FILES].filter((suffix) => existsSync(path + suffix));
  const size = files.reduce((sum, suffix) => sum + statSync(path + suffix).size, 0);
  const { bavail, bsize } = statfsSync(temporaryFolder);
  if (bavail * bsize < size) {
    throw new SourceRefused(
      `the source must be copied, because its directory is not writable, but ${size} bytes are not free`,
    );
  }
  const folder = mkdtempSync(join(temporaryFolder, 'import-source-'));
  try {
    for (let tries = 0; tries < COPY_TRIES; tries += 1) {
      const before = stateOf(path);
      for (const suffix of files) copyFileSync(path + suffix, join(folder, COPY_NAME + suffix));
      if (stateOf(path) === before) return folder;
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  rmSync(folder, { recursive: true, force: true });
  throw new SourceRefused('the source changed during the copy; stop the other manager and try again');
}

/** Changes with every commit: the change counter is in the header. */
function contentOf(path: string): string {
  return `${stateOf(path)} ${Buffer.from(headerOf(path)).toString('hex')}`;
}

function stateOf(path: string): string {
  return ['', '-wal']
    .map((suffix) => statSync(path + suffix, { throwIfNoEntry: false }))
    .map((status) => `${status?.ino} ${status?.size} ${status?.mtimeMs}`)
    .join(' ');
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, fsConstants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function readable(error: unknown): unknown {
  const code = codeOf(error);
  if (DAMAGED.test(code)) return new SourceDamaged(`the source is damaged or incomplete (${code})`);
  if (code.startsWith('SQLITE_BUSY'))
    return new SourceRefused('the source is locked by its owner; stop the other manager first');
  if (code.startsWith('SQLITE_CANTOPEN'))
    return new SourceRefused('the source cannot be opened; check the permissions of the file and its directory');
  return error;
}
