import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { rowOfA, sampleEvents } from '@manager/server/app/commands/testing/import-bench';
import { sampleRecords } from '@manager/server/events/testing/sample-records';
import { createTestIngester } from '@manager/server/events/testing/test-ingester';
import { sealTail } from '@manager/server/facts/seal';
import { parseRecords, usableConnection } from '@manager/server/features/setup/connection-records';
import { readConnectionRows } from '@manager/server/features/setup/connection-store';
import { makeFormatA } from '@manager/server/features/transfer/foreign/testing/foreign-databases';
import { openVault } from '@manager/server/platform/secrets/vault';
import { maintenanceWork } from '@manager/server/schema/deferred-indexes';
import { openMigrated } from '@manager/server/schema/open-migrated';
import { openDatabase } from '@manager/server/sqlite/open';
import { checkStored } from '../support/after-crash.ts';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { type OfflineOptions, type OfflineResult, runOffline } from '../support/offline-command.ts';
import { mountSmallVolume } from '../support/small-volume.ts';

setDefaultTimeout(120_000);

const folders: string[] = [];
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
}

const EVENTS = 1_500;

/** A database with sealed and unsealed events, and enough free pages that compacting takes a while. */
function makeDatabase(dataDir: string, fillerMegabytes = 0): string {
  const path = join(dataDir, 'usage.sqlite');
  const { db, ingest } = createTestIngester(path);
  const next = sampleRecords({ seed: 4, accounts: 10, models: 3, keys: 3 });
  for (let stored = 0; stored < EVENTS; stored += 500) {
    ingest({ records: Array.from({ length: 500 }, () => ({ text: next(), receivedAtMs: Date.now() })) });
  }
  sealTail({ db, now: Date.now }, 1_000);
  const filler = db.query('INSERT INTO settings (key, value, updated_at_ms) VALUES (?, ?, 0)');
  db.transaction(() => {
    for (let index = 0; index < fillerMegabytes * 2; index += 1) {
      filler.run(`filler ${index}`, randomBytes(262_144).toString('hex'));
    }
  })();
  db.run("DELETE FROM settings WHERE key LIKE 'filler %' AND key LIKE '%5'");
  db.close();
  return path;
}

function read<Result>(dataDir: string, work: (db: ReturnType<typeof openDatabase>) => Result): Result {
  const db = openDatabase(join(dataDir, 'usage.sqlite'), { readonly: true });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const freePages = (dataDir: string) =>
  read(dataDir, (db) => db.query<{ freelist_count: number }, []>('PRAGMA freelist_count').get()?.freelist_count ?? 0);

async function expectKilled(args: readonly string[], options: OfflineOptions): Promise<OfflineResult> {
  const result = await runOffline(args, options);
  expect(result).toMatchObject({ code: null, out: '' });
  return result;
}

/** Compacts until the signal ends it in VACUUM. On a busy machine it may come behind that: then all begins anew. */
async function endedInVacuum(
  dataDir: string,
  signal: 'SIGKILL' | 'SIGTERM',
  moment: () => Promise<unknown>,
): Promise<OfflineResult> {
  const path = join(dataDir, 'usage.sqlite');
  const origin = join(newFolder(), 'usage.sqlite');
  copyFileSync(path, origin);
  return until(async () => {
    let waiting: Promise<unknown> | null = null;
    const result = await runOffline(['compact-usage'], {
      dataDir,
      onProgress(text, kill) {
        if (text.includes('vacuum') && waiting === null) waiting = moment().then(() => kill(signal));
      },
    });
    expect(checkStored(dataDir)).toBe(EVENTS);
    if (freePages(dataDir) > 0) return result;
    for (const side of ['-wal', '-shm']) rmSync(path + side, { force: true });
    copyFileSync(origin, path);
    return null;
  }, `${signal} in time`);
}

describe('compact-usage', () => {
  test.each([
    ['F-76: killed after the first checkpoint, the database opens', 'compact_checkpointed'],
    ['F-78: killed between VACUUM and the second checkpoint, the totals are the same', 'compact_vacuumed'],
  ])('%s and the command can be repeated', async (_, stopAt) => {
    const dataDir = newFolder();
    makeDatabase(dataDir);
    await expectKilled(['compact-usage'], { dataDir, stopAt });
    expect(checkStored(dataDir)).toBe(EVENTS);
    const { code, out } = await runOffline(['compact-usage'], { dataDir });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      summary: { usage_event_count: EVENTS, usage_event_max_id: EVENTS, identity_ledger_count: EVENTS },
      fact_summary: { event_count: EVENTS },
      integrity_verified: true,
    });
    expect(checkStored(dataDir)).toBe(EVENTS);
    expect(freePages(dataDir)).toBe(0);
  });

  test('F-77: killed during VACUUM, the old content is complete and nothing is left beside it', async () => {
    const dataDir = newFolder();
    const path = makeDatabase(dataDir, 40);
    const size = statSync(path).size;
    const free = freePages(dataDir);
    expect(free).toBeGreaterThan(500);
    // At its beginning, while the copy is made, and when the copy is written to the log.
    const moments: readonly (() => Promise<unknown>)[] = [
      () => Bun.sleep(0),
      () => Bun.sleep(40),
      async () => {
        const endMs = Date.now() + 2_000;
        while (Date.now() < endMs && (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) < 1_000_000) {
          await Bun.sleep(1);
        }
      },
    ];
    for (const moment of moments) {
      const result = await endedInVacuum(dataDir, 'SIGKILL', moment);
      expect(result).toMatchObject({ code: null, out: '' });
      expect(result.err).not.toContain('verify');
      expect(freePages(dataDir)).toBe(free);
      expect(statSync(path).size).toBe(size);
      const others = readdirSync(dataDir).filter((name) => !/^(?:usage\.sqlite|\.bun$)/.test(name));
      expect(others).toEqual([]);
    }
    const { code, out } = await runOffline(['compact-usage'], { dataDir });
    expect(code).toBe(0);
    expect(JSON.parse(out).reclaimed_bytes).toBeGreaterThan(500 * 4_096);
    expect(checkStored(dataDir)).toBe(EVENTS);
  });

  test('a signal during VACUUM ends it with 1, the old content is complete', async () => {
    const dataDir = newFolder();
    makeDatabase(dataDir, 40);
    const free = freePages(dataDir);
    const { code, out, err } = await endedInVacuum(dataDir, 'SIGTERM', async () => {});
    expect({ code, out, err }).toMatchObject({ code: 1, out: '', err: expect.stringContaining('canceled') });
    expect(freePages(dataDir)).toBe(free);
  });

  test('too little space is noticed before anything is done; a disk that runs full leaves the old content', async () => {
    const origin = newFolder();
    const size = statSync(makeDatabase(origin, 40)).size;
    for (const { megabytes, text } of [
      { megabytes: Math.ceil((size * 1.5) / 1_048_576), text: 'not enough disk space' },
      { megabytes: Math.ceil((size * 2.3) / 1_048_576), text: 'the disk is full' },
    ]) {
      const { folder: dataDir, unmount } = mountSmallVolume(megabytes);
      cleanups.push(unmount);
      const path = join(dataDir, 'usage.sqlite');
      copyFileSync(join(origin, 'usage.sqlite'), path);
      const before = readFileSync(path);
      const { code, out, err } = await runOffline(['compact-usage'], { dataDir });
      expect({ code, out, err }).toMatchObject({ code: 1, out: '', err: expect.stringContaining(text) });
      expect(readFileSync(path).equals(before)).toBe(true);
      expect(checkStored(dataDir)).toBe(EVENTS);
    }
  });
});

describe('cleanup-derived', () => {
  test.each([
    ['before its commit: it is not there', 'deferred_index_built', 1],
    ['after its commit: it is complete', 'deferred_index_committed', 0],
  ])('F-75: killed at an index %s, and the command can be repeated', async (_, stopAt, left) => {
    const dataDir = newFolder();
    const db = openDatabase(makeDatabase(dataDir));
    db.run('DROP INDEX latest_header_snapshots_event');
    db.close();
    // What a start records.
    const manager = await ManagerProcess.start({ dataDir });
    const { databaseMaintenance } = await manager.json<{ databaseMaintenance: object }>(
      '/status?scope=database-maintenance',
    );
    expect(databaseMaintenance).toEqual({
      required: true,
      performanceDegraded: true,
      deferredIndexes: 1,
      offlineJobs: 0,
      reasons: ['deferred_indexes'],
      command: 'cleanup-derived',
    });
    await manager.stop();
    await expectKilled(['cleanup-derived'], { dataDir, stopAt });
    expect(read(dataDir, (open) => maintenanceWork({ db: open }, null))).toEqual({
      deferredIndexes: left,
      offlineJobs: 0,
    });
    expect(checkStored(dataDir)).toBe(EVENTS);
    const { code, out } = await runOffline(['cleanup-derived'], { dataDir });
    expect({ code, out: out.trim() }).toEqual({
      code: 0,
      out: left === 0 ? 'nothing pending' : 'jobs=0 processed_rows=0 prepared_indexes=1',
    });
    const second = await ManagerProcess.start({ dataDir });
    expect(await second.json('/status?scope=database-maintenance')).toMatchObject({
      databaseMaintenance: { required: false },
    });
    await second.stop();
  });
});

describe('store-upstream-connection', () => {
  const store = [
    'store-upstream-connection',
    '--upstream-base-url',
    'http://new:8317',
    '--management-key-file',
    'new.key',
  ];

  /** A data directory with another connection, and the key file of the new one. */
  async function connected(): Promise<string> {
    const dataDir = newFolder();
    writeFileSync(join(dataDir, 'old.key'), 'old-management-key');
    writeFileSync(join(dataDir, 'new.key'), 'new-management-key');
    const args = [
      'store-upstream-connection',
      '--upstream-base-url',
      'http://old:8317',
      '--management-key-file',
      'old.key',
    ];
    expect((await runOffline(args, { dataDir })).code).toBe(0);
    return dataDir;
  }

  const records = (dataDir: string) => {
    const vault = openVault({ explicitText: '', path: join(dataDir, 'data.key'), randomBytes });
    return read(dataDir, (db) => parseRecords(readConnectionRows(db), vault));
  };
  const rowsOf = (dataDir: string) => read(dataDir, (db) => db.query('SELECT * FROM settings ORDER BY key').values());

  test('F-79: killed before its commit, both records are as they were', async () => {
    const dataDir = await connected();
    const before = rowsOf(dataDir);
    await expectKilled([...store, '--repair-conflict'], { dataDir, stopAt: 'settings_written' });
    expect(rowsOf(dataDir)).toEqual(before);
    expect(usableConnection(records(dataDir)).connection?.baseUrl).toBe('http://old:8317');
    expect((await runOffline([...store, '--repair-conflict'], { dataDir })).code).toBe(0);
    expect(usableConnection(records(dataDir)).connection?.managementKey).toBe('new-management-key');
  });

  test('a mistyped data key is refused, and the working connection stays', async () => {
    const dataDir = await connected();
    const before = rowsOf(dataDir);
    const typo = [...store, '--repair-conflict', '--data-key-path', 'typo/data.key'];
    const { code, out, err } = await runOffline(typo, { dataDir });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`configured for the data key ${join(dataDir, 'data.key')}`);
    expect(rowsOf(dataDir)).toEqual(before);
    expect(existsSync(join(dataDir, 'typo'))).toBe(false);
  });

  test('F-80: killed after its commit, both records hold the new connection, encrypted', async () => {
    const dataDir = await connected();
    await expectKilled([...store, '--repair-conflict'], { dataDir, stopAt: 'connection_committed' });
    const { manager, legacy } = records(dataDir);
    const expected = { baseUrl: 'http://new:8317', managementKey: 'new-management-key' };
    for (const record of [manager, legacy]) expect(record).toMatchObject({ pair: expected, plaintext: false });
    expect(JSON.stringify(rowsOf(dataDir))).not.toContain('management-key');
    checkStored(dataDir);
  });
});

describe('reset-admin-key', () => {
  test.each([
    [
      'before its commit: the old key works',
      'settings_written',
      'the-old-admin-key-of-tests',
      'the-new-admin-key-of-tests',
    ],
    [
      'after its commit: the new key works',
      'admin_key_committed',
      'the-new-admin-key-of-tests',
      'the-old-admin-key-of-tests',
    ],
  ])('F-81: killed %s', async (_, stopAt, works, fails) => {
    const dataDir = newFolder();
    const first = await ManagerProcess.start({ dataDir, adminKey: 'the-old-admin-key-of-tests' });
    await first.stop();
    writeFileSync(join(dataDir, 'new.key'), 'the-new-admin-key-of-tests');
    await expectKilled(['reset-admin-key', '--admin-key-file', 'new.key'], { dataDir, stopAt });
    // The environment only fills an empty store.
    const second = await ManagerProcess.start({ dataDir, adminKey: 'the-old-admin-key-of-tests' });
    const statusWith = async (key: string) =>
      (await second.fetch('/v0/management/api-key-aliases', { headers: { Authorization: `Bearer ${key}` } })).status;
    expect([await statusWith(works), await statusWith(fails)]).toEqual([200, 401]);
    expect(await second.stop()).toBe(0);
    checkStored(dataDir);
  });
});

describe('import-database', () => {
  test.each([
    ['before the commit of its second page', 'foreign_page_written#2', 1_000],
    ['after it', 'foreign_page_committed#2', 2_000],
    ['before that of its first', 'foreign_page_written', 0],
  ])('killed %s: whole pages are there, and it goes on with the next row', async (_, stopAt, stored) => {
    const dataDir = newFolder();
    openMigrated(join(dataDir, 'usage.sqlite'), { now: Date.now }).close();
    const from = join(dataDir, 'other.db');
    const source = makeFormatA(from);
    source.insert('usage_events', sampleEvents(2_300).map(rowOfA));
    source.close();
    const args = ['import-database', '--from', from];
    await expectKilled(args, { dataDir, stopAt });
    expect(checkStored(dataDir)).toBe(stored);
    const { code, out } = await runOffline(args, { dataDir });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ read: 2_300, added: 2_300, skipped: 0, not_mapped: 0 });
    expect(checkStored(dataDir)).toBe(2_300);
    expect(JSON.parse((await runOffline(args, { dataDir })).out)).toMatchObject({ added: 0, skipped: 2_300 });
  });
});
