import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { checkInvariants } from '../../events/invariants/invariants.ts';
import { sampleRecords } from '../../events/testing/sample-records.ts';
import { createTestIngester, records } from '../../events/testing/test-ingester.ts';
import { encodeTail, replaceTail } from '../../facts/seal.ts';
import { acquireLock } from '../../platform/lock/lock.ts';
import { createTestFolder, type TestFolder } from '../../platform/testing/test-folder.ts';
import { maintenanceWork } from '../../schema/deferred-indexes.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { runInProcess } from './testing/command-runner.ts';

let folder: TestFolder;
let path: string;

beforeEach(() => {
  folder = createTestFolder();
  path = folder.path('usage.sqlite');
});
afterEach(() => folder.dispose());

const cleanUp = (signal = new AbortController().signal) =>
  runInProcess(['cleanup-derived', '--db-path', path], { directory: folder.path('.'), signal });

function makeDatabase(): void {
  const { db, ingest } = createTestIngester(path);
  ingest({ records: records(...Array.from({ length: 20 }, sampleRecords())) });
  db.close();
}

function withDatabase<Result>(work: (db: ReturnType<typeof openDatabase>) => Result): Result {
  const db = openDatabase(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

test('reports that there is nothing to do', async () => {
  makeDatabase();
  expect(await cleanUp()).toEqual({ code: 0, out: 'nothing pending', err: '' });
});

test('builds missing indexes, removes parked tables and sealed rows, and counts them', async () => {
  makeDatabase();
  withDatabase((db) => {
    db.run('DROP INDEX latest_header_snapshots_event');
    db.run('CREATE TABLE parked_sums AS SELECT id FROM usage_events');
    const sealed = encodeTail(db, 12);
    if (sealed === null) throw new Error('no tail');
    // As a server leaves it when it is killed right after sealing.
    expect(replaceTail({ db, now: () => 1 }, sealed)).toBe(true);
  });
  const events = withDatabase((db) => db.query('SELECT * FROM usage_events').values());
  expect(await cleanUp()).toMatchObject({ code: 0, out: 'jobs=1 processed_rows=32 prepared_indexes=1' });
  expect(await cleanUp()).toMatchObject({ code: 0, out: 'nothing pending' });
  withDatabase((db) => {
    expect(
      db.query("SELECT count(*) AS found FROM sqlite_schema WHERE name = 'latest_header_snapshots_event'").get(),
    ).toEqual({
      found: 1,
    });
    expect(maintenanceWork({ db }, null)).toEqual({ deferredIndexes: 0, offlineJobs: 0 });
    expect(db.query('SELECT * FROM usage_events').values()).toEqual(events);
    expect(checkInvariants(db)).toEqual([]);
  });
});

test('stops between two steps when canceled, and the next call continues', async () => {
  makeDatabase();
  withDatabase((db) => db.run('DROP INDEX latest_header_snapshots_event'));
  const cancel = new AbortController();
  cancel.abort();
  const cancelled = await cleanUp(cancel.signal);
  expect(cancelled).toMatchObject({ code: 1, out: '' });
  expect(cancelled.err).toContain('Run the same command to continue');
  expect(await cleanUp()).toMatchObject({ out: 'jobs=0 processed_rows=0 prepared_indexes=1' });
});

test('is refused without a database and while a server runs', async () => {
  expect((await cleanUp()).err).toContain('no database at');
  expect(existsSync(path)).toBe(false);
  makeDatabase();
  const lock = acquireLock(path);
  expect((await cleanUp()).err).toContain('stop it first and try again; nothing was changed');
  lock.release();
});
