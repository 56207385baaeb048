import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { sampleRecords } from '@manager/server/events/testing/sample-records';
import { createTestIngester } from '@manager/server/events/testing/test-ingester';
import { SEGMENT_ROWS } from '@manager/server/facts/columns';
import { openDatabase } from '@manager/server/sqlite/open';
import { makeEvents } from '@manager/simulator';
import { checkRunning, checkStored } from '../support/after-crash.ts';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { fillVolume, mountSmallVolume } from '../support/small-volume.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

setDefaultTimeout(240_000);

/** A little less than a segment: the first events that arrive make one due. */
const STORED = SEGMENT_ROWS - 30;
const MIB = 2 ** 20;
const FULL = 'the disk is full; free space on the volume of the database (SQLITE_FULL)';
const FAILED = `sealing facts failed: ${FULL}; retrying`;
const WORKS = 'sealing facts works again';

const filled = temporaryFolder();
const cleanups: (() => void | Promise<void>)[] = [() => rmSync(filled, { recursive: true, force: true })];

beforeAll(() => {
  const { db, ingest } = createTestIngester(join(filled, 'usage.sqlite'));
  db.run('PRAGMA synchronous = OFF');
  const next = sampleRecords({ seed: 9 });
  const record = () => ({ text: next(), receivedAtMs: Date.now() });
  for (let stored = 0; stored < STORED; stored += 1_000) {
    ingest({ records: Array.from({ length: Math.min(1_000, STORED - stored) }, record) });
  }
  // The account feed would write about these events too, and compete for the space.
  db.run('DELETE FROM collected_batches');
  db.run('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}, 240_000);
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

interface Rig {
  readonly dataDir: string;
  readonly gateway: Simulator;
  readonly manager: ManagerProcess;
  /** Events the gateway sends at once; returns when all are stored. */
  collect(count: number): Promise<void>;
  send(count: number): Promise<void>;
  stored(): number;
}

async function start(): Promise<Rig> {
  const gateway = await startTestGateway({ retentionSeconds: 300 });
  const { folder: dataDir, unmount } = mountSmallVolume(200);
  cleanups.push(() => gateway.stop(), unmount);
  cpSync(filled, dataDir, { recursive: true });
  const manager = await ManagerProcess.start({ dataDir, env: boundTo(gateway) });
  cleanups.push(() => manager.kill());
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  const events = makeEvents({ seed: 12, numberFrom: 0 });
  let total = STORED;
  const send = async (count: number) => {
    total += count;
    await gateway.startTraffic({ rate: 1_000, total: count, events }).done;
  };
  return {
    dataDir,
    gateway,
    manager,
    send,
    async collect(count) {
      await send(count);
      await until(async () => (await readStatus(manager)).events === total, 'the events');
    },
    stored: () => total,
  };
}

interface Facts {
  readonly segments: number;
  /** Rows that are in no segment, and rows that are in one. */
  readonly tail: number;
  readonly sealed: number;
}

function facts(dataDir: string): Facts | null {
  const db = openDatabase(join(dataDir, 'usage.sqlite'), { readonly: true });
  const row = db
    .query<Facts, []>(
      `WITH until (id) AS (SELECT coalesce(max(last_event_id), 0) FROM fact_segments)
       SELECT
         (SELECT count(*) FROM fact_segments) AS segments,
         (SELECT count(*) FROM facts_tail WHERE event_id > (SELECT id FROM until)) AS tail,
         (SELECT count(*) FROM facts_tail WHERE event_id <= (SELECT id FROM until)) AS sealed`,
    )
    .get();
  db.close();
  return row;
}

async function failing({ manager }: Pick<Rig, 'manager'>): Promise<void> {
  const status = await until(async () => {
    const current = await readStatus(manager);
    return current.database.sealing === undefined ? null : current;
  }, 'sealing to fail');
  expect(status.database.sealing).toMatchObject({ error: FULL, sinceMs: expect.any(Number) });
  await manager.printed(FAILED);
  expect((await manager.fetch('/health')).status).toBe(200);
}

/** Sealing continues without a restart and without new events. */
async function sealedAlone({ dataDir, manager, stored }: Pick<Rig, 'dataDir' | 'manager' | 'stored'>): Promise<void> {
  // The log and the segment are retried every 30 s at the latest, one after the other.
  await until(async () => (await readStatus(manager)).database.sealing === undefined, 'sealing to work');
  await until(async () => (await readStatus(manager)).events === stored(), 'the events');
  await manager.printed(WORKS);
  expect(facts(dataDir)).toEqual({ segments: 1, tail: stored() - SEGMENT_ROWS, sealed: 0 });
  expect(await manager.stop()).toBe(0);
  expect(checkStored(dataDir)).toBe(stored());
}

test('a segment without free space does not exist at all; collecting continues, and it is sealed once there is space', async () => {
  const rig = await start();
  const { dataDir, manager, gateway } = rig;
  const free = fillVolume(dataDir, 5 * MIB);
  const freeSome = fillVolume(dataDir, 3 * MIB);
  await rig.collect(60);
  await failing(rig);
  expect(facts(dataDir)).toEqual({ segments: 0, tail: rig.stored(), sealed: 0 });
  // Space for events, not for a segment.
  freeSome();
  await rig.collect(20);
  const { collector: collecting, database } = await readStatus(manager);
  expect([collecting.collector, database.sealing?.error]).toEqual(['running', FULL]);

  // Events that then find no space wait in the collector.
  const freeRest = fillVolume(dataDir);
  await rig.send(2_000);
  const { collector } = await until(async () => {
    const status = await readStatus(manager);
    return status.collector.collector === 'error' ? status : null;
  });
  expect(collector.lastError).toBe(`consume: ${FULL}`);
  const tries = (manager.output.match(/sealing facts failed/g) ?? []).length;
  expect(tries).toBe(1);

  free();
  freeRest();
  await until(async () => (await readStatus(manager)).events === rig.stored(), 'the events that had found no room');
  await sealedAlone(rig);
  await gateway.stop();
});

/** The log's size beyond the segment varies with time, so the test searches for the free space that is too small for the rows. */
async function sealedWithoutDeletion(): Promise<{ readonly rig: Rig; free(): void }> {
  for (const room of [12, 13, 14, 15, 16, 18, 20]) {
    const rig = await start();
    const free = fillVolume(rig.dataDir, room * MIB);
    await rig.collect(60);
    await failing(rig);
    const found = facts(rig.dataDir);
    if (found?.segments === 1 && found.sealed > 0) {
      expect(found.tail).toBe(rig.stored() - SEGMENT_ROWS);
      return { rig, free };
    }
    expect(found).toEqual({ segments: 0, tail: rig.stored(), sealed: 0 });
    await rig.manager.kill();
    await rig.gateway.stop();
  }
  throw new Error('no room was enough for a segment and too little to delete its rows');
}

test('rows of a segment that cannot be deleted count once, and are deleted once there is room', async () => {
  const { rig, free } = await sealedWithoutDeletion();
  const { dataDir, gateway } = rig;
  checkRunning(dataDir);
  await rig.send(20);
  free();
  await sealedAlone(rig);
  await gateway.stop();
});

test('a server that is killed on a full disk starts there again, and seals once there is room', async () => {
  const rig = await start();
  const { dataDir, gateway } = rig;
  const free = fillVolume(dataDir, 3 * MIB);
  await rig.collect(60);
  await failing(rig);
  await rig.manager.kill();
  const freeRest = fillVolume(dataDir);
  const manager = await ManagerProcess.start({ dataDir, env: boundTo(gateway) });
  cleanups.push(() => manager.kill());
  const again = { ...rig, manager };
  await failing(again);
  expect(facts(dataDir)).toEqual({ segments: 0, tail: rig.stored(), sealed: 0 });
  checkRunning(dataDir);
  free();
  freeRest();
  await sealedAlone(again);
  await gateway.stop();
});
