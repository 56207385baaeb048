import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { QuotaCooldownsResponse } from '@manager/core/contract/cooldowns';
import type { InspectionRunDetail } from '@manager/core/contract/inspection/runs';
import { until } from '@manager/core/testing/until';
import { accountFile } from '@manager/simulator';
import { openChanges } from '../support/account-claims.ts';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const INSPECTION = '/v0/management/account-inspection';
const FILE = 'codex-a.json';
const STORED = 'manual_change_stored';
const ANSWERED = 'manual_change_answered';

let gateway: Simulator;
let dataDir = '';
let managers: ManagerProcess[] = [];

beforeEach(async () => {
  dataDir = temporaryFolder();
  gateway = await startTestGateway({
    authFiles: [accountFile({ provider: 'codex', name: FILE, email: 'a@example.test' })],
  });
});
afterEach(async () => {
  for (const manager of managers) await manager.remove();
  managers = [];
  await gateway.stop();
});

async function start(stopAt?: string): Promise<ManagerProcess> {
  const env = { ...boundTo(gateway, 'http'), USAGE_QUOTA_COOLDOWN_ENABLED: 'true' };
  const manager = await ManagerProcess.start({ dataDir, env, ...(stopAt === undefined ? {} : { stopAt }) });
  managers.push(manager);
  return manager;
}

/** A manager that has decided the change during which its predecessor was killed. */
async function startAndSettle(): Promise<ManagerProcess> {
  const manager = await start();
  await until(() => openChanges(dataDir) === 0, 'the change to be settled');
  return manager;
}

const isDisabled = () => gateway.authFiles()[0]?.disabled === true;
const inCooldown = async (manager: ManagerProcess) =>
  (await manager.json<QuotaCooldownsResponse>('/usage-service/quota-cooldowns')).items.map((item) => item.authFileName);

async function restIn(manager: ManagerProcess): Promise<void> {
  await gateway.publishFor(FILE, { kind: 'usage-limit', resetsInSeconds: 600 });
  await until(async () => (await inCooldown(manager)).length === 1);
}

/** A change by a person, until its manager is killed in it. */
async function killedIn(manager: ManagerProcess, method: string, path: string, body?: object): Promise<void> {
  const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  await manager.fetch(`/v0/management/auth-files${path}`, init).catch(() => {});
  await manager.killed();
}

const switched = (manager: ManagerProcess, disabled: boolean, more: object = { cpamp_physical_name: FILE }) =>
  killedIn(manager, 'PATCH', '/status', { name: FILE, disabled, ...more });

async function inspected(manager: ManagerProcess, usedPercent: number): Promise<InspectionRunDetail> {
  gateway.setAccount(FILE, {
    primary: { seconds: 18_000, usedPercent: 1 },
    secondary: { seconds: 604_800, usedPercent },
  });
  const codexInspection = { autoActionMode: 'disable', autoRecoverEnabled: true };
  await manager.json('/usage-service/config', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ config: { codexInspection } }),
  });
  const { run } = await manager.post<InspectionRunDetail>(`${INSPECTION}/run`, {});
  return until(async () => {
    const detail = await manager.json<InspectionRunDetail>(`${INSPECTION}/runs/${run.id}`);
    return detail.run.active ? null : detail;
  });
}

test.each([
  ['by its credential', { cpamp_physical_name: FILE }],
  ['by its file', {}],
])(
  'killed before the gateway was told to enable %s: the account still rests',
  async (_, more) => {
    const first = await start(STORED);
    await restIn(first);
    await switched(first, false, more);
    expect(isDisabled()).toBe(true);
    const second = await startAndSettle();
    expect([isDisabled(), await inCooldown(second)]).toEqual([true, [FILE]]);
  },
  180_000,
);

test('killed before the gateway was asked to enable it: an inspection still enables an account it disabled', async () => {
  const first = await start(STORED);
  expect((await inspected(first, 100)).results[0]).toMatchObject({ executedAction: 'disable' });
  await switched(first, false);
  const second = await startAndSettle();
  expect((await inspected(second, 1)).results[0]).toMatchObject({ executedAction: 'enable' });
  expect(isDisabled()).toBe(false);
}, 180_000);

test('killed after the gateway enabled it: the cooldown is over, and an account a person disables later stays theirs', async () => {
  const first = await start(ANSWERED);
  await restIn(first);
  await switched(first, false);
  expect(isDisabled()).toBe(false);
  const second = await startAndSettle();
  gateway.operate({ do: 'disable', account: FILE });
  expect(await inCooldown(second)).toEqual([]);
}, 180_000);

test('killed after the gateway failed to enable it: the account is still in cooldown', async () => {
  const first = await start(ANSWERED);
  await restIn(first);
  gateway.fault({ kind: 'mutation', answer: 'server-error', applies: false });
  await switched(first, false);
  const second = await startAndSettle();
  expect([isDisabled(), await inCooldown(second)]).toEqual([true, [FILE]]);
}, 180_000);

test.each([STORED, ANSWERED])(
  'killed at %s: what a person wanted disabled is theirs',
  async (stopAt) => {
    const first = await start(stopAt);
    await restIn(first);
    await switched(first, true);
    const second = await startAndSettle();
    expect([isDisabled(), await inCooldown(second)]).toEqual([true, []]);
  },
  180_000,
);

test.each([
  [STORED, [FILE]],
  [ANSWERED, []],
])(
  'killed at %s of a deletion: an account that is still there rests',
  async (stopAt, rests) => {
    const first = await start(stopAt);
    await restIn(first);
    await killedIn(first, 'DELETE', `?name=${FILE}`);
    const second = await startAndSettle();
    expect([gateway.authFiles().map(({ name }) => name), await inCooldown(second)]).toEqual([rests, rests]);
  },
  180_000,
);

test.each([
  [STORED, [FILE]],
  [ANSWERED, []],
])(
  'killed at %s of an upload: an account whose file is what it was still rests',
  async (stopAt, rests) => {
    const first = await start(stopAt);
    await restIn(first);
    await killedIn(first, 'POST', `?name=${FILE}`, { type: 'codex', email: 'a@example.test', disabled: true });
    expect(await inCooldown(await startAndSettle())).toEqual(rests);
  },
  180_000,
);

test('while the gateway is unreachable after the crash, nothing is changed or forgotten', async () => {
  const first = await start(STORED);
  await restIn(first);
  await switched(first, false);
  const fault = gateway.fault({
    kind: 'http',
    match: { path: '/v0/management/auth-files' },
    respond: { status: 503 },
    times: 'always',
  });
  gateway.clearRequests();
  const second = await start();
  await until(() => gateway.requests({ method: 'GET' }).some(({ target }) => target.includes('auth-files')));
  expect([openChanges(dataDir), await inCooldown(second)]).toEqual([1, []]);
  gateway.clearFaults(fault);
  await until(async () => (await inCooldown(second)).length === 1);
}, 180_000);

test('what a person decides after the crash and before it is settled counts', async () => {
  const first = await start(STORED);
  await restIn(first);
  await switched(first, false);
  const look = gateway.hook({ on: 'list', when: 'before', hold: true });
  const second = await start();
  await until(() => Number(gateway.hookFired(look)) > 0);
  const answer = second.fetch('/v0/management/auth-files/status', {
    method: 'PATCH',
    body: JSON.stringify({ name: FILE, disabled: true, cpamp_physical_name: FILE }),
  });
  await Bun.sleep(100);
  gateway.releaseHook(look);
  expect((await answer).status).toBe(200);
  await until(() => openChanges(dataDir) === 0);
  expect([isDisabled(), await inCooldown(second)]).toEqual([true, []]);
}, 180_000);
