import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { makeEvents, type Simulator, startSimulator } from '@manager/simulator';
import type { CollectorMode } from '../../platform/config/config.ts';
import { OperationError } from '../../sqlite/worker/errors.ts';
import type { CollectorStore, Ingest } from './ports.ts';
import { SPOOL_FILE } from './spool.ts';
import {
  type CollectorProcess,
  type Files,
  listening,
  type ProcessOptions,
  startProcess,
  storedDeadLetters,
  storedGaps,
  storedIds,
  temporaryFiles,
} from './testing.ts';

// The machine may be busy; every wait has its own shorter deadline.
setDefaultTimeout(180_000);

/** Of `startProcess`. */
const BATCH = 100;

let simulator: Simulator;
let files: Files;
let processes: CollectorProcess[];
let diskFull: boolean;
/** Batches that failed on the full disk. */
let refused: number;

beforeEach(async () => {
  simulator = await startSimulator();
  files = temporaryFiles();
  processes = [];
  diskFull = false;
  refused = 0;
});

afterEach(async () => {
  diskFull = false;
  for (const one of processes) await one.end();
  await simulator.stop();
  files.remove();
});

const full = () => new OperationError('SQLITE_FULL', 'database or disk is full');

const ingestOnFullDisk =
  (real: Ingest): Ingest =>
  async (batch) => {
    if (diskFull) {
      refused += 1;
      throw full();
    }
    return real(batch);
  };

const storeOnFullDisk = (real: CollectorStore): CollectorStore => ({
  ...real,
  heartbeat: async (heartbeat) => {
    if (diskFull) throw full();
    return real.heartbeat(heartbeat);
  },
  saveGap: async (gap) => {
    if (diskFull) throw full();
    return real.saveGap(gap);
  },
});

async function collect(mode: CollectorMode, options: Partial<ProcessOptions> = {}): Promise<CollectorProcess> {
  const process = await startProcess({
    files,
    connection: { baseUrl: simulator.url, managementKey: 'sim-management-key' },
    mode,
    ingest: ingestOnFullDisk,
    store: storeOnFullDisk,
    ...options,
  });
  processes.push(process);
  await process.start();
  return process;
}

const hex = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => (from + index).toString(16).padStart(8, '0'));

async function publish(from: number, count: number): Promise<void> {
  for (const event of makeEvents({ seed: from + 1, numberFrom: from }).take(count)) await simulator.publish(event);
}

const triedAgain = async () => {
  const before = refused;
  await until(() => refused >= before + 4, 'further tries');
};
const running = (process: CollectorProcess) => process.status().collector === 'running';
const spoolPath = () => join(files.directory, SPOOL_FILE);

/**
 * Two of them fill the 16 MiB for the database, and all together the 64 MiB that stay in memory where no file takes them. Larger ones
 * would be cut.
 */
const FILLER_IDS = ['a', 'b', 'c', 'd', 'e', 'f'];
const FILLERS = FILLER_IDS.map((id) => `{"request_id":"${id}","fail":{"body":"${id.repeat(11 * 1024 * 1024)}"}}`);

describe('the database is slower than the subscription', () => {
  test('two batches at most are in memory, the spool file takes the rest, and all are stored once', async () => {
    let slow = Promise.withResolvers<void>();
    slow.resolve();
    let begun = 0;
    const process = await collect('subscribe', {
      ingest: (real) => async (batch) => {
        begun += 1;
        await slow.promise;
        return real(batch);
      },
    });
    await until(() => running(process), 'running');
    slow = Promise.withResolvers<void>();
    await publish(0, 100);
    await until(() => begun === 1, 'the first batch');
    await publish(100, 900);
    await until(() => process.status().spooledRecords >= 1_000 - 2 * BATCH, 'spooled');
    // A kill now would lose what is in memory: nothing of the file.
    expect(readFileSync(spoolPath(), 'utf8').trimEnd().split('\n').length).toBeGreaterThanOrEqual(1_000 - 2 * BATCH);
    expect(process.status().collector).toBe('running');
    expect(process.status().totalInserted).toBe(0);
    slow.resolve();
    await until(() => process.status().totalInserted === 1_000, 'all stored');
    expect(storedIds(files)).toEqual(hex(0, 1_000));
    expect(process.status().totalSkipped).toBe(0);
  });

  test('events queued before the subscription are fetched into the spool file, as many as it should hold', async () => {
    await publish(0, 6_000);
    let slow = Promise.withResolvers<void>();
    const process = await collect('subscribe', {
      ingest: (real) => async (batch) => {
        await slow.promise;
        return real(batch);
      },
    });
    await until(() => process.status().spooledRecords >= 5_000, 'spooled');
    await publish(6_000, 1);
    await until(() => simulator.deliveries().delivered === 1, 'the push');
    expect(simulator.deliveries().popped).toBe(5_000);
    slow.resolve();
    slow = Promise.withResolvers<void>();
    slow.resolve();
    const seen = () => JSON.stringify([process.status(), simulator.deliveries(), storedGaps(files)]);
    await until(
      () => process.status().totalInserted === 6_001,
      () => `all stored: ${seen()}`,
    );
    expect(storedIds(files)).toEqual(hex(0, 6_001));
  });
});

describe('pops beside a database that does not take anything', () => {
  test.each(['http', 'resp'] satisfies CollectorMode[])(
    'mode %s: two batches are asked for, of any size',
    async (mode) => {
      diskFull = true;
      const process = await collect(mode, {
        settings: { batchSize: 7 },
        // Refuses late, so that pops go on beside the first batch.
        ingest: (real) => async (batch) => {
          await until(() => simulator.deliveries().popped >= 14, 'the second pop');
          return ingestOnFullDisk(real)(batch);
        },
      });
      await publish(0, 200);
      await triedAgain();
      expect(simulator.deliveries().popped).toBe(14);
      diskFull = false;
      await until(() => process.status().totalInserted === 200, 'all stored');
      expect(storedIds(files)).toEqual(hex(0, 200));
    },
  );
});

describe('the database is unavailable for a while', () => {
  test.each(['subscribe', 'http', 'resp'] satisfies CollectorMode[])('mode %s: nothing is lost', async (mode) => {
    const process = await collect(mode);
    await until(() => running(process), 'running');
    diskFull = true;
    await publish(0, 700);
    await until(() => process.status().collector === 'error', 'error');
    expect(process.status().lastError).toBe(
      'consume: the disk is full; free space on the volume of the database (SQLITE_FULL)',
    );
    await triedAgain();
    const popped = simulator.deliveries().popped;
    if (mode === 'subscribe') expect(simulator.subscribers()).toHaveLength(1);
    // Pops stop, so that the gateway keeps the rest.
    else expect(popped).toBeLessThanOrEqual(2 * BATCH);
    expect(process.status().lastInsertedAt).toBeLessThanOrEqual(process.status().lastConsumedAt);
    diskFull = false;
    await until(() => process.status().totalInserted === 700, 'all stored');
    await until(() => running(process), 'running');
    expect(process.status().lastError).toBe('');
    expect(storedIds(files)).toEqual(hex(0, 700));
    expect(storedGaps(files)).toEqual([]);
  });

  test('repeated errors are one line of the log', async () => {
    const process = await collect('subscribe');
    await until(() => running(process), 'running');
    diskFull = true;
    await publish(0, 1);
    await triedAgain();
    diskFull = false;
    await until(() => process.status().totalInserted === 1, 'stored');
    expect(process.log.filter((line) => line.includes('disk is full'))).toHaveLength(1);
  });

  test('memory full: records go to the spool file, and from there into the database', async () => {
    const process = await collect('subscribe');
    await listening(process, files);
    diskFull = true;
    for (const text of FILLERS) await simulator.publish(text);
    await until(() => process.status().collector === 'error', 'error');
    await publish(0, 40);
    await until(() => process.status().spooledRecords === 44, 'spooled');
    expect(statSync(spoolPath()).mode & 0o777).toBe(0o600);
    const lines = readFileSync(spoolPath(), 'utf8').trimEnd().split('\n');
    const spooled = lines.map((line) => JSON.parse(JSON.parse(line)).request_id);
    expect(spooled).toEqual([...FILLER_IDS.slice(2), ...hex(0, 40)]);
    expect(simulator.subscribers()).toHaveLength(1);
    diskFull = false;
    await until(() => process.status().spooledRecords === 0 && process.status().totalInserted === 46, 'replayed');
    await until(() => !existsSync(spoolPath()), 'removed');
    expect(storedIds(files)).toEqual([...hex(0, 40), ...FILLER_IDS]);
    expect(storedGaps(files)).toEqual([]);
  }, 180_000);

  test('a clock that is set back delays no record that waits for its batch', async () => {
    let aheadMs = 0;
    const now = () => Date.now() + aheadMs;
    const process = await collect('subscribe', { now, timing: { batchWaitMs: 1_000 } });
    await listening(process, files, now);
    await publish(0, 1);
    await until(() => process.status().lastConsumedAt !== null, 'received');
    aheadMs = -3_600_000;
    await until(() => process.status().totalInserted === 1, 'stored');
  });

  test('memory and spool full: the subscription is ended deliberately, and the gateway keeps later events', async () => {
    const process = await collect('subscribe', {
      files: { ...files, directory: join(files.databasePath, 'no-directory') },
    });
    await listening(process, files);
    diskFull = true;
    for (const text of FILLERS) await simulator.publish(text);
    await until(() => process.status().collector === 'error', 'error');
    await publish(0, 5);
    await until(() => simulator.subscribers().length === 0, 'left');
    await publish(5, 200);
    expect(simulator.queueLength()).toBeGreaterThanOrEqual(200);
    expect(process.status().lastError).toContain('disk is full');
    await triedAgain();
    expect(simulator.subscribers()).toHaveLength(0);
    diskFull = false;
    await until(() => process.status().totalInserted === 211, 'all stored');
    expect(storedIds(files)).toEqual([...hex(0, 205), ...FILLER_IDS]);
    expect(storedGaps(files)).toEqual([]);
    await until(() => running(process), 'running');
  }, 180_000);

  test('a stop spools records that cannot be stored, and the next start stores them', async () => {
    const first = await collect('subscribe');
    await until(() => running(first), 'running');
    diskFull = true;
    await publish(0, 30);
    await until(() => first.status().collector === 'error', 'error');
    await first.collector.stop();
    expect(first.status().spooledRecords).toBe(30);
    expect(readFileSync(spoolPath(), 'utf8').split('\n')).toHaveLength(31);
    diskFull = false;
    await first.end();
    const second = await collect('subscribe');
    await until(() => second.status().totalInserted === 30, 'stored');
    expect(storedIds(files)).toEqual(hex(0, 30));
    await until(() => !existsSync(spoolPath()), 'removed');
  });

  test('a start on a full disk waits, and consumes nothing before a heartbeat is stored', async () => {
    diskFull = true;
    const process = await collect('http', {
      store: (real) => ({
        ...storeOnFullDisk(real),
        begin: async (args) => {
          if (!diskFull) return real.begin(args);
          refused += 1;
          throw full();
        },
      }),
    });
    await publish(0, 10);
    await until(() => process.status().lastError.startsWith('consume: the disk is full'), 'error');
    expect(process.status().failedStage).toBe('consume');
    await triedAgain();
    expect(simulator.deliveries().popped).toBe(0);
    diskFull = false;
    await until(() => process.status().totalInserted === 10, 'stored');
  });
});

describe('the spool file of an earlier process', () => {
  test('is replayed at the start, without its torn last line, and removed', async () => {
    const texts = makeEvents({ seed: 3, numberFrom: 0 })
      .take(5)
      .map((event) => event.text);
    const lines = texts.map((text) => JSON.stringify(text));
    writeFileSync(spoolPath(), `${lines.join('\n')}\n${lines[0]?.slice(0, 50)}`, { mode: 0o600 });
    const process = await collect('subscribe');
    await until(() => process.status().totalInserted === 5, 'stored');
    await until(() => !existsSync(spoolPath()), 'removed');
    expect(storedIds(files)).toEqual(hex(0, 5));
    expect(storedDeadLetters(files)).toEqual([]);
  });

  test('damaged lines become dead letters, and a record that is not quoted an event', async () => {
    const texts = makeEvents({ seed: 3, numberFrom: 0 })
      .take(4)
      .map((event) => event.text);
    const [one = '', two = '', three = '', four = ''] = texts;
    const damaged = JSON.stringify(two).replace('model', '\0\0\0\0');
    const lines = [JSON.stringify(one), damaged, three, '\0'.repeat(4_096), '7', JSON.stringify(four)];
    writeFileSync(spoolPath(), `${lines.join('\n')}\n`, { mode: 0o600 });
    const process = await collect('subscribe');
    await until(() => process.status().totalInserted === 3, 'stored');
    await until(() => !existsSync(spoolPath()), 'removed');
    expect(storedIds(files)).toEqual([...hex(0, 1), ...hex(2, 2)]);
    expect(storedDeadLetters(files)).toHaveLength(3);
    expect(process.status().spooledRecords).toBe(0);
  });

  test('replayed twice, its events are stored once', async () => {
    const texts = makeEvents({ seed: 3, numberFrom: 0 })
      .take(5)
      .map((event) => event.text);
    const content = texts.map((text) => `${JSON.stringify(text)}\n`).join('');
    writeFileSync(spoolPath(), content, { mode: 0o600 });
    const first = await collect('subscribe');
    await until(() => !existsSync(spoolPath()), 'removed');
    await first.end();
    writeFileSync(spoolPath(), content, { mode: 0o600 });
    const second = await collect('subscribe');
    await until(() => second.status().totalSkipped === 5, 'skipped');
    expect(storedIds(files)).toEqual(hex(0, 5));
  });
});
