import { afterEach, beforeEach, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QuotaCooldownsResponse } from '@manager/core/contract/cooldowns';
import { until } from '@manager/core/testing/until';
import { accountFile } from '@manager/simulator';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const ONE = 'codex-one.json';
const TWO = 'codex-two.json';
const HOUR_MS = 3_600_000;
const PRELOAD = join(import.meta.dir, '..', 'support', 'preload-shifted-clock.ts');

let gateway: Simulator;
let dataDir = '';
let managers: ManagerProcess[] = [];
let passedMs = 0;
let clockErrorMs = 0;

const clockFile = () => join(dataDir, 'clock-shift');
/** Offset of the manager's clock. */
const setClock = (errorMs: number) => {
  clockErrorMs = errorMs;
  writeFileSync(clockFile(), String(passedMs + errorMs));
};
/** Moves both clocks. */
function pass(seconds: number): void {
  passedMs += seconds * 1_000;
  gateway.advance(seconds * 1_000);
  setClock(clockErrorMs);
}
const now = () => Date.now() + passedMs;

beforeEach(async () => {
  dataDir = temporaryFolder();
  passedMs = 0;
  setClock(0);
  gateway = await startTestGateway({
    authFiles: [ONE, TWO].map((name) => accountFile({ provider: 'codex', name, email: `${name}@example.test` })),
  });
});
afterEach(async () => {
  for (const manager of managers) await manager.remove();
  managers = [];
  await gateway.stop();
});

async function start(): Promise<ManagerProcess> {
  const env = {
    ...boundTo(gateway, 'http'),
    USAGE_QUOTA_COOLDOWN_ENABLED: 'true',
    SHIFTED_CLOCK_FILE: clockFile(),
  };
  const manager = await ManagerProcess.start({ dataDir, env, preload: PRELOAD });
  managers.push(manager);
  return manager;
}

const isDisabled = (name: string) => gateway.authFiles().find((file) => file.name === name)?.disabled === true;

/** @returns when the account may be enabled again, by the gateway's clock */
async function entersCooldown(manager: ManagerProcess, name: string, seconds: number): Promise<number> {
  await gateway.publishFor(name, { kind: 'usage-limit', resetsInSeconds: seconds });
  const item = await until(async () => {
    const { items } = await manager.json<QuotaCooldownsResponse>('/usage-service/quota-cooldowns');
    return items.find(({ authFileName }) => authFileName === name);
  });
  expect(isDisabled(name)).toBe(true);
  return item.recoverAtMs;
}

const isEnabledAgain = (name: string) => until(() => !isDisabled(name));

for (const restarted of [false, true]) {
  test(`a clock that is set back an hour ends no cooldown early${restarted ? ', nor after a restart' : ''}, and ends it an hour late`, async () => {
    let manager = await start();
    await entersCooldown(manager, ONE, 600);
    setClock(-HOUR_MS);
    if (restarted) {
      expect(await manager.stop()).toBe(0);
      manager = await start();
    }
    pass(601);
    // Before a cooldown starts, cooldowns that are due are ended.
    await entersCooldown(manager, TWO, 600);
    expect(isDisabled(ONE)).toBe(true);
    setClock(0);
    await isEnabledAgain(ONE);
    const changes = gateway.mutations({ by: 'caller', account: ONE });
    expect(changes.map(({ changes: [change] }) => change?.what)).toEqual(['disabled', 'enabled']);
  }, 180_000);
}

test('correcting a clock that was an hour behind ends due cooldowns at once', async () => {
  setClock(-HOUR_MS);
  const manager = await start();
  const recoverAtMs = await entersCooldown(manager, ONE, 4);
  setClock(0);
  await isEnabledAgain(ONE);
  expect(now()).toBeGreaterThanOrEqual(recoverAtMs);
}, 180_000);

test('a clock that is set forward an hour ends no cooldown early while the clock of the gateway is right, nor late', async () => {
  const manager = await start();
  await entersCooldown(manager, ONE, 600);
  setClock(HOUR_MS);
  // Before a cooldown starts, cooldowns that are due are ended.
  await entersCooldown(manager, TWO, HOUR_MS / 1_000 + 600);
  expect(isDisabled(ONE)).toBe(true);
  pass(601);
  await isEnabledAgain(ONE);
  expect(isDisabled(TWO)).toBe(true);
}, 180_000);
