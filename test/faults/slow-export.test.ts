import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import { checkStored } from '../support/after-crash.ts';
import { watchAnswers, withinMs } from '../support/answer-times.ts';
import { ExportReader } from '../support/export-reader.ts';
import { GatewayProcess } from '../support/gateway-process.ts';
import { ImportSessions } from '../support/import-session.ts';
import { ManagerProcess } from '../support/manager-process.ts';
import { NumberSet } from '../support/number-set.ts';
import { logBytes, type ResourceSample, watchResources } from '../support/resources.ts';
import { readStatus } from '../support/status.ts';
import { boundTo } from '../support/test-gateway.ts';

// The full size reads slowly for nine minutes: MANAGER_FULL_FAULTS=1.
const FULL = process.env.MANAGER_FULL_FAULTS === '1';
const FILE_EVENTS = FULL ? 20_000 : 4_000;
const STORED_FILES = FULL ? 5 : 4;
const LATER_FILES = FULL ? 2 : 1;
const SLOW_MS = FULL ? 540_000 : 6_000;
const TOGETHER_MS = FULL ? 240_000 : 2_000;
const EVENTS_PER_SECOND = 500;
const SLOW_BYTES_PER_SECOND = 50_000;

const MIB = 2 ** 20;
const LOG_LIMIT_BYTES = 256 * MIB;
/** What the buffers of two sockets hold at most. While more than this is missing, the server has not finished an export. */
const SOCKET_BYTES = 12 * MIB;
/** Largest result of one socket read: a slow client may be ahead of or behind its pace by this. */
const READ_BYTES = MIB;
/** Log frames that may belong to a write that has just started. */
const LAST_FRAMES = 1_024;
/**
 * Sealing 65,536 facts takes 100 MiB for a second. With exports and an import at the same time, all threads have garbage at once.
 */
const RESIDENT_LIMIT_BYTES = { slow: 400 * MIB, together: 600 * MIB };
/** How much more memory the last quarter of a slow export may take than the second. */
const FLAT_BYTES = 24 * MIB;
/** Other tests use the same machine, and this one reads three exports at full speed. */
const ANSWER_MS = { p99: 2_000, most: 5_000 };
const EXPORT = '/v0/management/usage/export';

let gateway: GatewayProcess;
let manager: ManagerProcess;
/** Every event has its own number, wherever it comes from. */
let nextNumber = 0;
/** Size of an export of all that the first test left. */
let wholeBytes = 0;

beforeAll(async () => {
  gateway = await GatewayProcess.start();
  manager = await ManagerProcess.start({ env: boundTo(gateway) });
  for (let file = 0; file < STORED_FILES; file++) {
    const answer = await manager.fetch('/v0/management/usage/import', { method: 'POST', body: makeFile() });
    expect(await answer.json()).toMatchObject({ added: FILE_EVENTS, failed: 0 });
  }
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
}, 600_000);

afterAll(async () => {
  await manager.remove();
  await gateway.stop();
});

/** Events of the last month, so that they lie before and after everything an export has read. */
function makeFile(): Buffer {
  const numberFrom = nextNumber;
  nextNumber += FILE_EVENTS;
  const monthMs = 30 * 86_400_000;
  const fromMs = Date.now() - monthMs - 3_600_000;
  let made = 0;
  const now = () => Math.floor(fromMs + (monthMs * made++) / FILE_EVENTS);
  const events = makeEvents({ seed: numberFrom + 1, numberFrom, now }).take(FILE_EVENTS);
  return Buffer.from(events.map(({ text }) => `${text}\n`).join(''));
}

function megabytes(bytes: number): number {
  return Math.round(bytes / MIB);
}

function resumeKey(number: number): string {
  return number.toString(16).padStart(32, '0');
}

interface Collected {
  readonly events: number;
  readonly perSecond: number;
}

/** Sends requests at the gateway until `stop`, which waits until all are stored. */
async function startCollecting(): Promise<{ stop(): Promise<Collected> }> {
  const numberFrom = nextNumber;
  const startedMs = performance.now();
  const traffic = await gateway.startTraffic(EVENTS_PER_SECOND, { seed: numberFrom + 1, numberFrom });
  return {
    async stop() {
      const events = await traffic.stop();
      const perSecond = events / ((performance.now() - startedMs) / 1000);
      nextNumber += events;
      // Missing events are found in the final comparison.
      await until(async () => (await storedEvents()) >= nextNumber).catch(() => {});
      return { events, perSecond };
    },
  };
}

async function storedEvents(): Promise<number> {
  return (await readStatus(manager)).events;
}

interface OpenExport {
  readonly reader: ExportReader;
  readonly storedBefore: number;
  readonly storedAfter: number;
}

/** Starts an export, with the range of event numbers that it must contain. Waits for a slot that is being released. */
async function openExport(bytesPerSecond: number): Promise<OpenExport> {
  const deadlineMs = performance.now() + 5_000;
  for (;;) {
    const storedBefore = await storedEvents();
    const reader = await ExportReader.open(manager, bytesPerSecond);
    if (reader.status === 200) return { reader, storedBefore, storedAfter: await storedEvents() };
    reader.abort();
    expect(reader.status).toBe(503);
    if (performance.now() > deadlineMs) throw new Error('the slot of an export that has ended was not given back');
    await Bun.sleep(50);
  }
}

/** Waits for the end of an export, which must contain exactly what was stored at its start. */
async function checkExport({ reader, storedBefore, storedAfter }: OpenExport): Promise<void> {
  expect(await reader.end()).toBe(true);
  expect(reader.problems).toEqual([]);
  expect(reader.rows).toBe(reader.numbers.size);
  expect(reader.rows).toBeGreaterThanOrEqual(storedBefore);
  expect(reader.rows).toBeLessThanOrEqual(storedAfter);
}

/** Idle, with nothing missing and no duplicates. Returns the size in bytes. */
async function checkEverythingStored(): Promise<number> {
  const { dropped, queued, buffered } = await gateway.deliveries();
  const { events, collector } = await readStatus(manager);
  expect({ dropped, queued, buffered, events, gaps: collector.gaps }).toMatchObject({
    dropped: 0,
    queued: 0,
    buffered: 0,
    events: nextNumber,
    gaps: { count: 0 },
  });
  const whole = await openExport(Number.POSITIVE_INFINITY);
  await checkExport(whole);
  expect(whole.reader.rows).toBe(nextNumber);
  expect(whole.reader.numbers.has(nextNumber)).toBe(false);
  return whole.reader.bytes;
}

function peaks(samples: readonly ResourceSample[]): { readonly log: number; readonly resident: number } {
  return {
    log: Math.max(...samples.map(({ logBytes }) => logBytes)),
    resident: Math.max(...samples.map(({ residentBytes }) => residentBytes)),
  };
}

/** Median memory in a part of the time, from 0 to 1. */
function typicalMemory(samples: readonly ResourceSample[], from: number, to: number): number {
  const part = samples.slice(Math.floor(samples.length * from), Math.floor(samples.length * to));
  const sorted = part.map(({ residentBytes }) => residentBytes).toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/**
 * No reader holds an old state of the database: every frame of the log, except those of the last moment, can be moved into the
 * file. A reader that holds a snapshot would show here after seconds, and in the log's size after minutes.
 */
async function checkNoSnapshotHeld(): Promise<void> {
  const db = new Database(join(manager.dataDir, 'usage.sqlite'));
  try {
    const state = db.query<{ log: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(passive)');
    await until(() => {
      const row = state.get();
      return row !== null && row.log - row.checkpointed <= LAST_FRAMES;
    }, 'the log to be moved into the database');
  } finally {
    db.close();
  }
}

test(`an export read at ${SLOW_BYTES_PER_SECOND / 1000} KB/s for ${SLOW_MS / 1000} s, with ${EVENTS_PER_SECOND} events/s`, async () => {
  const collecting = await startCollecting();
  await Bun.sleep(1_000);
  const open = await openExport(SLOW_BYTES_PER_SECOND);
  const { reader } = open;
  const slow = watchResources(manager);
  await Bun.sleep(SLOW_MS);
  const slowBytes = reader.bytes;
  await checkNoSnapshotHeld();
  const slowSamples = slow.stop();
  // The rest is only waited for.
  const fast = watchResources(manager);
  reader.setRate(Number.POSITIVE_INFINITY);
  await checkExport(open);
  const fastSamples = fast.stop();
  const { events, perSecond } = await collecting.stop();

  const slowly = peaks(slowSamples);
  const all = peaks([...slowSamples, ...fastSamples]);
  const early = typicalMemory(slowSamples, 0.25, 0.5);
  const late = typicalMemory(slowSamples, 0.75, 1);
  console.log(
    `${megabytes(slowBytes)} of ${megabytes(reader.bytes)} MiB read slowly, ${events} events collected ` +
      `(${Math.round(perSecond)}/s); log at most ${megabytes(all.log)} MiB; memory early ${megabytes(early)}, ` +
      `late ${megabytes(late)}, at most ${megabytes(slowly.resident)} MiB, ${megabytes(all.resident)} with the rest`,
  );
  expect(slowBytes).toBeLessThan(SLOW_BYTES_PER_SECOND * (SLOW_MS / 1000) + READ_BYTES);
  expect(slowBytes).toBeGreaterThan(SLOW_BYTES_PER_SECOND * (SLOW_MS / 1000) - READ_BYTES);
  // Otherwise the server never had to wait for the client.
  expect(reader.bytes - slowBytes).toBeGreaterThan(SOCKET_BYTES);
  // The simulator is slower on a busy machine.
  expect(perSecond).toBeGreaterThan(EVENTS_PER_SECOND * 0.8);
  expect(all.log).toBeLessThanOrEqual(LOG_LIMIT_BYTES);
  expect(late - early).toBeLessThan(FLAT_BYTES);
  expect(all.resident).toBeLessThan(RESIDENT_LIMIT_BYTES.slow);
  wholeBytes = await checkEverythingStored();
}, 1_800_000);

/**
 * Runs exports without a pause until the time is over. Each must contain everything the previous one had. Returns their number.
 */
async function exportRepeatedly(first: OpenExport, untilMs: number): Promise<number> {
  let earlier = new NumberSet();
  for (let count = 1, open = first; ; count++, open = await openExport(Number.POSITIVE_INFINITY)) {
    open.reader.setRate(Number.POSITIVE_INFINITY);
    await checkExport(open);
    expect(earlier.missingFrom(open.reader.numbers)).toBe(0);
    earlier = open.reader.numbers;
    // A second one, to compare with the first.
    if (count > 1 && performance.now() > untilMs) return count;
  }
}

/** Runs exports whose clients disconnect halfway. Returns their number. */
async function abortRepeatedly(first: OpenExport, untilMs: number, halfBytes: number): Promise<number> {
  for (let count = 1, { reader } = first; ; count++, { reader } = await openExport(Number.POSITIVE_INFINITY)) {
    reader.setRate(Number.POSITIVE_INFINITY);
    await until(() => reader.bytes >= halfBytes, 'half of an export', 600_000);
    reader.abort();
    expect(await reader.end()).toBe(false);
    if (performance.now() > untilMs) return count;
  }
}

/** Imports the files repeatedly until the time is over. Returns the number of imports. */
async function importRepeatedly(files: readonly Buffer[], untilMs: number): Promise<number> {
  const sessions = new ImportSessions(manager);
  for (let count = 0; ; count++) {
    const file = files[count % files.length] ?? Buffer.alloc(0);
    const isNew = count < files.length;
    const { id } = await sessions.upload(await sessions.create(file.length, resumeKey(count)), file);
    expect((await sessions.complete(id)).status).toBe(202);
    expect(await sessions.ended(id, 600_000)).toMatchObject({
      status: 'completed',
      result: { added: isNew ? FILE_EVENTS : 0, skipped: isNew ? 0 : FILE_EVENTS, failed: 0 },
    });
    if (count + 1 >= files.length && performance.now() > untilMs) return count + 1;
  }
}

test(`four exports and an import at once for ${TOGETHER_MS / 1000} s, with ${EVENTS_PER_SECOND} events/s`, async () => {
  const files = Array.from({ length: LATER_FILES }, makeFile);
  const collecting = await startCollecting();
  const answers = watchAnswers(manager, ['/health', '/status']);
  const watch = watchResources(manager);

  // None of the four can end before its client has taken more than the sockets hold.
  const slow = await openExport(0);
  const fast = [await openExport(0), await openExport(0)];
  const aborted = await openExport(0);
  const refused = await manager.fetch(EXPORT);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('Retry-After')).not.toBeNull();
  await refused.text();

  const untilMs = performance.now() + TOGETHER_MS;
  slow.reader.setRate(SLOW_BYTES_PER_SECOND);
  const [aborts, imports, ...exports] = await Promise.all([
    abortRepeatedly(aborted, untilMs, wholeBytes / 2),
    importRepeatedly(files, untilMs),
    ...fast.map((first) => exportRepeatedly(first, untilMs)),
  ]);
  expect(wholeBytes - slow.reader.bytes).toBeGreaterThan(SOCKET_BYTES);
  slow.reader.setRate(Number.POSITIVE_INFINITY);
  await checkExport(slow);
  const samples = watch.stop();
  const times = await answers.stop();
  const { events, perSecond } = await collecting.stop();

  const { log, resident } = peaks(samples);
  const waits = times.map(
    (one) =>
      `${one.path} ${one.times.length} times, p99 ${Math.round(withinMs(one, 0.99))} ms, most ${Math.round(withinMs(one, 1))} ms`,
  );
  console.log(
    `${exports.join(' and ')} exports of ${megabytes(slow.reader.bytes)} MiB and more, ${aborts} aborted, ${imports} imports, ` +
      `${events} events collected (${Math.round(perSecond)}/s); log at most ${megabytes(log)} MiB, ` +
      `memory at most ${megabytes(resident)} MiB; ${waits.join('; ')}`,
  );
  for (const one of times) {
    expect(one.failed).toBe(0);
    expect(withinMs(one, 0.99)).toBeLessThan(ANSWER_MS.p99);
    expect(withinMs(one, 1)).toBeLessThan(ANSWER_MS.most);
  }
  expect(log).toBeLessThanOrEqual(LOG_LIMIT_BYTES);
  expect(resident).toBeLessThan(RESIDENT_LIMIT_BYTES.together);
  await checkEverythingStored();
  await checkNoSnapshotHeld();
  await manager.stop();
  // The log is moved into the database.
  expect(logBytes(manager)).toBe(0);
  expect(checkStored(manager.dataDir)).toBe(nextNumber);
}, 1_800_000);
