import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createTestFolder, type TestFolder } from '../../../platform/testing/test-folder.ts';
import { type ForeignSource, openSource } from './source.ts';

let folder: TestFolder;
let path: string;
let temporary: string;
const opened: (ForeignSource | Database)[] = [];

beforeEach(() => {
  folder = createTestFolder();
  path = folder.path('source with %41.db');
  temporary = folder.path('temporary');
  mkdirSync(temporary);
});
afterEach(() => {
  for (const item of opened.splice(0)) item.close();
  folder.dispose();
});

function keep<Item extends ForeignSource | Database>(item: Item): Item {
  opened.push(item);
  return item;
}

function owner(journal: 'WAL' | 'DELETE' = 'WAL'): Database {
  const db = keep(new Database(path, { create: true }));
  db.run(`PRAGMA journal_mode = ${journal}`);
  db.run('CREATE TABLE IF NOT EXISTS notes (text TEXT)');
  return db;
}

const add = (db: Database, text: string) => db.run('INSERT INTO notes VALUES (?)', [text]);
const texts = (source: ForeignSource) =>
  source.read((db) =>
    db
      .query<{ text: string }, []>('SELECT text FROM notes')
      .all()
      .map((row) => row.text),
  );
const open = (options: { readonly isWritable?: () => boolean } = {}) =>
  keep(openSource(path, { temporaryFolder: temporary, sleep: async () => undefined, ...options }));
const files = () => readdirSync(folder.path('.')).sort();

test('a file that nobody has open is read without leaving side files', async () => {
  const db = owner();
  add(db, 'one');
  db.close();
  const before = files();
  const source = open();
  expect(await texts(source)).toEqual(['one']);
  expect(files()).toEqual(before);
});

test('an owner that opens it again is noticed, and its rows are read', async () => {
  const first = owner();
  add(first, 'one');
  first.close();
  const source = open();
  expect(await texts(source)).toEqual(['one']);
  const second = owner();
  add(second, 'two');
  expect(await texts(source)).toEqual(['one', 'two']);
  second.run('PRAGMA wal_checkpoint(TRUNCATE)');
  add(second, 'three');
  expect(await texts(source)).toEqual(['one', 'two', 'three']);
});

test('in a read-only folder a private copy is read, including its WAL', async () => {
  const db = owner();
  add(db, 'one');
  expect(existsSync(`${path}-wal`)).toBe(true);
  const source = open({ isWritable: () => false });
  expect(await texts(source)).toEqual(['one']);
  expect(readdirSync(temporary)).toHaveLength(1);
  source.close();
  opened.splice(opened.indexOf(source), 1);
  expect(readdirSync(temporary)).toEqual([]);
});

test('a database whose owner was killed in a transaction is repaired in a copy only', async () => {
  const db = owner('DELETE');
  add(db, 'one');
  db.run('PRAGMA cache_size = 2');
  db.run('BEGIN IMMEDIATE');
  for (let index = 0; index < 2_000; index += 1) add(db, 'x'.repeat(100));
  // As after a kill: a half-written database and a journal that reverts it.
  const killed = folder.path('killed.db');
  copyFileSync(path, killed);
  copyFileSync(`${path}-journal`, `${killed}-journal`);
  db.run('ROLLBACK');
  path = killed;
  expect(await texts(open())).toEqual(['one']);
  expect(existsSync(`${killed}-journal`)).toBe(true);
});

test('every page is checked although its owner holds a lock', async () => {
  const db = owner('DELETE');
  add(db, 'one');
  const source = open();
  expect(await texts(source)).toEqual(['one']);
  db.run('BEGIN EXCLUSIVE');
  expect(await source.check()).toBe(true);
  db.run('COMMIT');
});

test('a check during which the owner writes counts for nothing', async () => {
  const db = owner('DELETE');
  add(db, 'one');
  const query = Database.prototype.query;
  let checks = 0;
  const spied = spyOn(Database.prototype, 'query').mockImplementation(function (this: Database, sql: string) {
    if (sql.includes('quick_check')) {
      checks += 1;
      if (checks < 5) add(db, 'another');
    }
    return query.call(this, sql);
  } as typeof query);
  try {
    const source = open();
    expect(await source.check()).toBe(false);
    expect(checks).toBe(3);
    // The second of these is undisturbed.
    expect(await source.check()).toBe(true);
    expect(checks).toBe(5);
  } finally {
    spied.mockRestore();
  }
});

test('a source that is locked for a while is retried; nothing can be written to it', async () => {
  const db = owner('DELETE');
  add(db, 'one');
  let waits = 0;
  const source = keep(
    openSource(path, {
      temporaryFolder: temporary,
      sleep: async () => {
        waits += 1;
        db.run('COMMIT');
      },
    }),
  );
  for (const expected of [1, 2]) {
    db.run('BEGIN EXCLUSIVE');
    expect(await texts(source)).toEqual(['one']);
    expect(waits).toBe(expected);
  }
  db.run('BEGIN EXCLUSIVE');
  const stuck = keep(openSource(path, { temporaryFolder: temporary, sleep: async () => undefined, busyTries: 2 }));
  await expect(texts(stuck)).rejects.toThrow('is locked by its owner');
  db.run('COMMIT');
  await expect(source.read((foreign) => foreign.run("INSERT INTO notes VALUES ('no')"))).rejects.toThrow();
});
