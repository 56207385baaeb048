import { afterEach, beforeEach, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANALYTICS_PATH, analyticsResponseSchema } from '@manager/core/contract/monitoring/analytics';
import { until } from '@manager/core/testing/until';
import { eventWith } from '@manager/simulator';
import { checkStored } from '../support/after-crash.ts';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const DAY_MS = 86_400_000;
const MONTH_MS = 30 * DAY_MS;
/** 128 + SIGKILL. */
const KILLED = 137;
const PRELOAD = join(import.meta.dir, '..', 'support', 'preload-shifted-clock.ts');

let gateway: Simulator;
let dataDir = '';
let managers: ManagerProcess[] = [];
let published = 0;

const clockFile = () => join(dataDir, 'clock-shift');
const setClock = (errorMs: number) => writeFileSync(clockFile(), String(errorMs));

beforeEach(async () => {
  dataDir = temporaryFolder();
  published = 0;
  setClock(0);
  gateway = await startTestGateway();
});
afterEach(async () => {
  for (const manager of managers) await manager.remove();
  managers = [];
  await gateway.stop();
});

const options = () => ({
  dataDir,
  env: { ...boundTo(gateway, 'http'), SHIFTED_CLOCK_FILE: clockFile() },
  preload: PRELOAD,
});

async function start(): Promise<ManagerProcess> {
  const manager = await ManagerProcess.start(options());
  managers.push(manager);
  return manager;
}

/** Publishes events dated by these offsets from now, and waits until they are stored. */
async function collect(manager: ManagerProcess, offsets: readonly number[]): Promise<void> {
  for (const offsetMs of offsets) {
    const timestamp = new Date(Date.now() + offsetMs).toISOString();
    await gateway.publish(JSON.stringify(eventWith({ timestamp, request_id: `r${published}` })));
    published += 1;
  }
  await until(async () => (await readStatus(manager)).events === published);
}

async function summary(manager: ManagerProcess) {
  const response = await manager.fetch(ANALYTICS_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from_ms: 1, to_ms: Date.now() + 10 * DAY_MS, include: { summary: true } }),
  });
  return analyticsResponseSchema.parse(await response.json()).summary;
}

const clockIsReported = (manager: ManagerProcess) =>
  until(async () => (await readStatus(manager)).gatewayClockAheadMs !== undefined);
const clockIsRight = (manager: ManagerProcess) =>
  until(async () => (await readStatus(manager)).gatewayClockAheadMs === undefined);
const impossible = async (manager: ManagerProcess) => (await readStatus(manager)).implausibleTimestamps;

const RIGHT = [-3_000, -2_000, -1_000, 0];
/** Impossible by every clock. */
const FAR = [3 * DAY_MS, Date.UTC(1999, 0, 1) - Date.now()];

test('a manager that starts with a clock a month behind says so; after a start with the right one, and a kill, right times are possible', async () => {
  setClock(-MONTH_MS);
  let manager = await start();
  await collect(manager, RIGHT);
  expect(await impossible(manager)).toBe(4);
  await clockIsReported(manager);
  expect((await readStatus(manager)).gatewayClockAheadMs).toBeWithin(MONTH_MS - 60_000, MONTH_MS + 60_000);
  await manager.printed('the clock of the manager is 30 days behind that of the gateway');
  expect(manager.output.match(/the clock of the manager is 30 days behind that of the gateway/g)).toHaveLength(1);
  expect(await manager.stop()).toBe(0);

  setClock(0);
  // The first step asks for the facts to be sealed.
  const { code } = await ManagerProcess.runToEnd({ ...options(), stopAt: 'data_migration_step_written#2' });
  expect(code).toBe(KILLED);
  checkStored(dataDir);
  manager = await start();
  await until(async () => (await impossible(manager)) === 0);
  expect(await summary(manager)).toMatchObject({ total_calls: 4, implausible_time_calls: 0, rpm_30m: 4 / 30 });
  expect((await readStatus(manager)).gatewayClockAheadMs).toBeUndefined();
  expect(await manager.stop()).toBe(0);
  expect(checkStored(dataDir)).toBe(4);
}, 180_000);

test('a clock that is set back a month while the manager runs, and set right again, leaves only impossible times impossible', async () => {
  const manager = await start();
  await collect(manager, [...RIGHT, ...FAR]);
  expect(await impossible(manager)).toBe(2);
  setClock(-MONTH_MS);
  await clockIsReported(manager);
  await collect(manager, [...RIGHT, ...FAR]);
  expect(await impossible(manager)).toBe(8);

  setClock(0);
  await clockIsRight(manager);
  await until(async () => (await impossible(manager)) === 4);
  expect(await summary(manager)).toMatchObject({ total_calls: 12, implausible_time_calls: 4, rpm_30m: 8 / 30 });
  expect(await manager.stop()).toBe(0);
  expect(checkStored(dataDir)).toBe(12);
}, 180_000);
