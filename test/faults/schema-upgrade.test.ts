import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import {
  storedEvents,
  withoutMetadata,
  writeOlderDatabase,
  wronglyAccounted,
} from '@manager/server/events/background/testing/older-database';
import { checkInvariants } from '@manager/server/events/invariants/invariants';
import { sampleRecords } from '@manager/server/events/testing/sample-records';
import { createTestIngester } from '@manager/server/events/testing/test-ingester';
import { encodeTail, replaceTail } from '@manager/server/facts/seal';
import { MIGRATIONS } from '@manager/server/schema/migrations';
import { openDatabase } from '@manager/server/sqlite/open';
import { checkStored } from '../support/after-crash.ts';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';

setDefaultTimeout(120_000);

const managers: ManagerProcess[] = [];
afterEach(async () => {
  for (const manager of managers.splice(0)) await manager.remove();
});

async function start(dataDir: string, stopAt?: string): Promise<ManagerProcess> {
  const manager = await ManagerProcess.start({ dataDir, ...(stopAt === undefined ? {} : { stopAt }) });
  managers.push(manager);
  return manager;
}

function withDatabase<Result>(dataDir: string, work: (db: ReturnType<typeof openDatabase>) => Result): Result {
  const db = openDatabase(join(dataDir, 'usage.sqlite'), { readonly: true });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const versionOf = (dataDir: string) =>
  withDatabase(dataDir, (db) => db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version);
const hasTable = (dataDir: string, name: string) =>
  withDatabase(dataDir, (db) => db.query('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== null);

const isUpgraded = async (manager: ManagerProcess) =>
  (await manager.json<{ dataMigration: { status: string } }>('/status')).dataMigration.status === 'completed';

/** A data directory with a database of the second schema step. */
function olderDatabase(events: number) {
  const dataDir = temporaryFolder();
  const right = writeOlderDatabase(join(dataDir, 'usage.sqlite'), { events, segments: [Math.floor(events / 2)] });
  return { dataDir, right };
}

const BEFORE = MIGRATIONS.findIndex(({ name }) => name === '0003-data-migrations');

test.each([
  [
    'F-70: killed inside the transaction of a step: the old version is there, the step runs again',
    'schema_step_applied',
    0,
  ],
  ['F-71: killed behind a step: it is done, the next start goes on with the next', 'schema_step_committed', 1],
])('%s', async (_, stopAt, stepsDone) => {
  const { dataDir, right } = olderDatabase(120);
  const { output } = await ManagerProcess.runToEnd({ dataDir, stopAt });
  expect(output).not.toContain('listening');
  expect(versionOf(dataDir)).toBe(BEFORE + stepsDone);
  expect(hasTable(dataDir, 'usage_data_migrations')).toBe(stepsDone === 1);
  expect(withDatabase(dataDir, (db) => db.query('PRAGMA integrity_check').values())).toEqual([['ok']]);

  const manager = await start(dataDir);
  await until(() => isUpgraded(manager), 'the upgrade');
  expect(await manager.stop()).toBe(0);
  expect(versionOf(dataDir)).toBe(MIGRATIONS.length);
  expect(checkStored(dataDir)).toBe(120);
  expect(withDatabase(dataDir, storedEvents).size).toBe(right.size);
});

test('F-72: killed between parking a table and making the new one: both or neither', async () => {
  const { dataDir } = olderDatabase(40);
  const path = join(dataDir, 'usage.sqlite');
  const upgrade = (stopAt: string) =>
    Bun.spawnSync(
      [
        process.execPath,
        '-e',
        `import { openMigrated } from '@manager/server/sqlite/migrate';
         import { MIGRATIONS } from '@manager/server/schema/migrations';
         const sql = 'ALTER TABLE dead_letters RENAME TO parked_dead_letters; CREATE TABLE dead_letters (id INTEGER PRIMARY KEY, text TEXT);';
         openMigrated(${JSON.stringify(path)}, { now: Date.now, migrations: [...MIGRATIONS, { name: '9999-parking', sql }] }).close();`,
      ],
      { cwd: import.meta.dir, env: { ...process.env, MANAGER_STOP_AT: stopAt } },
    );
  const steps = MIGRATIONS.length - BEFORE + 1;
  expect(upgrade(`schema_step_applied#${steps}`).signalCode).toBe('SIGKILL');
  expect(versionOf(dataDir)).toBe(MIGRATIONS.length);
  expect(hasTable(dataDir, 'parked_dead_letters')).toBe(false);
  expect(hasTable(dataDir, 'dead_letters')).toBe(true);

  expect(upgrade('schema_step_committed').signalCode).toBe('SIGKILL');
  expect(versionOf(dataDir)).toBe(MIGRATIONS.length + 1);
  expect(hasTable(dataDir, 'parked_dead_letters')).toBe(true);
  expect(hasTable(dataDir, 'dead_letters')).toBe(true);
  expect(withDatabase(dataDir, checkInvariants)).toEqual([]);
});

test.each(['data_migration_step_written', 'data_migration_step_committed'])(
  'F-73: a data migration that is killed again and again at %s ends as one that was not',
  async (stopAt) => {
    const dataDir = temporaryFolder();
    const events = 2_200;
    const right = writeOlderDatabase(join(dataDir, 'usage.sqlite'), {
      events,
      segments: [900],
      older: (event, index) => withoutMetadata(wronglyAccounted(event, index), index),
    });
    // Every start gets one step further, or repeats the same one.
    for (const visit of [1, 2, 3]) {
      const { code } = await ManagerProcess.runToEnd({ dataDir, stopAt: `${stopAt}#${visit}` });
      expect(code).not.toBe(0);
      expect(checkStored(dataDir)).toBe(events);
      const counters = withDatabase(dataDir, (db) =>
        db
          .query<{ applied_rows: number; changed_rows: number; processed_rows: number }, []>(
            "SELECT applied_rows, changed_rows, processed_rows FROM usage_data_migrations WHERE name = 'usage_cache_accounting_v2'",
          )
          .get(),
      );
      expect(counters?.applied_rows ?? 0).toBeLessThanOrEqual(counters?.changed_rows ?? 0);
      expect(counters?.processed_rows ?? 0).toBeLessThanOrEqual(events);
    }
    const manager = await start(dataDir);
    await until(() => isUpgraded(manager), 'the first job');
    await until(
      () =>
        withDatabase(dataDir, (db) =>
          db.query('SELECT 1 FROM usage_data_migrations WHERE status <> ?').get('completed'),
        ) === null,
      'the second job',
    );
    expect(await manager.stop()).toBe(0);
    expect(checkStored(dataDir)).toBe(events);
    const stored = withDatabase(dataDir, storedEvents);
    const wrong = [...right].filter(([id, event]) => {
      const found = stored.get(id);
      const isMarked = event.response_metadata_json === '' && found?.response_metadata_json === '{}';
      return !Bun.deepEquals(found, isMarked ? { ...event, response_metadata_json: '{}' } : event);
    });
    expect(wrong.map(([id]) => id)).toEqual([]);
  },
);

test('F-74: killed between two batches of cleaning up behind a seal: what is left is removed, nothing counts twice', async () => {
  const dataDir = temporaryFolder();
  const sealed = 8_500;
  const { db, ingest } = createTestIngester(join(dataDir, 'usage.sqlite'));
  const next = sampleRecords({ seed: 2, accounts: 5, models: 2, keys: 2 });
  for (let stored = 0; stored < sealed + 500; stored += 1_000) {
    ingest({ records: Array.from({ length: 1_000 }, () => ({ text: next(), receivedAtMs: Date.now() })) });
  }
  const segment = encodeTail(db, sealed);
  if (segment === null) throw new Error('the tail is too short');
  expect(replaceTail({ db, now: Date.now }, segment)).toBe(true);
  db.close();
  const waiting = () =>
    withDatabase(
      dataDir,
      (open) =>
        open
          .query<{ rows: number }, [number]>('SELECT count(*) AS rows FROM facts_tail WHERE event_id <= ?')
          .get(sealed)?.rows ?? -1,
    );
  expect(waiting()).toBe(sealed);
  await ManagerProcess.runToEnd({ dataDir, stopAt: 'tail_slice_trimmed' });
  expect(waiting()).toBeGreaterThan(0);
  expect(waiting()).toBeLessThan(sealed);
  expect(checkStored(dataDir)).toBe(9_000);
  const manager = await start(dataDir);
  await until(() => waiting() === 0, 'the rest of the rows');
  expect(await manager.stop()).toBe(0);
  expect(checkStored(dataDir)).toBe(9_000);
});
