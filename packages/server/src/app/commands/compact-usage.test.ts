import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { checkInvariants } from '../../events/invariants/invariants.ts';
import { sampleRecords } from '../../events/testing/sample-records.ts';
import { createTestIngester, TEST_NOW_MS } from '../../events/testing/test-ingester.ts';
import { sealTail } from '../../facts/seal.ts';
import { acquireLock } from '../../platform/lock/lock.ts';
import { createTestFolder, type TestFolder } from '../../platform/testing/test-folder.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { type CommandRun, type RunOptions, runInProcess } from './testing/command-runner.ts';

const EVENTS = 4_000;
setDefaultTimeout(180_000);

const STAGES = ['prepare', 'preflight', 'baseline', 'checkpoint', 'vacuum', 'verify', 'finalize'];

let folder: TestFolder;
let path: string;

beforeEach(() => {
  folder = createTestFolder();
  path = folder.path('usage.sqlite');
});
afterEach(() => folder.dispose());

const compact = (options: Partial<RunOptions> = {}): Promise<CommandRun> =>
  runInProcess(['compact-usage', '--db-path', path], { directory: folder.path('.'), ...options });

/** A database with many free pages: sealed facts free those of the tail. */
function makeDatabase(): void {
  const { db, ingest } = createTestIngester(path);
  const next = sampleRecords({ seed: 5, accounts: 20, models: 4, keys: 5 });
  for (let stored = 0; stored < EVENTS; stored += 500) {
    ingest({ records: Array.from({ length: 500 }, () => ({ text: next(), receivedAtMs: TEST_NOW_MS })) });
  }
  sealTail({ db, now: () => TEST_NOW_MS }, 3_000);
  db.close();
}

function change(sql: string): void {
  const db = openDatabase(path);
  db.run(sql);
  db.close();
}

test('releases free pages, changes no total, and prints one JSON object', async () => {
  makeDatabase();
  const sizeBefore = statSync(path).size;
  const { code, out, err } = await compact();
  expect({ code, stages: err.split('\n') }).toEqual({ code: 0, stages: STAGES });
  const report = JSON.parse(out);
  expect(Object.keys(report)).toEqual([
    'database_path',
    'before',
    'after',
    'summary',
    'fact_summary',
    'pre_checkpoint',
    'post_checkpoint',
    'reclaimed_bytes',
    'integrity_verified',
  ]);
  expect(report.database_path).toEndWith('/usage.sqlite');
  expect(report.before.database_bytes).toBe(sizeBefore);
  expect(report.before.reclaimable_bytes).toBe(report.before.page_size * report.before.freelist_count);
  expect(report.before.freelist_count).toBeGreaterThan(50);
  expect(report.after).toMatchObject({ freelist_count: 0, wal_bytes: 0, reclaimable_bytes: 0 });
  expect(report.after.database_bytes).toBe(statSync(path).size);
  expect(report.reclaimed_bytes).toBe(report.before.total_bytes - report.after.total_bytes);
  expect(report.reclaimed_bytes).toBeGreaterThan(100_000);
  expect(report.pre_checkpoint).toEqual({ busy: 0, log_frames: 0, checkpointed_frames: 0 });
  expect(report.post_checkpoint).toEqual({ busy: 0, log_frames: 0, checkpointed_frames: 0 });
  expect(report.integrity_verified).toBe(true);
  expect(report.summary).toMatchObject({
    usage_event_count: EVENTS,
    usage_event_max_id: EVENTS,
    identity_ledger_count: EVENTS,
    archive_run_count: 0,
    raw_deleted_event_count: 0,
  });
  expect(report.fact_summary).toMatchObject({
    event_count: EVENTS,
    max_event_id: EVENTS,
    output_tokens: report.summary.output_tokens,
    total_tokens: report.summary.total_tokens,
  });
  const db = openDatabase(path, { readonly: true });
  expect(checkInvariants(db)).toEqual([]);
  expect(db.query("SELECT seq FROM sqlite_sequence WHERE name = 'usage_events'").get()).toEqual({ seq: EVENTS });
  db.close();
});

test('makes a file of an earlier version one whose free pages are returned while the manager works', async () => {
  const plain = new Database(path);
  plain.run('CREATE TABLE t (id INTEGER)');
  plain.run('DROP TABLE t');
  plain.close();
  makeDatabase();
  const mode = () => {
    const db = openDatabase(path, { readonly: true });
    const read = db.query('PRAGMA auto_vacuum').values();
    expect(checkInvariants(db)).toEqual([]);
    db.close();
    return read;
  };
  expect(mode()).toEqual([[0]]);
  expect((await compact()).code).toBe(0);
  expect(mode()).toEqual([[2]]);
});

test('the id sequence is kept when the newest rows are gone', async () => {
  makeDatabase();
  change(`DELETE FROM usage_events WHERE id > ${EVENTS - 100}`);
  const { code, out } = await compact();
  expect(code).toBe(0);
  expect(JSON.parse(out).summary).toMatchObject({ usage_event_count: EVENTS - 100, usage_event_max_id: EVENTS - 100 });
  const db = openDatabase(path, { readonly: true });
  expect(db.query("SELECT seq FROM sqlite_sequence WHERE name = 'usage_events'").get()).toEqual({ seq: EVENTS });
  db.close();
});

/** Content of the file before and after a refusal. */
async function expectRefused(text: string): Promise<CommandRun> {
  const before = readFileSync(path);
  const run = await compact();
  expect(run).toMatchObject({ code: 1, out: '' });
  expect(run.err).toContain(text);
  expect(readFileSync(path).equals(before)).toBe(true);
  return run;
}

test('is refused while a manager holds the lock', async () => {
  makeDatabase();
  const lock = acquireLock(path);
  await expectRefused('stop it first and try again; nothing was changed');
  lock.release();
});

test('is refused while any other program has the database open', async () => {
  makeDatabase();
  const other = Bun.spawn(
    [
      process.execPath,
      '-e',
      `const { Database } = require('bun:sqlite');
       const db = new Database(${JSON.stringify(path)}, { readonly: true });
       db.query('SELECT count(*) FROM settings').get();
       console.log('open');
       setInterval(() => {}, 1000);`,
    ],
    { stdout: 'pipe' },
  );
  await other.stdout.getReader().read();
  await expectRefused('another program has the database open');
  other.kill('SIGKILL');
  await other.exited;
  expect((await compact()).code).toBe(0);
});

test('is refused while an archive run is active', async () => {
  makeDatabase();
  change(
    `INSERT INTO usage_archive_runs (
       number, id, mode, schema_version, format, status, cutoff_timestamp_ms, target_event_id, event_count,
       estimated_bytes, created_at_ms, updated_at_ms
     ) VALUES (1, '0123456789abcdef0123456789abcdef', 'manual', 1, 'jsonl+gzip', 'archiving', 1, 1, 1, 1, 1, 1)`,
  );
  await expectRefused('an archive run is active');
  for (const status of ['previewed', 'archived', 'verified', 'failed', 'completed', 'cancelled']) {
    change(`UPDATE usage_archive_runs SET status = '${status}'`);
    const { code, out } = await compact();
    expect({ status, code, runs: JSON.parse(out).summary.archive_run_count }).toEqual({ status, code: 0, runs: 1 });
  }
  change(
    `INSERT INTO usage_maintenance_locks (name, run_number, operation, acquired_at_ms, updated_at_ms)
     VALUES ('usage_archive', 1, 'deleting', 1, 1)`,
  );
  await expectRefused('an archive run is active');
});

test('is refused when a table of this version is missing', async () => {
  makeDatabase();
  change('DROP TABLE usage_maintenance_locks');
  const run = await compact();
  expect(run).toMatchObject({ code: 1, out: '' });
  expect(run.err).toContain('usage_maintenance_locks');
});

test('a canceled run changes nothing and releases the lock', async () => {
  makeDatabase();
  const before = readFileSync(path);
  const cancel = new AbortController();
  const run = await compact({
    signal: cancel.signal,
    onProgress: (line) => line === 'baseline' && cancel.abort(),
  });
  expect(run).toMatchObject({ code: 1, out: '' });
  expect(run.err).toContain('canceled');
  acquireLock(path).release();
  await Bun.sleep(300);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('help and mistakes touch no file', async () => {
  const directory = folder.path('.');
  expect((await runInProcess(['compact-usage', '-h'], { directory })).code).toBe(0);
  expect((await runInProcess(['compact-usage', 'now'], { directory })).code).toBe(1);
  expect((await runInProcess(['compact-usage', '--force'], { directory })).code).toBe(1);
  expect((await compact()).err).toContain('no database at');
  expect(existsSync(path)).toBe(false);
});
