import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import {
  makeEvents,
  type ProfileAlias,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from '@manager/simulator';
import type { Transport } from '../../gateway/collector.ts';
import type { CollectorMode } from '../../platform/config/config.ts';
import {
  type CollectorProcess,
  type Files,
  type ProcessOptions,
  startProcess,
  storedDeadLetters,
  storedGaps,
  storedIds,
  temporaryFiles,
} from './testing.ts';

// The machine may be busy; every wait has its own shorter deadline.
setDefaultTimeout(180_000);

let simulator: Simulator | null = null;
let files: Files | null = null;
let processes: CollectorProcess[] = [];

afterEach(async () => {
  for (const one of processes) await one.end();
  processes = [];
  await simulator?.stop();
  files?.remove();
  simulator = null;
  files = null;
});

async function rig(
  mode: CollectorMode,
  gateway: SimulatorOptions = {},
  options: Partial<ProcessOptions> = {},
): Promise<{ simulator: Simulator; files: Files; process: CollectorProcess }> {
  simulator ??= await startSimulator(gateway);
  files ??= temporaryFiles();
  const process = await startProcess({
    files,
    connection: { baseUrl: simulator.url, managementKey: 'sim-management-key' },
    mode,
    ...options,
  });
  processes.push(process);
  return { simulator, files, process };
}

const hex = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => (from + index).toString(16).padStart(8, '0'));

async function publish(target: Simulator, from: number, count: number): Promise<void> {
  for (const event of makeEvents({ seed: from + 1, numberFrom: from }).take(count)) await target.publish(event);
}

const QUEUE = '/v0/management/usage-queue';
const popsOf = (target: Simulator) => target.requests({ path: QUEUE }).length;
const running = (process: CollectorProcess) => process.status().collector === 'running';

describe('the ladder ends at the transport of the gateway version', () => {
  const cases: readonly [profile: ProfileAlias, mode: CollectorMode, transport: Transport][] = [
    ['v6.9.38', 'auto', 'resp'],
    ['v6.10.8', 'auto', 'http'],
    ['v7.0.7', 'auto', 'subscribe'],
    ['v7.1.17', 'auto', 'http'],
    ['v7.1.39', 'auto', 'subscribe'],
    ['v7.2.140', 'auto', 'subscribe'],
    ['http-only', 'auto', 'http'],
    ['v7.2.140', 'http', 'http'],
    ['v7.2.140', 'resp', 'resp'],
    ['v7.2.140', 'subscribe', 'subscribe'],
  ];
  test.each(cases)('%s in mode %s: %s', async (profile, mode, transport) => {
    const { simulator, files, process } = await rig(mode, { profile });
    await publish(simulator, 0, 3);
    await process.start();
    await until(() => running(process), 'running');
    expect(process.status()).toMatchObject({ transport, mode, lastError: '', upstream: simulator.url });
    await publish(simulator, 3, 250);
    await until(() => process.status().totalInserted === 253, 'all stored');
    expect(storedIds(files)).toEqual(hex(0, 253));
    expect(storedGaps(files)).toEqual([]);
  });

  test.each([
    ['off', 'the gateway closed the connection'],
    ['home', 'home mode'],
  ] satisfies [ProfileAlias, string][])('%s: an error that says what is missing', async (profile, text) => {
    const { process } = await rig('auto', { profile });
    await process.start();
    await until(() => process.status().collector === 'error', 'error');
    expect(process.status().lastError).toContain(text);
    expect(process.status().lastError).toContain('older than v6.9.38, or its management API is off');
    expect(process.status().transport).toBe('resp');
  });

  test('an HTTP server without a queue: RESP reads an H, and is retried with growing delays', async () => {
    const { simulator, process } = await rig('auto', { profile: 'http-only' });
    simulator.fault({
      kind: 'http',
      match: { path: QUEUE },
      respond: { status: 404 },
      times: 'always',
    });
    await process.start();
    await until(() => process.status().collector === 'error', 'error');
    expect(process.status().lastError).toStartWith("auth: unsupported RESP prefix 'H'");
  });

  test('mode http reports a missing queue and keeps trying', async () => {
    const { simulator, process } = await rig('http', { profile: 'v6.9.38' });
    await process.start();
    await until(() => process.status().lastError !== '', 'error');
    expect(process.status().lastError).toContain('http: the gateway returned 404');
    simulator.setProfile('latest');
    await until(() => running(process), 'running');
  });

  test('on HTTP, Pub/Sub is tried again and used when it works', async () => {
    const { simulator, files, process } = await rig(
      'auto',
      { profile: 'v6.10.8' },
      { timing: { resubscribeEveryMs: 100 } },
    );
    await process.start();
    await until(() => running(process) && process.status().transport === 'http', 'on http');
    simulator.setProfile('latest');
    await until(() => process.status().transport === 'subscribe', 'subscribed');
    await publish(simulator, 0, 10);
    await until(() => process.status().totalInserted === 10, 'stored');
    expect(storedIds(files)).toEqual(hex(0, 10));
  });

  test.each(
    (['v7.1.17', 'v6.10.8', 'http-only'] satisfies ProfileAlias[]).flatMap((profile) =>
      [0, 200, 1_500].map((downMs): [ProfileAlias, number] => [profile, downMs]),
    ),
  )(
    'a gateway that is %s after %d ms has no Pub/Sub any more: collecting goes on over HTTP',
    async (profile, downMs) => {
      const { simulator, files, process } = await rig('auto');
      await process.start();
      await until(() => running(process) && process.status().transport === 'subscribe', 'subscribed');
      await publish(simulator, 0, 3);
      await until(() => process.status().totalInserted === 3, 'stored');
      simulator.setProfile(profile);
      simulator.restart({ dropQueue: false, ...(downMs === 0 ? {} : { downMs }) });
      await until(() => running(process) && process.status().transport === 'http', 'on http');
      await publish(simulator, 3, 10);
      await until(() => process.status().totalInserted === 13, 'stored over HTTP');
      expect(storedIds(files)).toEqual(hex(0, 13));
    },
  );

  test('a connection that breaks three times in a row makes HTTP serve; Pub/Sub is used again when it works', async () => {
    const { simulator, files, process } = await rig('auto', {}, { timing: { resubscribeEveryMs: 300 } });
    await process.start();
    await until(() => running(process) && process.status().transport === 'subscribe', 'subscribed');
    const broken = simulator.fault({ kind: 'close-before-reply', on: 'SUBSCRIBE', times: 'always' });
    simulator.disconnect('subscribers');
    await until(() => running(process) && process.status().transport === 'http', 'on http');
    await publish(simulator, 0, 10);
    await until(() => process.status().totalInserted === 10, 'stored over HTTP');
    simulator.clearFaults(broken);
    await until(() => process.status().transport === 'subscribe', 'subscribed again');
    expect(storedIds(files)).toEqual(hex(0, 10));
  });

  test('while the gateway is down nothing is known of its transports: the ladder starts again from Pub/Sub', async () => {
    const { simulator, process } = await rig('auto');
    const down = simulator.fault({ kind: 'refuse-connections' });
    await process.start();
    await until(() => process.status().collector === 'error', 'error');
    expect(process.status().lastError).toStartWith('connect: the gateway cannot be reached');
    expect(process.status().failedStage).toBe('connect');
    // Time for retries.
    await Bun.sleep(200);
    simulator.clearFaults(down);
    await until(() => running(process) && process.status().transport === 'subscribe', 'subscribed');
  });
});

describe('the queue before a subscription', () => {
  test('events from before the subscription are fetched by the drain', async () => {
    const { simulator, files, process } = await rig('subscribe');
    await process.start();
    await until(() => running(process), 'running');
    await publish(simulator, 0, 5);
    await until(() => process.status().totalInserted === 5, 'stored');
    simulator.fault({ kind: 'refuse-connections', forMs: 150, dropOpen: true });
    await publish(simulator, 5, 300);
    await until(() => process.status().totalInserted === 305, 'all stored');
    expect(storedIds(files)).toEqual(hex(0, 305));
    expect(storedGaps(files, 'dropped')).toHaveLength(1);
    expect(storedGaps(files, 'away')).toEqual([]);
  });

  test('without an HTTP queue the drain goes over RESP', async () => {
    const { simulator, files, process } = await rig('subscribe');
    simulator.fault({
      kind: 'http',
      match: { path: QUEUE },
      respond: { status: 404 },
      times: 'always',
    });
    await publish(simulator, 0, 250);
    await process.start();
    await until(() => process.status().totalInserted === 250, 'all stored');
    expect(storedIds(files)).toEqual(hex(0, 250));
  });

  test('a failed drain is dated and repeated; the subscription stays', async () => {
    const { simulator, process, files } = await rig('subscribe');
    await publish(simulator, 0, 150);
    simulator.fault({ kind: 'http', match: { path: QUEUE }, answer: 'truncate' });
    await process.start();
    await until(() => process.status().totalInserted === 50, 'the rest is stored');
    expect(process.status()).toMatchObject({ collector: 'running', transport: 'subscribe' });
    expect(storedGaps(files, 'answer_lost')).toHaveLength(1);
    expect(simulator.requests({ method: 'SUBSCRIBE' })).toHaveLength(1);
  });

  test('300 events while the database is blocked: no drop, all stored', async () => {
    let open: () => void = () => {};
    const blocked = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { simulator, files, process } = await rig(
      'subscribe',
      {},
      { ingest: (real) => async (batch) => blocked.then(() => real(batch)) },
    );
    await process.start();
    await until(() => running(process), 'running');
    await publish(simulator, 0, 2_000);
    await until(() => simulator.deliveries().buffered === 0, 'all taken from the socket');
    expect(simulator.subscribers()).toHaveLength(1);
    open();
    await until(() => process.status().totalInserted === 2_000, 'stored');
    expect(storedIds(files)).toEqual(hex(0, 2_000));
    expect(storedGaps(files)).toEqual([]);
  });
});

describe('control messages', () => {
  test('are neither stored nor dead letters, and a storm costs few fetches', async () => {
    const { simulator, process, files } = await rig('subscribe');
    await process.start();
    await until(() => running(process), 'running');
    await simulator.refresh({ count: 60, rate: 300 });
    await publish(simulator, 0, 1);
    await until(() => process.status().totalInserted === 1, 'stored');
    expect(storedDeadLetters(files)).toEqual([]);
    expect(process.status().deadLetters).toBe(0);
    expect(simulator.requests({ path: '/v0/management/auth-files' }).length).toBeLessThan(10);
  });
});

describe('stop and restart', () => {
  test.each(['subscribe', 'http', 'resp'] satisfies CollectorMode[])(
    'mode %s: a clean stop loses nothing and leaves no gap, and the next run fetches what came meanwhile',
    async (mode) => {
      const { simulator, files, process } = await rig(mode);
      await process.start();
      await until(() => running(process), 'running');
      await publish(simulator, 0, 500);
      await process.collector.stop();
      expect(process.status()).toMatchObject({ collector: 'stopped', spooledRecords: 0 });
      expect(process.collector.active()).toBe(false);
      await publish(simulator, 500, 100);
      await process.start();
      await until(() => process.status().totalInserted === 600, 'all stored');
      expect(storedIds(files)).toEqual(hex(0, 600));
      expect(storedGaps(files)).toEqual([]);
    },
  );

  test('a start while running replaces the run', async () => {
    const { simulator, files, process } = await rig('http');
    await process.start();
    await until(() => running(process), 'running');
    await process.start({ mode: 'subscribe' });
    await until(() => running(process) && process.status().transport === 'subscribe', 'subscribed');
    await publish(simulator, 0, 20);
    await until(() => process.status().totalInserted === 20, 'stored');
    expect(storedGaps(files)).toEqual([]);
    expect(simulator.subscribers()).toHaveLength(1);
  });

  test('a stop lets the pop in flight finish and commits it', async () => {
    const { simulator, files, process } = await rig('http');
    await process.start();
    await until(() => running(process), 'running');
    simulator.fault({ kind: 'http', match: { path: QUEUE }, delayMs: 200 });
    const pops = popsOf(simulator);
    await publish(simulator, 0, 10);
    await until(() => popsOf(simulator) > pops, 'a pop in flight');
    await process.collector.stop();
    expect(storedIds(files)).toEqual(hex(0, 10));
    expect(storedGaps(files)).toEqual([]);
  });

  test('a pop without an answer is abandoned at a stop, and dated', async () => {
    const { simulator, files, process } = await rig(
      'http',
      {},
      { timing: { stopPatienceMs: 100, httpTimeoutMs: 30_000 } },
    );
    await process.start();
    await until(() => running(process), 'running');
    simulator.fault({ kind: 'http', match: { path: QUEUE }, answer: 'hang' });
    const pops = popsOf(simulator);
    await publish(simulator, 0, 1);
    await until(() => popsOf(simulator) > pops, 'a pop in flight');
    await process.collector.stop();
    expect(storedGaps(files, 'answer_lost')).toHaveLength(1);
  });
});

describe('TLS', () => {
  test.each(['subscribe', 'http', 'resp'] satisfies CollectorMode[])(
    'mode %s: an untrusted certificate is refused unless the check is skipped, and no protocol is negotiated',
    async (mode) => {
      const { simulator, files, process } = await rig(mode, { tls: true });
      await process.start();
      await until(() => process.status().lastError.includes('certificate'), 'refused');
      const skipping = await startProcess({
        files,
        connection: { baseUrl: simulator.url, managementKey: 'sim-management-key' },
        mode,
        settings: { tlsSkipVerify: true },
      });
      processes.push(skipping);
      await process.end();
      await skipping.start();
      await until(() => running(skipping), 'running');
      await publish(simulator, 0, 5);
      await until(() => skipping.status().totalInserted === 5, 'stored');
      expect(storedIds(files)).toEqual(hex(0, 5));
    },
  );
});
