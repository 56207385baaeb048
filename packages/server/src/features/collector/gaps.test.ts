import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { makeEvents, type Simulator, startSimulator } from '@manager/simulator';
import type { CollectorMode } from '../../platform/config/config.ts';
import {
  type CollectorProcess,
  type Files,
  listening,
  type ProcessOptions,
  startProcess,
  storedGaps,
  storedHeartbeat,
  storedIds,
  temporaryFiles,
} from './testing.ts';
import { watchThreadLag } from './thread-lag.ts';

// The machine may be busy; every wait has its own shorter deadline.
setDefaultTimeout(180_000);

let simulator: Simulator;
let files: Files;
let processes: CollectorProcess[];
/** How far both clocks are ahead. */
let aheadMs: number;

beforeEach(async () => {
  simulator = await startSimulator({ retentionSeconds: 60 });
  files = temporaryFiles();
  processes = [];
  aheadMs = 0;
});

const now = () => Date.now() + aheadMs;

function pass(seconds: number): void {
  aheadMs += seconds * 1_000;
  simulator.advance(seconds * 1_000);
}

afterEach(async () => {
  for (const one of processes) await one.end();
  await simulator.stop();
  files.remove();
});

async function collect(mode: CollectorMode, options: Partial<ProcessOptions> = {}): Promise<CollectorProcess> {
  const process = await startProcess({
    files,
    connection: { baseUrl: simulator.url, managementKey: 'sim-management-key' },
    mode,
    now,
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

/** Reads of the configuration; each is followed by one of the counters. */
const readings = () => simulator.requests({ path: '/v0/management/config' }).length;
const running = (process: CollectorProcess) => process.status().collector === 'running';

describe('away: not connected for longer than the retention', () => {
  test.each(['subscribe', 'http', 'resp'] satisfies CollectorMode[])('mode %s, stopped', async (mode) => {
    const process = await collect(mode);
    await until(() => running(process), 'running');
    const stoppedFromMs = now();
    await process.collector.stop();
    const stoppedUntilMs = now();
    await publish(0, 3);
    pass(61);
    await publish(3, 3);
    await process.start();
    await until(() => process.status().totalInserted === 3, 'stored');
    expect(storedIds(files)).toEqual(hex(3, 3));
    await until(() => storedGaps(files, 'away').length === 1, 'dated');
    const [gap] = storedGaps(files);
    expect(gap?.from_ms ?? 0).toBeGreaterThanOrEqual(stoppedFromMs - 2_000);
    expect(gap?.from_ms ?? 0).toBeLessThanOrEqual(stoppedUntilMs);
    for (const { atMs, publishedAtMs } of simulator.deliveries({ lostEvents: true }).lostEvents ?? []) {
      expect(gap?.from_ms ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(publishedAtMs);
      expect(gap?.to_ms ?? 0).toBeGreaterThanOrEqual(publishedAtMs);
      expect(atMs).toBeGreaterThan(0);
    }
    expect(process.status().gaps).toMatchObject({ count: 1, open: [], last: { kind: 'away', estimatedLost: null } });
  });

  test('unreachable: open while it lasts, closed by the first drain', async () => {
    const process = await collect('subscribe');
    await listening(process, files, now);
    const down = simulator.fault({ kind: 'refuse-connections', dropOpen: true });
    await until(() => process.status().gaps.open.includes('dropped'), 'dropped');
    pass(61);
    await until(() => process.status().gaps.open.includes('away'), 'open');
    expect(process.status().gaps.open).toEqual(['away', 'dropped']);
    simulator.clearFaults(down);
    await until(() => process.status().gaps.open.length === 0, 'closed');
    // Opening and closing it may become one write, so its row may appear only now.
    const gap = await until(() => storedGaps(files, 'away').find(({ to_ms }) => to_ms !== null), 'written');
    expect((gap.to_ms ?? 0) - gap.from_ms).toBeGreaterThan(0);
  });

  test('shorter than the retention: no gap', async () => {
    const process = await collect('http');
    await until(() => running(process), 'running');
    await process.collector.stop();
    await publish(0, 5);
    pass(30);
    await process.start();
    await until(() => process.status().totalInserted === 5, 'stored');
    expect(storedGaps(files)).toEqual([]);
  });
});

describe('unclean_stop: the process ended without its mark', () => {
  test('the next start dates it from what was not committed, and a clean stop leaves none', async () => {
    let dead = false;
    let die: () => void = () => {};
    const death = new Promise<void>((resolve) => {
      die = resolve;
    });
    const refuse = async () => {
      throw new Error('dead');
    };
    const first = await collect('subscribe', {
      ingest: () => () => death.then(refuse),
      store: (real) => ({
        ...real,
        heartbeat: (heartbeat) => (dead ? refuse() : real.heartbeat(heartbeat)),
        saveGap: (gap) => (dead ? refuse() : real.saveGap(gap)),
      }),
    });
    await until(() => running(first), 'running');
    const lag = watchThreadLag();
    const beforeMs = now();
    await publish(0, 10);
    const publishedMs = now();
    await until(() => (storedHeartbeat(files)?.timeMs ?? 0) > publishedMs, 'a sign of life');
    // As a new process sees it: the first one never wrote its clean mark.
    const diedMs = now();
    dead = true;
    die();
    const second = await collect('http');
    await until(() => running(second), 'running');
    const [gap] = storedGaps(files, 'unclean_stop');
    expect(gap?.from_ms ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(beforeMs);
    expect(gap?.from_ms ?? 0).toBeGreaterThan(beforeMs - 3_000 - lag.maxMs());
    lag.stop();
    expect(gap?.to_ms ?? 0).toBeGreaterThan(diedMs);
    await second.end();
    const third = await collect('http');
    await until(() => running(third), 'running');
    expect(storedGaps(files, 'unclean_stop')).toHaveLength(1);
  });
});

describe('publishing_off', () => {
  test('is open from the last reading with publishing on, and closed by the next one', async () => {
    const process = await collect('subscribe', { timing: { readingMs: 60, rareReadingMs: 60 } });
    await until(() => running(process), 'running');
    await until(() => readings() > 1, 'a reading that sees it on');
    simulator.setStats(false);
    const offAtMs = now();
    await until(() => process.status().starvedReason === 'publishing_off', 'seen');
    expect(process.status()).toMatchObject({ starved: true, gaps: { open: ['publishing_off'] } });
    simulator.setStats(true);
    await until(() => !process.status().starved, 'seen on');
    await until(() => typeof storedGaps(files, 'publishing_off')[0]?.to_ms === 'number', 'written');
    const [gap] = storedGaps(files, 'publishing_off');
    expect(gap?.from_ms ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(offAtMs);
    expect(gap?.to_ms ?? 0).toBeGreaterThanOrEqual(offAtMs);
  });
});

describe('starved', () => {
  test('the gateway counts requests, but no events arrive, until they do again', async () => {
    const process = await collect('subscribe', {
      timing: { readingMs: 120, rareReadingMs: 120, snapshotMaxAgeMs: 5_000 },
    });
    await until(() => running(process), 'running');
    const before = readings();
    await until(() => readings() > before + 1, 'a reading of the counters');
    // The counters grow, but no events arrive.
    const blocked = simulator.fault({ kind: 'block-subscribers' });
    await publish(0, 100);
    await until(() => process.status().starvedReason === 'no_events', 'starved');
    expect(process.status().gaps.open).toContain('starved');
    simulator.clearFaults(blocked);
    let next = 1_000;
    await until(() => {
      void publish(next, 30);
      next += 30;
      return !process.status().starved;
    }, 'recovered');
    await until(() => typeof storedGaps(files, 'starved')[0]?.to_ms === 'number', 'written');
    expect(storedGaps(files, 'starved')[0]?.estimated_lost ?? -1).toBeGreaterThanOrEqual(0);
  });
});

test('a poll interval above the retention logs a warning', async () => {
  const process = await collect('http', { settings: { pollIntervalMs: 120_000 } });
  await until(() => process.log.some((line) => line.includes('lower pollIntervalMs')), 'warned');
});
