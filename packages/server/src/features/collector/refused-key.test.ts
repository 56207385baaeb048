import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { type Simulator, type SimulatorOptions, startSimulator } from '@manager/simulator';
import type { CollectorMode } from '../../platform/config/config.ts';
import { type CollectorProcess, type Files, startProcess, temporaryFiles, until } from './testing.ts';

// The machine may be busy; every wait has its own shorter limit.
setDefaultTimeout(30_000);

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

async function open(mode: CollectorMode, key: string): Promise<CollectorProcess> {
  const process = await startProcess({ files, connection: { baseUrl: simulator.url, managementKey: key }, mode });
  processes.push(process);
  await process.start();
  return process;
}

/** Attempts to sign in, over HTTP and RESP. */
const attempts = () =>
  simulator.requests().filter((request) => request.protocol === 'http' || request.method === 'AUTH');

test.each(['auto', 'subscribe', 'http', 'resp'] satisfies CollectorMode[])(
  'mode %s: three tries reach the upstream over all transports, one after a restart, and a corrected key works at once',
  async (mode) => {
    await begin();
    const first = await open(mode, 'sim-wrong-key');
    await until('shut', () => first.status().keyRefused?.tries === 3);
    await Bun.sleep(150);
    expect(attempts()).toHaveLength(3);
    expect(first.status().collector).toBe('error');
    expect(first.status().lastError).toContain('invalid management key');
    expect(first.status().lastError).not.toContain('sim-wrong-key');
    expect(first.collector.active()).toBe(true);
    await first.end();
    processes = [];

    const second = await open(mode, 'sim-wrong-key');
    await until('refused again', () => second.status().keyRefused?.tries === 4);
    await Bun.sleep(150);
    expect(attempts()).toHaveLength(4);
    expect(simulator.bans().every((ban) => ban.bannedUntilMs === null)).toBe(true);

    await second.start({ connection: { baseUrl: simulator.url, managementKey: 'sim-management-key' } });
    await until('running', () => second.status().collector === 'running');
    expect(second.status().keyRefused).toBeUndefined();
    expect(second.status().lastError).toBe('');
  },
);

test('a key that is changed upstream while collecting is noticed without a ban', async () => {
  await begin();
  const process = await open('auto', 'sim-management-key');
  await until('running', () => process.status().collector === 'running');
  simulator.setKey('sim-other-key');
  simulator.fault({ kind: 'refuse-connections', forMs: 30, dropOpen: true });
  await until('shut', () => process.status().keyRefused?.tries === 3);
  await Bun.sleep(100);
  expect(simulator.bans().every((ban) => ban.bannedUntilMs === null)).toBe(true);
  expect(process.log.join('\n')).not.toContain('sim-management-key');
});

test('a gate that a person opens lets the run go on by itself', async () => {
  await begin();
  const process = await open('auto', 'sim-key-of-tomorrow');
  await until('shut', () => process.status().keyRefused?.tries === 3);
  simulator.setKey('sim-key-of-tomorrow');
  // What saving the same connection again does.
  await process.checkKey();
  await until('running', () => process.status().collector === 'running');
});

test.each([['remote management off', { remoteAllowed: false, callerAddress: '10.1.2.3' }, 'allow-remote']] satisfies [
  string,
  SimulatorOptions,
  string,
][])('%s: the error names the fix', async (_name, options, text) => {
  await begin(options);
  const process = await open('auto', 'sim-management-key');
  await until('error', () => process.status().lastError.includes(text));
  await until('shut', () => process.status().keyRefused?.tries === 3);
  await Bun.sleep(100);
  expect(attempts()).toHaveLength(3);
});
