import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openMigrated } from '@manager/server/schema/open-migrated';
import { openDatabase } from '@manager/server/sqlite/open';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { runOffline } from '../support/offline-command.ts';

setDefaultTimeout(120_000);

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const KEYS = { before: Buffer.alloc(32, 1).toString('base64'), after: Buffer.alloc(32, 2).toString('base64') };

/** A database snapshot `snap` of the state `before`, and a live state `after`. */
async function prepared(): Promise<string> {
  const folder = temporaryFolder();
  folders.push(folder);
  openMigrated(join(folder, 'usage.sqlite'), { now: Date.now }).close();
  put(folder, 'before');
  expect(await snapshot(folder, 'create', 'snap')).toMatchObject({ code: 0 });
  put(folder, 'after');
  return folder;
}

function put(folder: string, state: keyof typeof KEYS): void {
  const db = openDatabase(join(folder, 'usage.sqlite'));
  db.query("INSERT OR REPLACE INTO settings (key, value, updated_at_ms) VALUES ('marker', ?, 0)").run(state);
  db.close();
  writeFileSync(join(folder, 'data.key'), KEYS[state], { mode: 0o600 });
}

function stateOf(folder: string): [database: string, key: string] {
  const db = openDatabase(join(folder, 'usage.sqlite'), { readonly: true });
  const { value } = db.query<{ value: string }, []>("SELECT value FROM settings WHERE key = 'marker'").get() ?? {};
  db.close();
  return [String(value), readFileSync(join(folder, 'data.key'), 'utf8')];
}

const snapshot = (dataDir: string, action: string, name: string, stopAt?: string) =>
  runOffline(['manager-data-snapshot', action, '--snapshot-dir', name, '--data-key-path', join(dataDir, 'data.key')], {
    dataDir,
    ...(stopAt === undefined ? {} : { stopAt }),
  });

const leftovers = (folder: string) =>
  readdirSync(folder).filter((name) => name.endsWith('.tmp') || name.endsWith('.restore'));

test.each([
  ['restore-staged', 'after', 'before it changed anything'],
  ['restore-recorded', 'before', 'was completed now'],
  ['restore-aside', 'before', 'was completed now'],
  ['restore-moved', 'before', 'was completed now'],
] as const)('a restore that was killed at %s is settled by the next command: %s', async (stopAt, state, said) => {
  const folder = await prepared();
  expect((await snapshot(folder, 'restore', 'snap', stopAt)).code).toBeNull();
  expect(leftovers(folder)).not.toEqual([]);
  const next = await snapshot(folder, 'create', 'other');
  expect([next.code, next.err]).toEqual([0, expect.stringContaining(said)]);
  expect(stateOf(folder)).toEqual([state, KEYS[state]]);
  expect(leftovers(folder)).toEqual([]);
});

test('a start completes it too, and begins no empty database', async () => {
  const folder = await prepared();
  expect((await snapshot(folder, 'restore', 'snap', 'restore-aside#2')).code).toBeNull();
  expect(existsSync(join(folder, 'usage.sqlite')) && existsSync(join(folder, 'data.key'))).toBe(false);
  const manager = await ManagerProcess.start({ dataDir: folder });
  await manager.stop();
  expect(manager.output).toContain('interrupted and was completed now');
  expect(stateOf(folder)).toEqual(['before', KEYS.before]);
  expect(leftovers(folder)).toEqual([]);
  await manager.remove();
});
