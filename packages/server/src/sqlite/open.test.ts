import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, statSync } from 'node:fs';
import { createTestFolder, type TestFolder } from '../platform/testing/test-folder.ts';
import { openDatabase } from './open.ts';
import { registerStillWanted } from './still-wanted.ts';

let folder: TestFolder;

beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.dispose());

describe('an opened database', () => {
  test('and its side files are private, whatever the umask is', () => {
    const mask = process.umask(0);
    try {
      const path = folder.path('usage.sqlite');
      const db = openDatabase(path);
      db.run('CREATE TABLE one (id)');
      for (const suffix of ['', '-wal', '-shm']) expect(statSync(path + suffix).mode & 0o777).toBe(0o600);
      db.close();
    } finally {
      process.umask(mask);
    }
  });

  test('is not created where it must exist', () => {
    const path = folder.path('moved away.sqlite');
    expect(() => openDatabase(path, { mustExist: true })).toThrow();
    expect(existsSync(path)).toBe(false);
  });

  test('keeps a committed transaction through a power loss and checks foreign keys', () => {
    const db = openDatabase(folder.path('usage.sqlite'));
    const pragma = (name: string) => Object.values(db.query(`PRAGMA ${name}`).get() as object)[0];
    expect(pragma('journal_mode')).toBe('wal');
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('foreign_keys')).toBe(1);
    expect(pragma('busy_timeout')).toBe(5000);
    expect(pragma('journal_size_limit')).toBe(268_435_456);
    expect(pragma('temp_store')).toBe(1);
    db.close();
  });

  test('waits from its first statement on while another connection locks it exclusively', () => {
    const path = folder.path('usage.sqlite');
    const owner = openDatabase(path, { exclusive: true });
    owner.run('CREATE TABLE one (id)');
    const before = performance.now();
    expect(() => openDatabase(path, { readonly: true, busyTimeoutMs: 300 })).toThrow('locked');
    expect(performance.now() - before).toBeGreaterThan(250);
    owner.close();
  });

  test('cannot be written when it is opened read-only', () => {
    const path = folder.path('usage.sqlite');
    const writer = openDatabase(path);
    writer.run('CREATE TABLE one (id)');
    const reader = openDatabase(path, { readonly: true });
    expect(() => reader.run('INSERT INTO one VALUES (1)')).toThrow(/readonly/);
    reader.close();
    writer.close();
  });

  test('is not created by a read-only open', () => {
    expect(() => openDatabase(folder.path('absent.sqlite'), { readonly: true })).toThrow();
    expect(statSync(folder.path('absent.sqlite'), { throwIfNoEntry: false })).toBeUndefined();
  });
});

test('still_wanted() ends a running statement', () => {
  const db = openDatabase(folder.path('usage.sqlite'));
  let calls = 0;
  registerStillWanted(db, () => {
    calls += 1;
    return calls > 1000;
  });
  const endless =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n WHERE still_wanted()';
  expect(() => db.query(endless).get()).toThrow('no request waits for this response');
  expect(calls).toBe(1001);
  db.close();
});
