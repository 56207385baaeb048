import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createTestFolder, type TestFolder } from '../platform/testing/test-folder.ts';
import {
  buildDeferredIndex,
  type DerivedIndex,
  deferIndexes,
  dropParkedTable,
  maintenanceWork,
} from './deferred-indexes.ts';
import { openMigrated } from './open-migrated.ts';

const WANTED: readonly DerivedIndex[] = [
  { name: 'letters_time', table: 'dead_letters', sql: 'CREATE INDEX letters_time ON dead_letters (created_at_ms)' },
];

let folder: TestFolder;
let db: Database;

beforeEach(() => {
  folder = createTestFolder();
  db = openMigrated(folder.path('usage.sqlite'), { now: () => 1 });
});
afterEach(() => {
  db.close();
  folder.dispose();
});

const addLetter = () => db.run("INSERT INTO dead_letters (payload, error, created_at_ms) VALUES ('x', 'x', 1)");
const work = () => maintenanceWork({ db }, null);
const ownerOf = (index: string) =>
  db.query<{ tbl_name: string }, [string]>('SELECT tbl_name FROM sqlite_schema WHERE name = ?').get(index)?.tbl_name;

test('a new database has every index and no deferred one', () => {
  expect(deferIndexes(db)).toEqual([]);
  expect(work()).toEqual({ deferredIndexes: 0, offlineJobs: 0 });
  expect(ownerOf('usage_derived_deferred_indexes')).toBeUndefined();
});

test('on an empty table an index is built at once, on one with rows it is deferred', () => {
  expect(deferIndexes(db, WANTED)).toEqual([]);
  expect(ownerOf('letters_time')).toBe('dead_letters');
  db.run('DROP INDEX letters_time');
  addLetter();
  expect(deferIndexes(db, WANTED)).toEqual(['letters_time']);
  expect(deferIndexes(db, WANTED)).toEqual(['letters_time']);
  expect(work()).toEqual({ deferredIndexes: 1, offlineJobs: 0 });
  expect(buildDeferredIndex(db, WANTED)).toBe(true);
  expect(buildDeferredIndex(db, WANTED)).toBe(false);
  expect(ownerOf('letters_time')).toBe('dead_letters');
  expect(work()).toEqual({ deferredIndexes: 0, offlineJobs: 0 });
});

test('an outdated note is ignored: the index exists, or its table is gone', () => {
  addLetter();
  deferIndexes(db, WANTED);
  db.run(WANTED[0]?.sql ?? '');
  expect(work().deferredIndexes).toBe(0);
  db.run('DROP INDEX letters_time');
  expect(work().deferredIndexes).toBe(1);
  db.run('DROP TABLE dead_letters');
  expect(work().deferredIndexes).toBe(0);
  expect(buildDeferredIndex(db, WANTED)).toBe(false);
  expect(ownerOf('usage_derived_deferred_indexes')).toBeUndefined();
});

test('a name that a parked table still uses is free only after that table is gone', () => {
  db.run('ALTER TABLE dead_letters RENAME TO parked_dead_letters');
  db.run('CREATE INDEX letters_time ON parked_dead_letters (created_at_ms)');
  db.run('INSERT INTO parked_dead_letters (payload, error, created_at_ms) VALUES (1, 1, 1)');
  db.run('CREATE TABLE dead_letters (id INTEGER PRIMARY KEY, created_at_ms INTEGER)');
  expect(deferIndexes(db, WANTED)).toEqual(['letters_time']);
  expect(work()).toEqual({ deferredIndexes: 1, offlineJobs: 1 });
  expect(buildDeferredIndex(db, WANTED)).toBe(false);
  expect(deferIndexes(db, WANTED)).toEqual(['letters_time']);
  expect(dropParkedTable(db)).toBe(1);
  expect(dropParkedTable(db)).toBeNull();
  expect(buildDeferredIndex(db, WANTED)).toBe(true);
  expect(ownerOf('letters_time')).toBe('dead_letters');
  expect(work()).toEqual({ deferredIndexes: 0, offlineJobs: 0 });
});
