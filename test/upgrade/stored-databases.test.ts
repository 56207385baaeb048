import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { checkInvariants } from '@manager/server/events/invariants/invariants';
import { MIGRATIONS } from '@manager/server/schema/migrations';
import { openDatabase } from '@manager/server/sqlite/open';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { type Answer, askEverything } from './answers.ts';
import { STORED_ADMIN_KEY, STORED_DATA_KEY } from './stored-keys.ts';

setDefaultTimeout(180_000);

const STORED = join(import.meta.dir, 'databases');
const versions = readdirSync(STORED, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const managers: ManagerProcess[] = [];
afterEach(async () => {
  for (const manager of managers.splice(0)) await manager.remove();
});

/** A data directory with a copy of a stored database. */
function copyOf(version: string): { readonly dataDir: string; readonly path: string } {
  const dataDir = temporaryFolder();
  const path = join(dataDir, 'usage.sqlite');
  copyFileSync(join(STORED, version, 'usage.sqlite'), path);
  return { dataDir, path };
}

async function start(dataDir: string): Promise<ManagerProcess> {
  const manager = await ManagerProcess.start({
    dataDir,
    adminKey: STORED_ADMIN_KEY,
    env: { MANAGER_DATA_KEY: STORED_DATA_KEY },
  });
  managers.push(manager);
  await until(
    async () =>
      (await manager.json<{ dataMigration: { status: string } }>('/status')).dataMigration.status === 'completed',
    'the upgrade',
  );
  return manager;
}

const linesOf = (version: string, file: string) => readFileSync(join(STORED, version, file), 'utf8');

test('a database of every released format is kept', () => {
  expect(versions).toContain('0003-data-migrations');
});

describe.each(versions)('a database of schema %s', (version) => {
  test('is brought up to date, keeps every event and answers as the version that wrote it', async () => {
    const { dataDir, path } = copyOf(version);
    const manager = await start(dataDir);
    const { lines, answers } = await askEverything(manager);
    expect(lines).toBe(linesOf(version, 'export.jsonl'));
    const expected = linesOf(version, 'answers.jsonl').trim().split('\n');
    for (const line of expected) {
      const { question, answer } = JSON.parse(line) as Answer;
      const found = answers.find((candidate) => candidate.question === question);
      // A later version may answer more; earlier answers stay.
      expect({ question, answer: found?.answer }).toMatchObject({ question, answer });
    }
    expect(await manager.stop()).toBe(0);
    const db = openDatabase(path, { readonly: true });
    expect(checkInvariants(db)).toEqual([]);
    expect(db.query('PRAGMA user_version').get()).toEqual({ user_version: MIGRATIONS.length });
    expect(db.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    db.close();
  });

  test('opens a second time without another step', async () => {
    const { dataDir, path } = copyOf(version);
    await (await start(dataDir)).stop();
    const stepsOf = () => {
      const db = openDatabase(path, { readonly: true });
      const steps = db.query('SELECT * FROM schema_migrations').all();
      db.close();
      return steps;
    };
    const steps = stepsOf();
    await (await start(dataDir)).stop();
    expect(stepsOf()).toEqual(steps);
  });
});

test('accounts that automation had disabled, or was about to, are still its own', async () => {
  const { dataDir, path } = copyOf('0009-account-actions');
  expect(await (await start(dataDir)).stop()).toBe(0);
  const db = openDatabase(path, { readonly: true });
  const claims = db
    .query(
      `SELECT owner || ' ' || state || ' ' || replace(auth_file_name, '.json', '') AS claim, auth_index, account_snapshot
       FROM account_claims
       ORDER BY id`,
    )
    .all() as { claim: string; auth_index: string; account_snapshot: string }[];
  expect(claims.map(({ claim }) => claim)).toEqual([
    'inspection held owned',
    'inspection disabling open',
    'cooldown held resting',
    'cooldown held broken',
    'cooldown disabling to-rest',
    'cooldown ended rested',
    'cooldown ended skipped',
    'cooldown requested resting',
    'cooldown requested asked',
    'account_action requested wanted',
    'account_action disabling sent',
    // A person may have enabled it since: the next check decides.
    'account_action enabling disabled',
  ]);
  for (const { claim, auth_index, account_snapshot } of claims) {
    const name = claim.split(' ').at(-1) ?? '';
    expect(auth_index).toBe(`ix-${name}`);
    expect(account_snapshot).toEndWith('@example.test');
  }
  const rests = db.query('SELECT * FROM account_claims WHERE auth_file_name = ? ORDER BY id').all('resting.json');
  const until = Date.UTC(2026, 8, 1) + 400 * 86_400_000;
  const subject = ['resting.json', 'manager_xai_free_usage', JSON.stringify(['index', 'ix-resting'])];
  expect(rests).toMatchObject([
    { until_ms: until, subject: JSON.stringify(subject), last_error: '' },
    { until_ms: until + 1, subject: JSON.stringify(subject) },
  ]);
  const broken = db.query('SELECT * FROM account_claims WHERE auth_file_name = ?').get('broken.json');
  expect(broken).toMatchObject({
    failed_attempts: 1,
    last_error: 'the upstream did not answer the list of auth files',
  });
  db.close();
});

describe('F-84: a start with a file it must not open ends with 1 and changes no byte', () => {
  const version = versions[0] ?? '';

  const hashesOf = (dataDir: string) =>
    Object.fromEntries(
      readdirSync(dataDir)
        .filter((name) => /^usage\.sqlite(?:-wal)?$/.test(name))
        .map((name) => [
          name,
          createHash('sha256')
            .update(readFileSync(join(dataDir, name)))
            .digest('hex'),
        ]),
    );

  test.each([
    {
      name: 'of a newer version',
      text: 'written by a newer version',
      spoil(path: string) {
        const db = openDatabase(path);
        db.run(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
        db.close();
      },
    },
    {
      name: 'of a newer version that was killed',
      text: 'written by a newer version',
      spoil(path: string) {
        const killed = Bun.spawnSync([
          process.execPath,
          '-e',
          `const { Database } = require('bun:sqlite');
           const db = new Database(${JSON.stringify(path)});
           db.run('PRAGMA journal_mode = WAL');
           db.run('PRAGMA wal_checkpoint(TRUNCATE)');
           db.run('CREATE TABLE later (x)');
           db.run('PRAGMA user_version = ${MIGRATIONS.length + 1}');
           process.kill(process.pid, 'SIGKILL');`,
        ]);
        expect(killed.signalCode).toBe('SIGKILL');
      },
    },
    { name: 'that is cut', text: 'damaged', spoil: (path: string) => truncateSync(path, 100_000) },
    {
      name: 'of random bytes',
      text: 'not a SQLite database',
      spoil: (path: string) => writeFileSync(path, crypto.getRandomValues(new Uint8Array(60_000))),
    },
    {
      name: 'whose pages are random behind a sound header',
      text: 'damaged',
      spoil(path: string) {
        const header = readFileSync(path).subarray(0, 100);
        const noise = crypto.getRandomValues(new Uint8Array(60_000));
        const pages = readFileSync(path);
        for (let at = 100; at < pages.length; at += 1) pages[at] = noise[at % noise.length] ?? 0;
        pages.set(header);
        writeFileSync(path, pages);
      },
    },
  ])('$name', async ({ spoil, text }) => {
    const { dataDir, path } = copyOf(version);
    spoil(path);
    const before = hashesOf(dataDir);
    for (let tries = 0; tries < 2; tries += 1) {
      const { code, output } = await ManagerProcess.runToEnd({ dataDir });
      expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining(text) });
      expect(hashesOf(dataDir)).toEqual(before);
    }
  });
});
