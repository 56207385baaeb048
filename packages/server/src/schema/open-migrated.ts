import type { Database } from 'bun:sqlite';
import * as sqlite from '../sqlite/migrate.ts';
import type { OpenOptions } from '../sqlite/open.ts';
import { MIGRATIONS } from './migrations.ts';

/** See `openMigrated` of `sqlite/migrate.ts`, with the schema of this version. */
export function openMigrated(path: string, options: OpenOptions & { readonly now: () => number }): Database {
  return sqlite.openMigrated(path, { ...options, migrations: MIGRATIONS });
}

/** See `openCurrent` of `sqlite/migrate.ts`, with the schema of this version. */
export function openCurrent(path: string, options: OpenOptions): Database {
  return sqlite.openCurrent(path, { ...options, migrations: MIGRATIONS });
}

/** See `inspectDatabase` of `sqlite/migrate.ts`, with the schema of this version. */
export function inspectDatabase(path: string): void {
  sqlite.inspectDatabase(path, MIGRATIONS);
}
