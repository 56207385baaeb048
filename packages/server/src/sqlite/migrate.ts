import type { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { stopPoint } from '../platform/stop-point.ts';
import { type OpenOptions, openDatabase } from './open.ts';
import { isUnused, openUnused } from './open-unused.ts';
import { DatabaseRefused } from './refused.ts';
import { codeOf } from './worker/errors.ts';

export interface Migration {
  /** Four digits and a description; never changes once released. */
  readonly name: string;
  readonly sql: string;
}

/** `PRAGMA application_id` of our files ("MgrU"), so that another program's database is never taken for ours. */
const APPLICATION_ID = 0x4d677255;

const STEPS_TABLE = `
CREATE TABLE schema_migrations (
  position INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  applied_at_ms INTEGER NOT NULL
)`;

/**
 * Opens the database and migrates its schema. A file that is not ours, is damaged or was written by a newer version is refused
 * before anything is written to it.
 */
export function openMigrated(
  path: string,
  options: OpenOptions & { readonly now: () => number; readonly migrations: readonly Migration[] },
): Database {
  const { migrations } = options;
  const inspected = openInspected(path, migrations);
  let db: Database;
  try {
    db = openDatabase(path, options);
  } finally {
    inspected?.close();
  }
  try {
    migrate(db, migrations, options.now);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/**
 * Opens a database for reading only, also beside a running manager. One of an earlier version is refused, because migrating its
 * schema would write to it.
 */
export function openCurrent(
  path: string,
  options: OpenOptions & { readonly migrations: readonly Migration[] },
): Database {
  const { migrations } = options;
  inspectDatabase(path, migrations);
  const db = openDatabase(path, { ...options, readonly: true });
  const executed = requireKnown(db, migrations);
  if (executed === migrations.length) return db;
  db.close();
  throw new DatabaseRefused(
    'the database was written by an earlier version; nothing was read. Start this version once, which upgrades it',
  );
}

/** Reads the schema state without writing; throws `DatabaseRefused` when this version must not open the file. */
export function inspectDatabase(path: string, migrations: readonly Migration[]): void {
  openInspected(path, migrations)?.close();
}

/**
 * The read-only connection that inspected the file, kept open until the writing one exists: so the log of a killed process is
 * read only once. null when there is no file, or no log.
 */
function openInspected(path: string, migrations: readonly Migration[]): Database | null {
  // A stat does not open the file, so it cannot drop locks of this process.
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return null;
  try {
    const unused = isUnused(path);
    const db = unused ? openUnused(path) : openDatabase(path, { readonly: true });
    try {
      requireKnown(db, migrations);
      // It has no log that would be read again.
      if (unused) db.close();
      return unused ? null : db;
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    throw readableError(error);
  }
}

/** Runs the missing steps, those of a new file in one transaction, others in one each; returns their names. */
export function migrate(db: Database, migrations: readonly Migration[], now: () => number): string[] {
  const applied: string[] = [];
  for (;;) {
    const steps = db
      .transaction(() => {
        const executed = requireKnown(db, migrations);
        const due = migrations.slice(executed, executed === 0 ? undefined : executed + 1);
        for (const [index, step] of due.entries()) {
          apply(db, step, executed + index, now());
          stopPoint('schema_step_applied');
        }
        return due;
      })
      .immediate();
    stopPoint('schema_step_committed');
    if (steps.length === 0) return applied;
    applied.push(...steps.map(({ name }) => name));
  }
}

function apply(db: Database, step: Migration, position: number, nowMs: number): void {
  if (position === 0) {
    db.run(STEPS_TABLE);
    db.run(`PRAGMA application_id = ${APPLICATION_ID}`);
  }
  db.run(step.sql);
  db.query('INSERT INTO schema_migrations (position, name, applied_at_ms) VALUES (?, ?, ?)').run(
    position + 1,
    step.name,
    nowMs,
  );
  db.run(`PRAGMA user_version = ${position + 1}`);
}

/** The number of executed known steps. */
function requireKnown(db: Database, migrations: readonly Migration[]): number {
  const version = numberOf(db, 'user_version');
  const application = numberOf(db, 'application_id');
  const tables = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  if (tables.length === 0 && version === 0 && application === 0) return 0;
  if (application !== APPLICATION_ID || !tables.some((table) => table.name === 'schema_migrations')) {
    throw new DatabaseRefused(
      'this file is the database of another program; nothing was changed. Choose another path for the database',
    );
  }
  const executed = db
    .query<{ name: string }, []>('SELECT name FROM schema_migrations ORDER BY position')
    .all()
    .map((row) => row.name);
  if (version > migrations.length || executed.length > migrations.length) {
    throw new DatabaseRefused(
      `the database was written by a newer version (schema ${Math.max(version, executed.length)}, this version knows ` +
        `${migrations.length}); nothing was changed. Start the newer version, or restore the backup made before the upgrade`,
    );
  }
  if (version !== executed.length || executed.some((name, index) => migrations[index]?.name !== name)) {
    throw new DatabaseRefused(
      'the database has schema steps that this version does not know; nothing was changed. ' +
        'Start the version that wrote it, or restore a backup',
    );
  }
  requireTables(tables, migrations.slice(0, executed.length));
  return executed.length;
}

/** Tables of executed steps must exist: a file without them was damaged or edited manually. */
function requireTables(tables: readonly { readonly name: string }[], executed: readonly Migration[]): void {
  const present = new Set(tables.map((table) => table.name));
  const expected = new Set<string>();
  for (const { sql } of executed) {
    for (const [, verb, name] of sql.matchAll(/\b(CREATE|DROP) TABLE (?:IF (?:NOT )?EXISTS )?(\w+)/g)) {
      if (name === undefined) continue;
      if (verb === 'CREATE') expected.add(name);
      else expected.delete(name);
    }
  }
  const missing = [...expected].filter((name) => !present.has(name));
  if (missing.length > 0) {
    throw new DatabaseRefused(
      `the database lacks the table ${missing.join(', ')}; nothing was changed. Restore a backup`,
    );
  }
}

function numberOf(db: Database, pragma: string): number {
  return db.query<Record<string, number>, []>(`PRAGMA ${pragma}`).get()?.[pragma] ?? 0;
}

function readableError(error: unknown): unknown {
  switch (codeOf(error)) {
    case 'SQLITE_NOTADB':
      return new DatabaseRefused('this file is not a SQLite database; nothing was changed', { cause: error });
    case 'SQLITE_CORRUPT':
      return new DatabaseRefused('the database is damaged; nothing was changed. Restore a backup', { cause: error });
    default:
      return error;
  }
}
