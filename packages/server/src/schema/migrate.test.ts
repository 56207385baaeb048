import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { FACT_COLUMNS } from '../facts/columns.ts';
import { createTestFolder, type TestFolder } from '../platform/testing/test-folder.ts';
import type { Migration } from '../sqlite/migrate.ts';
import { inspectDatabase, migrate, openMigrated } from '../sqlite/migrate.ts';
import { openDatabase } from '../sqlite/open.ts';
import { DatabaseRefused } from '../sqlite/refused.ts';
import { MIGRATIONS } from './migrations.ts';

const now = () => 1_788_250_000_000;
const first: Migration = { name: '0001-first', sql: 'CREATE TABLE one (id INTEGER PRIMARY KEY);' };
const second: Migration = { name: '0002-second', sql: 'CREATE TABLE two (id INTEGER PRIMARY KEY);' };

let folder: TestFolder;
let path: string;

beforeEach(() => {
  folder = createTestFolder();
  path = folder.path('usage.sqlite');
});
afterEach(() => folder.dispose());

/** Checks that opening is refused with the text and that no byte of the file changed. */
function expectRefused(migrations: readonly Migration[], text: RegExp): void {
  const before = readFileSync(path);
  let refusal: unknown;
  try {
    openMigrated(path, { now, migrations }).close();
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(DatabaseRefused);
  expect(String(refusal)).toMatch(text);
  expect(readFileSync(path).equals(before)).toBe(true);
}

describe('schema steps', () => {
  test('run once and in order, and are recorded', () => {
    const db = openMigrated(path, { now, migrations: [first] });
    expect(migrate(db, [first, second], now)).toEqual(['0002-second']);
    expect(migrate(db, [first, second], now)).toEqual([]);
    expect(db.query('SELECT position, name, applied_at_ms FROM schema_migrations ORDER BY position').all()).toEqual([
      { position: 1, name: '0001-first', applied_at_ms: now() },
      { position: 2, name: '0002-second', applied_at_ms: now() },
    ]);
    expect(db.query('PRAGMA user_version').get()).toEqual({ user_version: 2 });
    db.close();
  });

  test('that fail leave no changes', () => {
    const broken: Migration = { name: '0002-broken', sql: 'CREATE TABLE half (id); CREATE TABLE half (id);' };
    const db = openMigrated(path, { now, migrations: [first] });
    expect(() => migrate(db, [first, broken], now)).toThrow();
    expect(db.query("SELECT name FROM sqlite_schema WHERE name = 'half'").all()).toEqual([]);
    expect(db.query('PRAGMA user_version').get()).toEqual({ user_version: 1 });
    db.close();
  });

  test('of this version build a database with every table', () => {
    const db = openMigrated(path, { now, migrations: MIGRATIONS });
    expect(db.query("SELECT count(*) AS tables FROM sqlite_schema WHERE name = 'usage_events'").get()).toEqual({
      tables: 1,
    });
    db.close();
    expect(() => inspectDatabase(path, MIGRATIONS)).not.toThrow();
  });
});

describe('a database is refused without a change', () => {
  test('when a newer version wrote it', () => {
    openMigrated(path, { now, migrations: [first, second] }).close();
    expectRefused([first], /newer version.*schema 2, this version knows 1/);
  });

  test('when its steps are not the ones this version knows', () => {
    openMigrated(path, { now, migrations: [{ ...first, name: '0001-other' }] }).close();
    expectRefused([first, second], /schema steps that this version does not know/);
  });

  test('when it belongs to another program', () => {
    const foreign = new Database(path, { create: true });
    foreign.run('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)');
    foreign.close();
    expectRefused(MIGRATIONS, /another program/);
  });

  test('when another program uses the same table name for its steps', () => {
    const foreign = new Database(path, { create: true });
    foreign.run('CREATE TABLE schema_migrations (version TEXT)');
    foreign.close();
    expectRefused(MIGRATIONS, /another program/);
  });

  test('when it is not a database', () => {
    writeFileSync(path, 'this is a text file that is longer than the header of a database would be'.repeat(20));
    expectRefused(MIGRATIONS, /not a SQLite database/);
  });

  test('when its end is missing', () => {
    const db = openMigrated(path, { now, migrations: MIGRATIONS });
    db.run(
      'CREATE TABLE filler AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i FROM n',
    );
    db.close();
    truncateSync(path, 8192);
    expectRefused(MIGRATIONS, /damaged/);
  });

  test('when a table of an executed step is gone', () => {
    const db = openMigrated(path, { now, migrations: [first] });
    db.run('DROP TABLE one');
    db.run('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    expectRefused([first], /lacks the table one/);
  });
});

test('an empty file is a new database', () => {
  writeFileSync(path, '');
  openMigrated(path, { now, migrations: [first] }).close();
  const db = openDatabase(path, { readonly: true });
  expect(db.query('SELECT name FROM schema_migrations').all()).toEqual([{ name: '0001-first' }]);
  db.close();
});

test('facts_tail has the columns of the catalogue, in its order', () => {
  const db = openMigrated(path, { now, migrations: MIGRATIONS });
  const names = db.query<{ name: string }, []>("SELECT name FROM pragma_table_info('facts_tail')").all();
  db.close();
  expect(names.map(({ name }) => name)).toEqual(['event_id', ...Object.keys(FACT_COLUMNS)]);
});
