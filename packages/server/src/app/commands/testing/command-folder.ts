import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../../platform/config/values.ts';
import { openMigrated } from '../../../schema/open-migrated.ts';
import { openDatabase } from '../../../sqlite/open.ts';
import { readSetting, writeSettings } from '../../../sqlite/settings.ts';
import { runInProcess } from './command-runner.ts';

export const NOW = 1_770_000_000_000;

/** Makes a new folder for every test, in which commands run; the database is in `data/`. */
export function commandFolder() {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'commands-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const inside = (...parts: string[]) => join(directory, ...parts);
  const database = () => inside('data', 'usage.sqlite');

  function withDatabase<T>(work: (db: Database) => T): T {
    const db = openDatabase(database());
    try {
      return work(db);
    } finally {
      db.close();
    }
  }

  return {
    inside,
    database,
    withDatabase,
    names: () => readdirSync(directory).sort(),
    file(name: string, content: string): string {
      writeFileSync(inside(name), content);
      return inside(name);
    },
    run: (line: string, env: Environment = {}, signal = new AbortController().signal) =>
      runInProcess(line.split(' '), { directory, env, signal, now: () => NOW }),
    makeDatabase(): void {
      mkdirSync(inside('data'), { recursive: true });
      openMigrated(database(), { now: () => NOW }).close();
    },
    put: (key: string, value: unknown) =>
      withDatabase((db) => writeSettings(db, [{ key, value: JSON.stringify(value), updatedAtMs: 1 }])),
    row: (key: string) => withDatabase((db) => JSON.parse(readSetting(db, key)?.value ?? 'null')),
    rows: () => withDatabase((db) => JSON.stringify(db.query('SELECT * FROM settings ORDER BY key').all())),
  };
}
