import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import { type ManagerOptions, ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { runOffline } from '../support/offline-command.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, startTestGateway } from '../support/test-gateway.ts';

setDefaultTimeout(120_000);

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function newFolder(): string {
  const folder = temporaryFolder();
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What a file should not be. Opening the first waits for a second process, so a careless program never ends. */
const KINDS = ['pipe', 'directory', 'socket', 'device'] as const;
type Kind = (typeof KINDS)[number];

async function make(kind: Kind, path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (kind === 'directory') mkdirSync(path);
  else if (kind === 'socket') {
    const server = createServer();
    await new Promise<void>((ready) => server.listen(path, ready));
    cleanups.push(() => server.close());
  } else {
    const args = kind === 'pipe' ? ['mkfifo', path] : ['mknod', path, 'c', '1', '3'];
    if (Bun.spawnSync(args).exitCode !== 0) throw new Error(`no ${kind} at ${path}`);
  }
}

/** Only root makes devices. */
const kinds = KINDS.filter((kind) => kind !== 'device' || process.getuid?.() === 0);

describe.each(kinds)('a %s', (kind) => {
  test.each([
    ['the data key', 'data.key', {}],
    ['the database', 'usage.sqlite', {}],
    ['the lock file', 'usage.sqlite.manager.lock', {}],
    ['the configuration', 'config.json', { MANAGER_CONFIG: 'config.json' }],
  ])('in place of %s ends the start with a reason', async (_, name, env) => {
    const dataDir = newFolder();
    const path = join(dataDir, name);
    await make(kind, path);
    const { code, output } = await ManagerProcess.runToEnd({ dataDir, env });
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(`${path} is not a regular file`) });
    expect(output).not.toContain('    at ');
  });

  test('in place of the spool file is reported; events are collected and nothing is removed', async () => {
    const dataDir = newFolder();
    const path = join(dataDir, 'collector-spool.jsonl');
    await make(kind, path);
    const gateway = await startTestGateway();
    cleanups.push(() => gateway.stop());
    const manager = await started({ dataDir, env: boundTo(gateway, 'subscribe') });
    await until(async () => (await readStatus(manager)).collector.collector === 'running');
    await manager.printed(`${path} is not a regular file`);
    const events = makeEvents({ seed: 5, numberFrom: 0 });
    for (let count = 0; count < 20; count += 1) await gateway.publish(events.next().value.text);
    await until(async () => (await readStatus(manager)).events === 20, 'the events');
    expect(await manager.stop()).toBe(0);
    expect(statSync(path).isFile()).toBe(false);
  });

  test('in place of a key file is reported, and the manager starts without that key', async () => {
    const dataDir = newFolder();
    const path = join(dataDir, 'admin-key');
    await make(kind, path);
    const manager = await started({ dataDir, adminKey: '', env: { MANAGER_ADMIN_KEY_FILE: path } });
    expect(manager.output).toMatch(/MANAGER_ADMIN_KEY_FILE: the secret file is/);
  });

  test('is refused by every command that opens a file', async () => {
    const dataDir = newFolder();
    await (await started({ dataDir })).stop();
    const path = join(dataDir, 'special');
    await make(kind, path);
    const snapshot = join(dataDir, 'snapshot');
    const keyPath = join(dataDir, 'data.key');
    writeFileSync(keyPath, Buffer.alloc(32, 7).toString('base64'), { mode: 0o600 });
    const data = ['--snapshot-dir', snapshot, '--data-key-path', keyPath];
    await refused(['import-database', '--from', path], dataDir, 'is not a database');
    await refused(['reset-admin-key', '--admin-key-file', path], dataDir, 'admin-key-file');
    await refused(
      ['store-upstream-connection', '--upstream-base-url', 'http://127.0.0.1:1', '--management-key-file', path],
      dataDir,
      'management-key-file',
    );
    await refused(
      ['sanitize-runtime-config', '--input', path, '--output', join(dataDir, 'out')],
      dataDir,
      'not a regular file',
    );
    const config = join(dataDir, 'a-config.json');
    writeFileSync(config, '{}');
    await refused(['sanitize-runtime-config', '--input', config, '--output', path], dataDir, 'not a regular file');
    await refused(['compact-usage', '--db-path', path], dataDir, 'not a regular file');
    await refused(
      ['manager-data-snapshot', 'create', '--snapshot-dir', snapshot, '--data-key-path', path],
      dataDir,
      'not a regular file',
    );
    const created = await runOffline(['manager-data-snapshot', 'create', ...data], { dataDir });
    expect(created).toMatchObject({ code: 0 });
    const before = readFileSync(join(dataDir, 'usage.sqlite'));
    for (const [name, reason] of [
      ['database', 'the database file of the database snapshot is damaged'],
      ['manifest.json', 'is not a database snapshot'],
    ] as const) {
      rmSync(join(snapshot, name));
      await make(kind, join(snapshot, name));
      await refused(['manager-data-snapshot', 'restore', ...data], dataDir, reason);
    }
    expect(readFileSync(join(dataDir, 'usage.sqlite')).equals(before)).toBe(true);
  });
});

test('a pipe may bring a key, as shells and service managers pass them', async () => {
  const dataDir = newFolder();
  const path = join(dataDir, 'admin-key');
  await make('pipe', path);
  const writer = Bun.spawn(['sh', '-c', 'printf "%s\\n" key-from-a-pipe-of-a-shell > "$0"', path]);
  cleanups.push(() => writer.kill('SIGKILL'));
  const manager = await started({ dataDir, adminKey: '', env: { MANAGER_ADMIN_KEY_FILE: path } });
  expect(manager.output).not.toContain('the secret file is');
  const answer = await fetch(`${manager.url}/status`, {
    headers: { Authorization: 'Bearer key-from-a-pipe-of-a-shell' },
  });
  expect(answer.status).toBe(200);
});

test('a data key that others can read is reported with the command that ends it', async () => {
  const dataDir = newFolder();
  await (await started({ dataDir })).stop();
  const path = join(dataDir, 'data.key');
  chmodSync(path, 0o644);
  const manager = await started({ dataDir });
  expect(manager.output).toContain(`${path} can be used by other users (mode 0644)`);
  expect(manager.output).toContain(`chmod 600 ${path}`);
  await manager.stop();
  chmodSync(path, 0o600);
  expect((await started({ dataDir })).output).not.toContain('other users');
});

async function started(options: ManagerOptions): Promise<ManagerProcess> {
  const manager = await ManagerProcess.start(options);
  cleanups.push(() => manager.kill());
  return manager;
}

async function refused(args: readonly string[], dataDir: string, reason: string): Promise<void> {
  const { code, err } = await runOffline(args, { dataDir });
  expect({ args, code, err }).toEqual({ args, code: 1, err: expect.stringContaining(reason) });
  expect(err.trim().split('\n').at(-1)).toStartWith(`${args[0]}: `);
}
