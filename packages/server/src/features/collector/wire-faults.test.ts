import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { awkwardEvents, type Fault, largeEvent, makeEvents, type Simulator, startSimulator } from '@manager/simulator';
import type { CollectorMode } from '../../platform/config/config.ts';
import {
  type CollectorProcess,
  type Files,
  listening,
  startProcess,
  storedDeadLetters,
  storedGaps,
  storedIds,
  temporaryFiles,
} from './testing.ts';
import type { CollectorTiming } from './timing.ts';

// The machine may be busy; every wait has its own shorter deadline.
setDefaultTimeout(180_000);

let simulator: Simulator;
let files: Files;
let process: CollectorProcess;
/** How far the clock of the collector is ahead. */
let aheadMs = 0;

beforeEach(async () => {
  simulator = await startSimulator();
  files = temporaryFiles();
});

afterEach(async () => {
  await process.end();
  await simulator.stop();
  files.remove();
});

async function collect(mode: CollectorMode, timing: Partial<CollectorTiming> = {}): Promise<void> {
  aheadMs = 0;
  process = await startProcess({
    files,
    connection: { baseUrl: simulator.url, managementKey: 'sim-management-key' },
    mode,
    timing,
    now: () => Date.now() + aheadMs,
  });
  await process.start();
  await until(() => process.status().collector === 'running', 'running');
}

const hex = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => (from + index).toString(16).padStart(8, '0'));

async function publish(from: number, count: number): Promise<void> {
  for (const event of makeEvents({ seed: from + 1, numberFrom: from }).take(count)) await simulator.publish(event);
}

const subscriptions = () => simulator.requests({ method: 'SUBSCRIBE' }).length;

describe('a frame that breaks off: nothing of it is stored, the loss is dated, the next records are intact', () => {
  test.each(['array-header', 'length', 'payload', 'before-crlf'] as const)('Pub/Sub, inside %s', async (at) => {
    await collect('subscribe');
    simulator.fault({ kind: 'cut-frame', at, on: 'message' });
    await publish(0, 1);
    await until(() => subscriptions() === 2 && process.status().collector === 'running', 'subscribed again');
    await publish(1, 20);
    await until(() => process.status().totalInserted === 20, 'stored');
    expect(storedIds(files)).toEqual(hex(1, 20));
    expect(storedDeadLetters(files)).toEqual([]);
    await until(() => storedGaps(files, 'dropped').some((gap) => gap.to_ms !== null), 'dated');
  });

  test.each(['array-header', 'length', 'payload', 'before-crlf'] as const)('RESP pop, inside %s', async (at) => {
    await collect('resp');
    simulator.fault({ kind: 'cut-frame', at, on: 'pop' });
    await publish(0, 1);
    await until(() => storedGaps(files, 'answer_lost').length === 1, 'dated');
    await publish(1, 20);
    await until(() => process.status().totalInserted === 20, 'stored');
    expect(storedIds(files)).toEqual(hex(1, 20));
    expect(storedDeadLetters(files)).toEqual([]);
  });
});

describe('bytes in odd chunks give the same result', () => {
  const odd: readonly Fault[] = [
    { kind: 'drip', times: 'always' },
    { kind: 'glue', ms: 30, times: 'always' },
  ];
  for (const fault of odd) {
    test.each(['subscribe', 'resp'] satisfies CollectorMode[])(`${fault.kind} in mode %s`, async (mode) => {
      simulator.fault(fault);
      await collect(mode);
      await publish(0, 5);
      await until(() => process.status().totalInserted === 5, 'stored');
      expect(storedIds(files)).toEqual(hex(0, 5));
      expect(storedGaps(files)).toEqual([]);
    });
  }
});

describe('a close before the reply', () => {
  test.each([
    ['AUTH', 'subscribe'],
    ['SUBSCRIBE', 'subscribe'],
    ['AUTH', 'resp'],
  ] satisfies ['AUTH' | 'SUBSCRIBE', CollectorMode][])('to %s in mode %s: tried again', async (on, mode) => {
    simulator.fault({ kind: 'close-before-reply', on });
    await collect(mode);
    await publish(0, 3);
    await until(() => process.status().totalInserted === 3, 'stored');
    expect(storedIds(files)).toEqual(hex(0, 3));
  });

  test('to a RESP pop that was executed: dated, and the pop is not retried', async () => {
    await collect('resp');
    simulator.fault({ kind: 'close-before-reply', on: 'POP' });
    await publish(0, 2);
    await until(() => storedGaps(files, 'answer_lost').length === 1, 'dated');
    await publish(2, 2);
    await until(() => process.status().totalInserted >= 2, 'stored');
  });
});

describe('liveness of a subscription', () => {
  // The silence passes on the collector's clock: on that of a busy machine an answer could take as long.
  const now = () => Date.now() + aheadMs;
  const quick = { pingAfterMs: 60, deadAfterMs: 60_000 };
  const pings = () => simulator.requests({ method: 'PING' }).length;

  test.each([{ kind: 'pong', reply: 'simple', times: 'always' }, null] satisfies (Fault | null)[])(
    'silence is survived when PING is answered: %o',
    async (fault) => {
      if (fault !== null) simulator.fault(fault);
      await collect('subscribe', quick);
      await listening(process, files, now);
      for (let silences = 1; silences <= 5; silences += 1) {
        await until(() => pings() >= silences, 'asked');
        aheadMs += 25_000;
      }
      await until(() => pings() > 5, 'asked once more');
      expect(subscriptions()).toBe(1);
      expect(storedGaps(files)).toEqual([]);
    },
  );

  test('a connection gets a PING before it is closed, also when the machine slept through the silence', async () => {
    await collect('subscribe', { pingAfterMs: 1_000, deadAfterMs: 60_000 });
    await listening(process, files, now);
    aheadMs = 3_600_000;
    await until(() => pings() > 1, 'asked and answered');
    expect(subscriptions()).toBe(1);
    expect(storedGaps(files)).toEqual([]);
  });

  test('silence is noticed after the clock was set back', async () => {
    await collect('subscribe', quick);
    await listening(process, files, now);
    aheadMs -= 3_600_000;
    const before = pings();
    await until(() => pings() > before + 1, 'asked again');
    expect(subscriptions()).toBe(1);
  });

  test.each([{ kind: 'pong', reply: 'none', times: 'always' }, { kind: 'freeze' }] satisfies Fault[])(
    'a line on which nothing comes at all is given up: %o',
    async (fault) => {
      await collect('subscribe', quick);
      const id = simulator.fault(fault);
      await until(() => {
        aheadMs += 1_000;
        return process.log.some((line) => line.includes('not even a response to PING'));
      }, 'given up');
      simulator.clearFaults(id);
      await until(() => subscriptions() === 2 && process.status().collector === 'running', 'subscribed again');
      await until(() => storedGaps(files, 'dropped').some((gap) => gap.to_ms !== null), 'dated');
    },
  );

  test('a stall inside a frame below the limit is tolerated', async () => {
    await collect('subscribe', quick);
    simulator.fault({ kind: 'stall-frame', at: 'payload', ms: 400, on: 'message' });
    await publish(0, 3);
    await until(() => process.status().totalInserted === 3, 'stored');
    expect(storedIds(files)).toEqual(hex(0, 3));
    expect(subscriptions()).toBe(1);
  });
});

describe('unexpected frames', () => {
  test.each(['pong', 'subscribe'] as const)('%s is ignored', async (frame) => {
    await collect('subscribe');
    simulator.fault({ kind: 'extra-frame', frame });
    await publish(0, 2);
    await until(() => process.status().totalInserted === 2, 'stored');
    expect(subscriptions()).toBe(1);
  });

  test('an unknown kind ends the subscription, and a new one is made', async () => {
    await collect('subscribe');
    simulator.fault({ kind: 'extra-frame', frame: 'unknown' });
    await until(() => subscriptions() === 2 && process.status().collector === 'running', 'subscribed again');
    await publish(0, 2);
    await until(() => process.status().totalInserted === 2, 'stored');
  });

  test('a message of another channel is never stored', async () => {
    await collect('subscribe');
    simulator.fault({ kind: 'wrong-channel', channel: 'errors' });
    await publish(0, 3);
    await until(() => process.status().totalInserted >= 3, 'stored');
    // The previous one has been read.
    await publish(3, 1);
    await until(() => storedIds(files).includes('00000003'), 'the next one');
    expect(storedIds(files)).toEqual(hex(0, 4));
    expect(process.status().totalSkipped).toBe(0);
  });
});

test('an overflow at the gateway is dated, and later queued events are fetched', async () => {
  await collect('subscribe');
  const blocked = simulator.fault({ kind: 'block-subscribers' });
  await publish(0, 400);
  simulator.clearFaults(blocked);
  await until(() => subscriptions() === 2 && process.status().collector === 'running', 'subscribed again');
  await publish(400, 10);
  const { lost } = simulator.deliveries();
  expect(lost.overflow).toBeGreaterThan(0);
  await until(() => process.status().totalInserted === 410 - lost.overflow, 'the rest is stored');
  const [gap] = storedGaps(files, 'dropped');
  for (const { atMs } of simulator.deliveries({ lostEvents: true }).lostEvents ?? []) {
    expect(gap?.from_ms ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(atMs);
    expect(gap?.to_ms ?? 0).toBeGreaterThanOrEqual(atMs);
  }
});

describe('records of every kind', () => {
  test.each(['subscribe', 'http', 'resp'] satisfies CollectorMode[])(
    'mode %s: none ends the collection, each is stored or kept as a dead letter',
    async (mode) => {
      await collect(mode);
      const events = awkwardEvents();
      for (const { payload } of events) await simulator.publish(payload);
      await publish(0, 1);
      await until(() => storedIds(files).includes('00000000'), 'the last one is stored');
      await until(() => process.status().deadLetters === storedDeadLetters(files).length, 'counted');
      const { totalInserted, totalSkipped, deadLetters, totalRepaired, lastError } = process.status();
      expect(lastError).toBe('');
      expect(storedDeadLetters(files).map((letter) => letter.payload)).toContain('this is no event');
      expect(totalRepaired).toBeGreaterThanOrEqual(1);
      // Blank and null elements count as nothing.
      expect(totalInserted + totalSkipped + deadLetters).toBeGreaterThanOrEqual(events.length - 2);
      expect(storedGaps(files)).toEqual([]);
    },
  );

  test.each(['subscribe', 'http'] satisfies CollectorMode[])(
    'mode %s: 11 MiB are stored, 70 MiB are a dead letter, later records are unharmed',
    async (mode) => {
      await collect(mode, { httpTimeoutMs: 30_000 });
      await simulator.publish(largeEvent(11 * 1024 * 1024, 'failure-body', '0b190001'));
      await until(() => storedIds(files).includes('0b190001'), 'the large one is stored');
      await simulator.publish(largeEvent(70 * 1024 * 1024, 'failure-body', '0b190002'));
      await publish(0, 2);
      await until(() => storedIds(files).includes('00000001'), 'the later ones are stored');
      expect(storedIds(files)).toEqual([...hex(0, 2), '0b190001']);
      const [letter] = storedDeadLetters(files);
      expect(letter?.error).toContain('above the limit');
      expect(letter?.payload.length).toBeLessThanOrEqual(4_096);
    },
    180_000,
  );

  test('events handed over twice are stored once', async () => {
    await collect('subscribe');
    simulator.fault({ kind: 'duplicate', times: 'always' });
    await publish(0, 10);
    await until(() => process.status().totalInserted + process.status().totalSkipped === 20, 'all came twice');
    expect(storedIds(files)).toEqual(hex(0, 10));
  });
});

describe('the account list goes wrong', () => {
  test.each([
    { kind: 'http', match: { path: '/v0/management/auth-files' }, respond: { status: 503 }, times: 'always' },
    { kind: 'http', match: { path: '/v0/management/auth-files' }, delayMs: 3_000, times: 'always' },
    { kind: 'auth-file-list', shape: 'missing-index', times: 'always' },
    { kind: 'auth-file-list', shape: 'duplicate-names', times: 'always' },
  ] satisfies Fault[])('collection goes on: %o', async (fault) => {
    simulator.fault(fault);
    await collect('subscribe');
    await publish(0, 300);
    await until(() => process.status().totalInserted === 300, 'stored');
  });
});
