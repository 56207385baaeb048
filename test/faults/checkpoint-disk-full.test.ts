import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { copyFileSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { sampleRecords } from '@manager/server/events/testing/sample-records';
import { createTestIngester } from '@manager/server/events/testing/test-ingester';
import { makeEvents } from '@manager/simulator';
import { checkRunning, checkStored } from '../support/after-crash.ts';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { fillVolume, mountSmallVolume } from '../support/small-volume.ts';
import { readExport, readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

setDefaultTimeout(240_000);

const NO_ROOM = 'the disk is full; free space on the volume of the database';
const MOVING = 'moving the write-ahead log into the database';
const INDEX_BLOCK_BYTES = 32_768;
/** Frames of the log that the first index block covers, and bytes of a frame. */
const FIRST_BLOCK_FRAMES = 4_062;
const FRAME_BYTES = 4_096 + 24;

const cleanups: (() => void | Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

async function volume(): Promise<{ dataDir: string; gateway: Simulator }> {
  const gateway = await startTestGateway({ retentionSeconds: 300 });
  const { folder: dataDir, unmount } = mountSmallVolume(100);
  cleanups.push(() => gateway.stop(), unmount);
  return { dataDir, gateway };
}

async function start(dataDir: string, gateway: Simulator): Promise<ManagerProcess> {
  const manager = await ManagerProcess.start({ dataDir, env: boundTo(gateway) });
  cleanups.push(() => manager.kill());
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  return manager;
}

const stores = (manager: ManagerProcess, events: number) =>
  until(async () => (await readStatus(manager)).events === events, `${events} events`);

/** The collector's state when the disk accepts no more writes. */
async function refused(manager: ManagerProcess): Promise<string> {
  const { collector } = await until(async () => {
    const status = await readStatus(manager);
    return status.collector.collector === 'error' ? status : null;
  }, 'the collector to say so');
  expect((await manager.fetch('/health')).status).toBe(200);
  return collector.lastError;
}

async function refusesToStart(dataDir: string, gateway: Simulator): Promise<void> {
  const { code, output } = await ManagerProcess.runToEnd({ dataDir, env: boundTo(gateway) });
  expect(code).toBe(1);
  expect(output).toContain('the disk of the database is full; free space and start again');
}

test('a checkpoint without free space leaves everything in the log, which stays readable, and continues once there is space', async () => {
  const { dataDir, gateway } = await volume();
  const manager = await start(dataDir, gateway);
  // The next one starts half a minute after the first.
  await until(async () => (await readStatus(manager)).database.checkpoint.executedAtMs > 0);
  const events = makeEvents({ seed: 3, numberFrom: 0 });
  await gateway.startTraffic({ rate: 1_000, total: 600, events }).done;
  await stores(manager, 600);
  const before = (await readStatus(manager)).database;
  const free = fillVolume(dataDir);
  const { error } = await until(async () => {
    const { checkpoint } = (await readStatus(manager)).database;
    return checkpoint.error === undefined ? null : checkpoint;
  }, 'a checkpoint to fail');
  expect(error).toBe(`${NO_ROOM} (SQLITE_FULL)`);
  await manager.printed(`${MOVING} failed: ${error}; retrying`);
  expect((await readExport(manager)).length).toBe(600);
  await gateway.startTraffic({ rate: 1_000, total: 50, events }).done;
  expect(await refused(manager)).toBe(`consume: ${NO_ROOM} (SQLITE_FULL)`);
  checkRunning(dataDir);

  free();
  await stores(manager, 650);
  const { database } = await until(async () => {
    const status = await readStatus(manager);
    return status.database.checkpoint.error === undefined ? status : null;
  }, 'a checkpoint to work');
  await manager.printed(`${MOVING} works again`);
  expect(database.checkpoint.logFrames).toBeGreaterThan(0);
  expect(database.databaseBytes).toBeGreaterThan(before.databaseBytes);
  expect((await readStatus(manager)).collector.collector).toBe('running');
  expect(new Set((await readExport(manager)).map((event) => event.request_id)).size).toBe(650);
  expect(await manager.stop()).toBe(0);
  expect(checkStored(dataDir)).toBe(650);
});

test('a stop on a full disk leaves everything in the log; a start there shows what to do; with space everything is there', async () => {
  const { dataDir, gateway } = await volume();
  const first = await start(dataDir, gateway);
  await until(async () => (await readStatus(first)).database.checkpoint.executedAtMs > 0);
  await gateway.startTraffic({ rate: 1_000, total: 600, events: makeEvents({ seed: 3, numberFrom: 0 }) }).done;
  await stores(first, 600);
  const free = fillVolume(dataDir);
  expect(await first.stop()).toBe(0);
  expect(statSync(join(dataDir, 'usage.sqlite-wal')).size).toBeGreaterThan(FRAME_BYTES * 100);
  const freeRest = fillVolume(dataDir);
  await refusesToStart(dataDir, gateway);
  free();
  freeRest();
  const manager = await start(dataDir, gateway);
  await stores(manager, 600);
  expect(await manager.stop()).toBe(0);
  expect(checkStored(dataDir)).toBe(600);
});

/** A data directory of a killed server: its log had grown, was moved, and was restarted. */
async function leaveLongLog(dataDir: string, gateway: Simulator): Promise<number> {
  const origin = temporaryFolder();
  cleanups.push(() => rmSync(origin, { recursive: true, force: true }));
  await (await start(origin, gateway)).stop();
  const path = join(origin, 'usage.sqlite');
  const { db, ingest } = createTestIngester(path);
  db.run('PRAGMA wal_autocheckpoint = 0');
  const next = sampleRecords({ seed: 8 });
  const insert = (count: number) =>
    ingest({ records: Array.from({ length: count }, () => ({ text: next(), receivedAtMs: Date.now() })) });
  let events = 0;
  while (statSync(`${path}-wal`).size < (FIRST_BLOCK_FRAMES + 500) * FRAME_BYTES) events += insert(50).inserted;
  db.run('PRAGMA wal_checkpoint(PASSIVE)');
  events += insert(1).inserted;
  for (const name of ['usage.sqlite', 'usage.sqlite-wal', 'data.key'])
    copyFileSync(join(origin, name), join(dataDir, name));
  db.close();
  return events;
}

test('a log that has room while its index finds none takes events up to there; what follows waits and is stored', async () => {
  const { dataDir, gateway } = await volume();
  const left = await leaveLongLog(dataDir, gateway);
  const manager = await start(dataDir, gateway);
  await stores(manager, left);
  const { walBytes, shmBytes } = (await readStatus(manager)).database;
  expect(walBytes).toBeGreaterThan(FIRST_BLOCK_FRAMES * FRAME_BYTES);
  expect(shmBytes).toBe(INDEX_BLOCK_BYTES);
  const free = fillVolume(dataDir);
  const total = 9_000;
  await gateway.startTraffic({ rate: 600, total, events: makeEvents({ seed: 3, numberFrom: 0 }) }).done;
  expect(await refused(manager)).toBe(`consume: ${NO_ROOM} (SQLITE_IOERR_SHMSIZE)`);
  expect((await readStatus(manager)).events).toBeGreaterThan(left);
  expect((await readStatus(manager)).database.walBytes).toBe(walBytes);
  checkRunning(dataDir);
  free();
  await stores(manager, left + total);
  expect(await manager.stop()).toBe(0);
  expect(checkStored(dataDir)).toBe(left + total);
});

test('a start without space for the index of the log reports that and changes nothing; with space everything is there', async () => {
  const { dataDir, gateway } = await volume();
  const left = await leaveLongLog(dataDir, gateway);
  const hashes = () => ['usage.sqlite', 'usage.sqlite-wal'].map((name) => Bun.hash(readFileSync(join(dataDir, name))));
  const before = hashes();
  const free = fillVolume(dataDir);
  await refusesToStart(dataDir, gateway);
  expect(hashes()).toEqual(before);
  free();
  const manager = await start(dataDir, gateway);
  await stores(manager, left);
  expect(await manager.stop()).toBe(0);
  expect(checkStored(dataDir)).toBe(left);
});
