import { afterAll, expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { makeEvents } from '@manager/simulator';
import { checkStored } from '../support/after-crash.ts';
import { ImportSessions, sha256 } from '../support/import-session.ts';
import { ManagerProcess } from '../support/manager-process.ts';
import { runOffline } from '../support/offline-command.ts';
import { fillVolume, mountSmallVolume } from '../support/small-volume.ts';

const EVENTS = 6_000;
const CHUNK_BYTES = 2 ** 20;

const cleanups: (() => void | Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

const generated = makeEvents({ seed: 6, numberFrom: 0 }).take(EVENTS);
const FILE = Buffer.from(generated.map(({ text }) => `${text}\n`).join(''));

async function start(): Promise<{ sessions: ImportSessions; dataDir: string }> {
  const { folder: dataDir, unmount } = mountSmallVolume(100);
  cleanups.push(unmount);
  const env = { USAGE_IMPORT_CHUNK_BYTES: String(CHUNK_BYTES) };
  const manager = await ManagerProcess.start({ dataDir, env });
  cleanups.push(() => manager.kill());
  return { sessions: new ImportSessions(manager), dataDir };
}

const isHealthy = async ({ manager }: ImportSessions) => (await manager.fetch('/health')).status === 200;

/**
 * The first answer to a new name of a key that refuses it. A write-ahead log that was just moved into the database is written
 * again from its beginning, so some names find room on a full volume; each of them is stored.
 */
async function firstRefusedName(manager: ManagerProcess): Promise<{ status: number; body: unknown }> {
  const path = '/v0/management/api-key-aliases';
  const stored: string[] = [];
  for (let number = 0; number < 1_000; number++) {
    const alias = `name-${number}`;
    const items = [{ apiKeyHash: number.toString(16).padStart(64, '0'), alias }];
    const answer = await manager.fetch(path, { method: 'PUT', body: JSON.stringify({ items }) });
    if (answer.ok) {
      stored.push(alias);
      continue;
    }
    const kept = await manager.json<{ items: { alias: string }[] }>(path);
    expect(kept.items.map((item) => item.alias).sort()).toEqual(stored.sort());
    return { status: answer.status, body: await answer.json() };
  }
  throw new Error('the volume is not full');
}

test('a full disk refuses a chunk as a whole, and the upload continues when there is space', async () => {
  const { sessions, dataDir } = await start();
  const { id } = await sessions.create(FILE.length);
  await sessions.chunk(id, FILE, 0, CHUNK_BYTES);
  const free = fillVolume(dataDir);
  const refused = await sessions.chunk(id, FILE, CHUNK_BYTES, CHUNK_BYTES);
  const full = expect.stringContaining('the disk is full; free space on the volume');
  expect(refused).toMatchObject({ status: 500, code: 'usage_import_session_unavailable', error: full });
  expect(await firstRefusedName(sessions.manager)).toEqual({ status: 507, body: { code: 'disk_full', error: full } });
  expect(await isHealthy(sessions)).toBe(true);
  const received = { received_bytes: CHUNK_BYTES, received_prefix_sha256: sha256(FILE.subarray(0, CHUNK_BYTES)) };
  expect(await sessions.read(id)).toMatchObject({ status: 'uploading', ...received });
  expect(statSync(join(dataDir, 'usage-imports', `${id}.part`)).size).toBe(CHUNK_BYTES);
  free();
  await sessions.upload(await sessions.read(id), FILE);
  expect(await sessions.import(id)).toMatchObject({ status: 'completed', result: { added: EVENTS } });
  await sessions.manager.stop();
  expect(checkStored(dataDir)).toBe(EVENTS);

  fillVolume(dataDir);
  const snapshot = ['--snapshot-dir', join(dataDir, 'snapshot'), '--data-key-path', join(dataDir, 'data.key')];
  for (const args of [['reset-admin-key'], ['manager-data-snapshot', 'create', ...snapshot]]) {
    const { code, err } = await runOffline(args, { dataDir });
    expect([args[0], code, err]).toEqual([args[0], 1, expect.stringContaining('the disk is full')]);
  }
});

test('an upload can be canceled on a full disk', async () => {
  const { sessions, dataDir } = await start();
  const { id } = await sessions.create(FILE.length);
  await sessions.chunk(id, FILE, 0, CHUNK_BYTES);
  fillVolume(dataDir);
  expect(await sessions.cancel(id)).toMatchObject({ status: 200, session: { status: 'cancelled' } });
});

test('a disk that runs full during an import leaves whole batches, and the import can be repeated', async () => {
  const { sessions, dataDir } = await start();
  const { id } = await sessions.upload(await sessions.create(FILE.length), FILE);
  const free = fillVolume(dataDir, 3 * 2 ** 20);
  const failed = await sessions.import(id);
  expect(failed).toMatchObject({ status: 'failed', retryable: true, has_error: true });
  expect(failed.error).toStartWith('the disk is full; stored events stay');
  expect(await isHealthy(sessions)).toBe(true);
  const stored = failed.result?.added ?? 0;
  expect(stored).toBeLessThan(EVENTS);
  free();
  expect(await sessions.import(id)).toMatchObject({
    status: 'completed',
    result: { added: EVENTS - stored, skipped: stored, total: EVENTS },
  });
  await sessions.manager.stop();
  expect(checkStored(dataDir)).toBe(EVENTS);
});
