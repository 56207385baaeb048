import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { makeFormatA } from '@manager/server/features/transfer/foreign/testing/foreign-databases';
import { eventWith } from '@manager/simulator';
import { checkStored } from '../support/after-crash.ts';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { runOffline } from '../support/offline-command.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, startTestGateway } from '../support/test-gateway.ts';

setDefaultTimeout(120_000);

const managers: ManagerProcess[] = [];
afterEach(async () => {
  for (const manager of managers.splice(0)) await manager.remove();
});

async function start(dataDir: string): Promise<ManagerProcess> {
  const manager = await ManagerProcess.start({ dataDir });
  managers.push(manager);
  return manager;
}

/** Runs the work while the server is paused with its lock held, so that its own upkeep is not mistaken for another's write. */
async function whilePaused(manager: ManagerProcess, work: () => Promise<void>): Promise<void> {
  process.kill(manager.pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    process.kill(manager.pid, 'SIGCONT');
  }
}

/** Database and log: unchanged when a second process is refused. */
const hashesOf = (dataDir: string) =>
  ['usage.sqlite', 'usage.sqlite-wal', 'data.key']
    .map((name) => join(dataDir, name))
    .map((path) => (existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'none'));

test('F-82: a server that was killed while it held the lock leaves it free', async () => {
  const dataDir = temporaryFolder();
  for (let life = 0; life < 3; life += 1) {
    const manager = await start(dataDir);
    expect((await ManagerProcess.runToEnd({ dataDir })).code).toBe(1);
    await manager.kill();
    // The file stays and has no meaning.
    expect(existsSync(join(dataDir, 'usage.sqlite.manager.lock'))).toBe(true);
  }
  const last = await start(dataDir);
  expect(await last.stop()).toBe(0);
  checkStored(dataDir);
});

describe('F-83: while a server runs', () => {
  /** Names of the same database: its path, through a link to its folder, through a link to the file. */
  function aliasesOf(dataDir: string): readonly string[] {
    const path = join(dataDir, 'usage.sqlite');
    symlinkSync(dataDir, join(dataDir, 'folder'));
    symlinkSync(path, join(dataDir, 'link.sqlite'));
    return [path, join(dataDir, 'folder', 'usage.sqlite'), join(dataDir, 'link.sqlite')];
  }

  test('a second one is refused under every name, and nothing changes', async () => {
    const dataDir = temporaryFolder();
    const manager = await start(dataDir);
    await whilePaused(manager, async () => {
      const before = hashesOf(dataDir);
      for (const path of aliasesOf(dataDir)) {
        const { code, output } = await ManagerProcess.runToEnd({ dataDir, env: { USAGE_DB_PATH: path } });
        expect({ path, code, output }).toMatchObject({
          code: 1,
          output: expect.stringContaining(`${join(dataDir, 'usage.sqlite')}.manager.lock`),
        });
        expect(hashesOf(dataDir)).toEqual(before);
      }
    });
  });

  test('every offline command is refused under every name, and nothing changes', async () => {
    const dataDir = temporaryFolder();
    const manager = await start(dataDir);
    const paths = aliasesOf(dataDir);
    writeFileSync(join(dataDir, 'key'), 'some-key-of-the-upstream');
    makeFormatA(join(dataDir, 'other.db')).close();
    const commands = [
      ['compact-usage'],
      ['cleanup-derived'],
      ['reset-admin-key', '--admin-key', 'another-admin-key-of-the-tests'],
      ['replay-dead-letters'],
      ['import-database', '--from', join(dataDir, 'other.db')],
      ['store-upstream-connection', '--upstream-base-url', 'http://gateway:1', '--management-key-file', 'key'],
      ['manager-data-snapshot', 'create', '--snapshot-dir', 'copy', '--data-key-path', 'data.key'],
    ];
    await whilePaused(manager, async () => {
      const before = hashesOf(dataDir);
      const runs = commands.flatMap((command) => paths.map((path) => [...command, '--db-path', path]));
      for (const args of runs) {
        const { code, out, err } = await runOffline(args, { dataDir });
        expect({ args, code, out, err }).toMatchObject({
          code: 1,
          out: '',
          err: expect.stringContaining('stop it first and try again'),
        });
        expect(hashesOf(dataDir)).toEqual(before);
      }
    });
    expect(existsSync(join(dataDir, 'copy'))).toBe(false);
  });

  test('a second name by a hard link is refused too', async () => {
    const dataDir = temporaryFolder();
    const manager = await start(dataDir);
    const other = join(dataDir, 'elsewhere');
    mkdirSync(other);
    const path = join(other, 'usage.sqlite');
    linkSync(join(dataDir, 'usage.sqlite'), path);
    await whilePaused(manager, async () => {
      const before = hashesOf(dataDir);
      const second = await ManagerProcess.runToEnd({ dataDir: other, env: { USAGE_DB_PATH: path } });
      expect(second.code).toBe(1);
      expect(second.output).toContain('hard links');
      for (const args of [['compact-usage'], ['cleanup-derived'], ['reset-admin-key']]) {
        const { code, err } = await runOffline([...args, '--db-path', path], { dataDir: other });
        expect({ args, code, err }).toMatchObject({ code: 1, err: expect.stringContaining('hard links') });
      }
      expect(hashesOf(dataDir)).toEqual(before);
      expect(existsSync(`${path}-wal`)).toBe(false);
    });
    expect((await manager.fetch('/health')).status).toBe(200);
    rmSync(other, { recursive: true });
    expect(await manager.stop()).toBe(0);
    checkStored(dataDir);
  });
});

describe('while a server runs, its files', () => {
  test.each([
    ['all', ['usage.sqlite', 'usage.sqlite-wal', 'usage.sqlite-shm']],
    ['the log', ['usage.sqlite-wal']],
    ['the lock', ['usage.sqlite.manager.lock']],
  ])('are moved away (%s): it stops storing, says so, and later events are not lost', async (_, names) => {
    const gateway = await startTestGateway();
    const dataDir = temporaryFolder();
    const elsewhere = temporaryFolder();
    try {
      const manager = await ManagerProcess.start({ dataDir, env: boundTo(gateway, 'subscribe') });
      managers.push(manager);
      await until(async () => (await readStatus(manager)).collector.collector === 'running', 'the subscription');
      await gateway.publish(eventWith({ request_id: 'before' }));
      await until(async () => (await readStatus(manager)).events === 1, 'the first event');
      for (const name of names) renameSync(join(dataDir, name), join(elsewhere, name));
      await manager.printed('was removed or replaced while the manager runs');
      await gateway.publish(eventWith({ request_id: 'after' }));
      const { collector } = await until(async () => {
        // Another reader of the database starts when the first one is slow, and finds no files.
        const status = await readStatus(manager).catch(() => null);
        return status?.collector.collector === 'error' ? status : null;
      }, 'the error');
      expect(collector.lastError).toContain('the database file was removed or replaced');
      const refused = await manager.fetch('/v0/management/model-prices', { method: 'PUT', body: '{"prices":{}}' });
      expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'database_replaced' }]);
      expect(await manager.stop()).toBe(0);
      // As a person does who puts the right files in place, whatever is there.
      for (const name of names) renameSync(join(elsewhere, name), join(dataDir, name));
      const again = await ManagerProcess.start({ dataDir, env: boundTo(gateway, 'subscribe') });
      managers.push(again);
      await until(async () => (await readStatus(again)).events === 2, 'both events');
    } finally {
      await gateway.stop();
      rmSync(elsewhere, { recursive: true });
    }
  });
});
