import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { createTestFolder, type TestFolder } from '../platform/testing/test-folder.ts';
import { type CheckpointMode, checkpoint } from './checkpoint.ts';
import { createCheckpointer } from './checkpointer.ts';
import { openDatabase } from './open.ts';

const MIB = 1024 * 1024;

let folder: TestFolder;
let path: string;
let writer: Database;
let beside: Database;
let nowMs: number;
let calls: string[];

beforeEach(() => {
  folder = createTestFolder();
  path = folder.path('usage.sqlite');
  writer = openDatabase(path);
  writer.run('PRAGMA wal_autocheckpoint = 0');
  writer.run('CREATE TABLE filler (id INTEGER PRIMARY KEY, data BLOB)');
  beside = openDatabase(path, { busyTimeoutMs: 250 });
  nowMs = 1_000_000;
  calls = [];
});
afterEach(() => {
  beside.close();
  writer.close();
  folder.dispose();
});

const atOnce = <T>(work: () => Promise<T>): Promise<T> => work();

function createForTest(between: () => void = () => {}, limitBytes = 256 * MIB, whileReadersRest = atOnce) {
  return createCheckpointer({
    path,
    now: () => nowMs,
    log: { info: () => {}, error: () => {} },
    limitBytes,
    whileReadersRest,
    checkpointWorker: async (mode: CheckpointMode) => {
      calls.push(`beside ${mode}`);
      const outcome = checkpoint({ db: beside }, mode);
      // The writer continues while the checkpoint runs.
      if (mode === 'passive') between();
      return outcome;
    },
    inWriter: async (mode: CheckpointMode) => {
      calls.push(`writer ${mode}`);
      return checkpoint({ db: writer }, mode);
    },
  });
}

function write(mebibytes: number): void {
  const insert = writer.query('INSERT OR REPLACE INTO filler VALUES (?, zeroblob(?))');
  for (let index = 0; index < mebibytes; index += 1) insert.run(index % 10, MIB);
}

function logBytes(): number {
  return statSync(`${path}-wal`).size;
}

describe('the write-ahead log', () => {
  test('restarts although the writer never pauses', async () => {
    const checkpointer = createForTest(() => write(2));
    let largest = 0;
    for (let round = 0; round < 12; round += 1) {
      write(20);
      nowMs += 1_000;
      await checkpointer.tick();
      largest = Math.max(largest, logBytes());
    }
    expect(largest).toBeLessThan(96 * MIB);
    expect(calls).toContain('writer passive');
    expect(checkpointer.files()?.checkpoint).toMatchObject({ mode: 'passive', busy: 0 });
  });

  test('restarts although there is always a reader, because readers pause for it', async () => {
    let readers: Database[] = [];
    const begin = () => {
      const reader = openDatabase(path, { readonly: true });
      reader.run('BEGIN');
      reader.query('SELECT count(*) FROM filler').get();
      readers.push(reader);
    };
    const endAll = () => {
      for (const reader of readers) reader.close();
      readers = [];
    };
    /** One starts before the other ends. */
    const writeBesideReaders = (mebibytes: number) => {
      for (let written = 0; written < mebibytes; written += 1) {
        write(1);
        begin();
        if (readers.length > 1) readers.shift()?.close();
      }
    };
    const checkpointer = createForTest(
      () => writeBesideReaders(1),
      256 * MIB,
      async (work) => {
        endAll();
        const result = await work();
        begin();
        return result;
      },
    );
    begin();
    let largest = 0;
    for (let round = 0; round < 8; round += 1) {
      writeBesideReaders(40);
      nowMs += 1_000;
      await checkpointer.tick();
      largest = Math.max(largest, logBytes());
    }
    endAll();
    expect(largest).toBeLessThan(96 * MIB);
  });

  test('keeps growing only while a reader holds an old snapshot', async () => {
    const checkpointer = createForTest();
    write(10);
    const reader = openDatabase(path, { readonly: true });
    reader.run('BEGIN');
    reader.query('SELECT count(*) FROM filler').get();
    for (let round = 0; round < 4; round += 1) {
      write(40);
      nowMs += 1_000;
      await checkpointer.tick();
    }
    expect(logBytes()).toBeGreaterThan(150 * MIB);
    reader.run('COMMIT');
    reader.close();
    nowMs += 30_000;
    write(1);
    await checkpointer.tick();
    write(20);
    expect(checkpointer.files()?.checkpoint.error).toBeUndefined();
    const { logFrames } = checkpoint({ db: writer }, 'noop');
    expect(logFrames * 4096).toBeLessThan(40 * MIB);
  });

  test('above its limit is truncated once no reader lags, at most every five minutes', async () => {
    const checkpointer = createForTest(undefined, 8 * MIB);
    for (let round = 0; round < 2; round += 1) {
      write(10);
      expect(logBytes()).toBeGreaterThan(8 * MIB);
      nowMs += 31_000;
      await checkpointer.tick();
    }
    expect(calls.filter((call) => call === 'beside truncate')).toHaveLength(1);
    expect(checkpointer.files()?.checkpoint.lastTruncateAttemptAtMs).toBe(1_031_000);
  });
});

test('does nothing while nothing is written', async () => {
  const checkpointer = createForTest();
  writer.run('INSERT INTO filler VALUES (1, zeroblob(500000))');
  await checkpointer.tick();
  const before = calls.length;
  for (let round = 0; round < 5; round += 1) {
    nowMs += 31_000;
    await checkpointer.tick();
  }
  expect(calls.length).toBe(before);
});

test('a short log is checkpointed by the writer alone, every 30 s', async () => {
  const checkpointer = createForTest();
  for (let round = 0; round < 3; round += 1) {
    write(1);
    nowMs += 31_000;
    await checkpointer.tick();
    await checkpointer.tick();
  }
  expect(calls).toEqual(['writer passive', 'writer passive', 'writer passive']);
  expect(checkpointer.files()?.checkpoint).toMatchObject({ mode: 'passive', executedAtMs: nowMs });
});

test('a log that nobody writes to any more is truncated', async () => {
  const checkpointer = createForTest();
  write(6);
  for (let second = 0; second < 60; second += 1) {
    nowMs += 1_000;
    await checkpointer.tick();
  }
  expect(logBytes()).toBe(0);
  expect(calls.slice(-1)).toEqual(['beside truncate']);
});

test('beside a small database the log stays small, too', async () => {
  const checkpointer = createForTest();
  let largest = 0;
  for (let second = 0; second < 25; second += 1) {
    write(1);
    nowMs += 1_000;
    await checkpointer.tick();
    largest = Math.max(largest, logBytes());
  }
  expect(largest).toBeLessThan(8 * MIB);
});

describe('a checkpoint that fails', () => {
  let failing: { readonly code: string } | null;
  let log: string[];
  const attempts = () => calls.length;

  function create() {
    log = [];
    const on = (db: Database) => async (mode: CheckpointMode) => {
      calls.push(mode);
      if (failing !== null) throw Object.assign(new Error(`cannot write ${path}`), failing);
      return checkpoint({ db }, mode);
    };
    return createCheckpointer({
      path,
      now: () => nowMs,
      checkpointWorker: on(beside),
      inWriter: on(writer),
      whileReadersRest: atOnce,
      log: { info: (text) => log.push(`info ${text}`), error: (text) => log.push(`error ${text}`) },
    });
  }

  test.each([
    ['SQLITE_FULL', 'the disk is full; free space on the volume of the database (SQLITE_FULL)'],
    ['SQLITE_IOERR_SHMSIZE', 'the disk is full; free space on the volume of the database (SQLITE_IOERR_SHMSIZE)'],
    ['SQLITE_IOERR_WRITE', 'the disk reports an error (SQLITE_IOERR_WRITE)'],
  ])('with %s is shown as a fixed text and logged, and so is its end', async (code, text) => {
    failing = { code };
    const checkpointer = create();
    write(1);
    await checkpointer.tick();
    expect(checkpointer.files()?.checkpoint).toMatchObject({ error: text, executedAtMs: nowMs });
    failing = null;
    nowMs += 1_000;
    await checkpointer.tick();
    expect(checkpointer.files()?.checkpoint.error).toBeUndefined();
    expect(checkpointer.files()?.checkpoint.logFrames).toBeGreaterThan(0);
    expect(log).toEqual([
      `error moving the write-ahead log into the database failed: ${text}; retrying`,
      'info moving the write-ahead log into the database works again',
    ]);
  });

  test('is retried with growing delays, never in a tight loop', async () => {
    failing = { code: 'SQLITE_FULL' };
    const checkpointer = create();
    write(40);
    for (let second = 0; second < 120; second += 1) {
      await checkpointer.tick();
      nowMs += 1_000;
    }
    // At 0, 1, 3, 7, 15, 31, 61 and 91 s.
    expect(attempts()).toBe(8);
    expect(log).toHaveLength(2);
    // A clock that was set back must not extend the pause.
    nowMs -= 3_600_000;
    await checkpointer.tick();
    expect(attempts()).toBe(9);
  });
});
