import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { type Simulator, type SimulatorOptions, startSimulator } from '@manager/simulator';
import type { CollectorMode } from '../../platform/config/config.ts';
import { type CollectorProcess, type Files, startProcess, temporaryFiles } from './testing.ts';

// The machine may be busy; every wait has its own shorter deadline.
setDefaultTimeout(180_000);

let simulator: Simulator;
let files: Files;
let processes: CollectorProcess[] = [];

afterEach(async () => {
  for (const one of processes) await one.end();
  processes = [];
  await simulator.stop();
  files.remove();
});

async function begin(options: SimulatorOptions = {}): Promise<void> {
  simulator = await startSimulator(options);
  files = temporaryFiles();
}

async function open(mode: CollectorMode, key: string, now: () => number = Date.now): Promise<CollectorProcess> {
  const process = await startProcess({ files, connection: { baseUrl: simulator.url, managementKey: key }, mode, now });
  processes.push(process);
  await process.start();
  return process;
}

/** Sign-in attempts, over HTTP and RESP. */
const attempts = () =>
  simulator.requests().filter((request) => request.protocol === 'http' || request.method === 'AUTH');

test.each(['auto', 'subscribe', 'http', 'resp'] satisfies CollectorMode[])(
  'mode %s: three tries reach the upstream over all transports, one after a restart, and a corrected key works at once',
  async (mode) => {
    await begin();
    const first = await open(mode, 'sim-wrong-key');
    await until(() => first.status().keyRefused?.tries === 3, 'shut');
    await Bun.sleep(150);
    expect(attempts()).toHaveLength(3);
    expect(first.status().collector).toBe('error');
    expect(first.status().lastError).toContain('invalid management key');
    expect(first.status().lastError).not.toContain('sim-wrong-key');
    expect(first.collector.active()).toBe(true);
    await first.end();
    processes = [];

    const second = await open(mode, 'sim-wrong-key');
    await until(() => second.status().keyRefused?.tries === 4, 'refused again');
    await Bun.sleep(150);
    expect(attempts()).toHaveLength(4);
    expect(simulator.bans().every((ban) => ban.bannedUntilMs === null)).toBe(true);

    await second.start({ connection: { baseUrl: simulator.url, managementKey: 'sim-management-key' } });
    await until(() => second.status().collector === 'running', 'running');
    expect(second.status().keyRefused).toBeUndefined();
    expect(second.status().lastError).toBe('');
  },
);

test('a key that is changed at the gateway while collecting is noticed without a ban', async () => {
  await begin();
  const process = await open('auto', 'sim-management-key');
  await until(() => process.status().collector === 'running', 'running');
  simulator.setKey('sim-other-key');
  simulator.fault({ kind: 'refuse-connections', forMs: 30, dropOpen: true });
  await until(() => process.status().keyRefused?.tries === 3, 'shut');
  await Bun.sleep(100);
  expect(simulator.bans().every((ban) => ban.bannedUntilMs === null)).toBe(true);
  expect(process.log.join('\n')).not.toContain('sim-management-key');
});

test('the run continues automatically when the operator opens the gate', async () => {
  await begin();
  let nowMs = Date.now();
  const process = await open('auto', 'sim-key-of-tomorrow', () => nowMs);
  await until(() => process.status().keyRefused?.tries === 3, 'shut');
  simulator.setKey('sim-key-of-tomorrow');
  // Same as saving the same connection again, ten minutes later.
  nowMs += 10 * 60_000;
  await process.checkKey();
  await until(() => process.status().collector === 'running', 'running');
});

describe('a refusal that is not the fault of the key is tried again every 60 s', () => {
  test.each(['auto', 'subscribe', 'http', 'resp'] satisfies CollectorMode[])('mode %s', async (mode) => {
    await begin({ remoteAllowed: false, callerAddress: '10.1.2.3' });
    let nowMs = Date.now();
    const process = await open(mode, 'sim-management-key', () => nowMs);
    await until(() => process.status().lastError.includes('retried every 60 s'), 'shut');
    expect(process.status().lastError).toContain('allow-remote');
    expect(process.status().keyRefused).toMatchObject({
      reason: 'remote_disabled',
      lastAtMs: nowMs,
      nextTryAtMs: nowMs + 60_000,
    });
    for (let minute = 1; minute <= 6; minute += 1) {
      nowMs += 60_000;
      await until(() => process.status().keyRefused?.lastAtMs === nowMs, 'the next try');
    }
    // One a minute; at the start two parts of the manager ask at once.
    expect(attempts().length).toBeGreaterThanOrEqual(7);
    expect(attempts().length).toBeLessThanOrEqual(8);
    expect(simulator.bans()).toEqual([]);
    simulator.setRemote(true);
    nowMs += 60_000;
    await until(() => process.status().collector === 'running', 'running');
    expect(process.status().keyRefused).toBeUndefined();
  });
});
