import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { makeEvents, type Simulator } from '@manager/simulator';
import { allStored } from '../support/all-stored.ts';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { fillVolume, mountSmallVolume } from '../support/small-volume.ts';
import { readExport, readStatus } from '../support/status.ts';
import { boundTo, startTestGateway } from '../support/test-gateway.ts';

// The full size is 50 kills per mode and twice the traffic: MANAGER_FULL_FAULTS=1.
const FULL = process.env.MANAGER_FULL_FAULTS === '1';
const KILLS = FULL ? 50 : 2;
const BACKLOG = FULL ? 1_000 : 500;
const RATE = FULL ? 500 : 250;
/** Modes, each with its `USAGE_BATCH_SIZE`. At this gateway `auto` subscribes. */
const MODES = (
  [
    ['auto', 40],
    ['subscribe', 40],
    ['http', 40],
    ['resp', 100],
  ] as const
).filter(([mode]) => FULL || mode !== 'subscribe');
const POP_MODES = MODES.filter(([mode]) => mode === 'http' || mode === 'resp');

const cleanups: (() => void | Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

function ownFolder(): string {
  const folder = temporaryFolder();
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Life {
  readonly startedAtMs: number;
  readonly killedAtMs: number;
}

/** Events that a killed manager was handed and that are not in the database in the end. */
interface Loss {
  readonly asked: number;
  readonly pushed: number;
  /** Pushed after the last one that was stored or spooled: they may not even have been read from the socket. */
  readonly onTheWay: number;
}

/** A gateway, and a manager that is killed again and again on one data directory. */
async function rig(mode: string, batchSize: number, dataDir = ownFolder()) {
  const gateway = await startTestGateway({ retentionSeconds: 3_600 });
  cleanups.push(() => gateway.stop());
  const options = { dataDir, env: { ...boundTo(gateway, mode), USAGE_BATCH_SIZE: String(batchSize) } };
  const lives: Life[] = [];
  const events = makeEvents({ seed: 5, numberFrom: 0 });
  let startedAtMs = 0;
  async function start(): Promise<ManagerProcess> {
    startedAtMs = gateway.now();
    const manager = await ManagerProcess.start(options);
    cleanups.push(async () => {
      if (manager.running) await manager.kill();
    });
    return manager;
  }
  return {
    upstream: gateway,
    dataDir,
    events,
    start,
    async kill(manager: ManagerProcess): Promise<void> {
      lives.push({ startedAtMs, killedAtMs: gateway.now() });
      await manager.kill();
    },
    /** Of each life. */
    async lost(): Promise<Loss[]> {
      const manager = await start();
      await allStored(manager, gateway, events.next().value);
      const stored = new Set((await readExport(manager)).map((event) => Number.parseInt(event.request_id, 16)));
      await manager.stop();
      return lives.map((life) => {
        const handedOver = (state: 'popped' | 'delivered') =>
          Array.from({ length: gateway.deliveries().published }, (_, number) => number).filter((number) => {
            const fate = gateway.fate(number);
            return fate?.state === state && life.startedAtMs <= fate.atMs && fate.atMs <= life.killedAtMs;
          });
        const pushed = handedOver('delivered');
        const missing = pushed.filter((number) => !stored.has(number));
        const newest = pushed.findLast((number) => stored.has(number)) ?? -1;
        return {
          asked: handedOver('popped').filter((number) => !stored.has(number)).length,
          pushed: missing.filter((number) => number < newest).length,
          onTheWay: missing.filter((number) => number > newest).length,
        };
      });
    },
  };
}

/** Numbers from 0 to 1, the same in every run. */
function* fractions(): Generator<number, never> {
  for (let value = 0.5; ; ) {
    value = (value + 0.6180339887) % 1;
    yield value;
  }
}

async function publish(gateway: Simulator, events: ReturnType<typeof makeEvents>, count: number): Promise<void> {
  for (const event of events.take(count)) await gateway.publish(event);
}

function expectAtMostTwoBatches(mode: string, losses: readonly Loss[], batchSize: number): void {
  const shown = losses.map(({ asked, pushed, onTheWay }) => `${asked} + ${pushed} + ${onTheWay}`);
  console.log(`${mode}, asked for + pushed + on the way, lost by each kill: ${shown.join(', ')}`);
  expect(losses.filter(({ asked, pushed }) => asked + pushed > 2 * batchSize)).toEqual([]);
}

describe(`killed ${KILLS} times while ${BACKLOG} queued events are fetched and ${RATE} new ones arrive per second`, () => {
  test.each(MODES)(
    'mode %s, batches of %d: a kill costs at most two',
    async (mode, batchSize) => {
      const { upstream: gateway, events, start, kill, lost } = await rig(mode, batchSize);
      const chance = fractions();
      for (let round = 0; round < KILLS; round += 1) {
        await publish(gateway, events, BACKLOG);
        const before = gateway.deliveries().popped;
        const manager = await start();
        const traffic = gateway.startTraffic({ rate: RATE, events });
        const moment = before + Math.ceil(chance.next().value * BACKLOG);
        await until(() => gateway.deliveries().popped >= moment, 'the moment of the kill');
        // Anywhere between a pop and its commit.
        await Bun.sleep(chance.next().value * 30);
        await kill(manager);
        traffic.stop();
      }
      expectAtMostTwoBatches(mode, await lost(), batchSize);
    },
    240_000,
  );
});

describe('killed while the database takes nothing', () => {
  test.each(MODES)(
    'mode %s, batches of %d, locked: a kill costs at most two',
    async (mode, batchSize) => {
      const { upstream: gateway, dataDir, events, start, kill, lost } = await rig(mode, batchSize);
      const manager = await start();
      await until(async () => (await readStatus(manager)).collector.collector === 'running');
      const lock = new Database(join(dataDir, 'usage.sqlite'));
      lock.run('PRAGMA busy_timeout = 60000');
      lock.run('BEGIN IMMEDIATE');
      const traffic = gateway.startTraffic({ rate: RATE, events });
      await until(() => gateway.deliveries().published >= RATE * 2, 'traffic');
      // After its patience with the lock the writer refuses, and tries again and again.
      await until(async () => (await readStatus(manager)).collector.collector === 'error', 'the refusal');
      const published = gateway.deliveries().published;
      await until(() => gateway.deliveries().published >= published + RATE * 2, 'more traffic');
      traffic.stop();
      await until(async () => {
        const { popped, delivered } = gateway.deliveries();
        return (await readStatus(manager)).collector.spooledRecords >= popped + delivered - 2 * batchSize;
      }, 'the rest in the spool file');
      await kill(manager);
      lock.run('ROLLBACK');
      lock.close();
      expectAtMostTwoBatches(mode, await lost(), batchSize);
    },
    240_000,
  );

  test.each(POP_MODES)(
    'mode %s, batches of %d, disk full: a kill costs at most two',
    async (mode, batchSize) => {
      const { folder, unmount } = mountSmallVolume(200);
      cleanups.push(unmount);
      const { upstream: gateway, events, start, kill, lost } = await rig(mode, batchSize, folder);
      const manager = await start();
      await until(async () => (await readStatus(manager)).collector.collector === 'running');
      const freeVolume = fillVolume(folder);
      const traffic = gateway.startTraffic({ rate: RATE, events });
      await until(async () => (await readStatus(manager)).collector.collector === 'error', 'the refusal');
      const published = gateway.deliveries().published;
      await until(() => gateway.deliveries().published >= published + RATE * 2, 'more traffic');
      await kill(manager);
      traffic.stop();
      freeVolume();
      expectAtMostTwoBatches(mode, await lost(), batchSize);
    },
    240_000,
  );
});
