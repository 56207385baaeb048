import { afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { InspectionRunDetail } from '@manager/core/contract/inspection/runs';
import { until } from '@manager/core/testing/until';
import { openDatabase } from '@manager/server/sqlite/open';
import { type AccountChange, accountFile } from '@manager/simulator';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const INSPECTION = '/v0/management/account-inspection';
const FILE = 'codex-a.json';
const used = (usedPercent: number): AccountChange => ({
  primary: { seconds: 18_000, usedPercent: 1 },
  secondary: { seconds: 604_800, usedPercent },
});

let gateway: Simulator;
let dataDir = '';
let managers: ManagerProcess[] = [];

beforeEach(async () => {
  dataDir = temporaryFolder();
  gateway = await startTestGateway({
    authFiles: [accountFile({ provider: 'codex', name: FILE, email: 'a@example.test' })],
  });
  gateway.setAccount(FILE, used(100));
});
afterEach(async () => {
  for (const manager of managers) await manager.remove();
  managers = [];
  await gateway.stop();
});

async function start(stopAt?: string): Promise<ManagerProcess> {
  const env = boundTo(gateway, 'http');
  const manager = await ManagerProcess.start({ dataDir, env, ...(stopAt === undefined ? {} : { stopAt }) });
  managers.push(manager);
  return manager;
}

async function configure(manager: ManagerProcess): Promise<void> {
  const codexInspection = { autoActionMode: 'disable', autoRecoverEnabled: true };
  await manager.json('/usage-service/config', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ config: { codexInspection } }),
  });
}

/** A run until its manager is killed in it. */
async function killedIn(manager: ManagerProcess): Promise<void> {
  await manager.fetch(`${INSPECTION}/run`, { method: 'POST' }).catch(() => {});
  await manager.killed();
}

async function run(manager: ManagerProcess): Promise<InspectionRunDetail> {
  const started = await manager.post<InspectionRunDetail>(`${INSPECTION}/run`, {});
  return until(async () => {
    const detail = await manager.json<InspectionRunDetail>(`${INSPECTION}/runs/${started.run.id}`);
    return detail.run.active ? null : detail;
  });
}

/** The new manager has handled what the killed one left. */
async function startAndRecover(): Promise<ManagerProcess> {
  gateway.clearRequests();
  const manager = await start();
  await until(async () =>
    gateway.requests({ method: 'GET' }).some(({ target, finished }) => finished && target.includes(`name=${FILE}`)),
  );
  return manager;
}

/** It has also stored the results. */
async function startAndSettle(): Promise<ManagerProcess> {
  const manager = await startAndRecover();
  await until(async () => openOwnership() === 0, 'whose the credential is');
  return manager;
}

function openOwnership(): number {
  const db = openDatabase(join(dataDir, 'usage.sqlite'), { readonly: true });
  const row = db
    .query<{ count: number }, []>(
      "SELECT count(*) AS count FROM account_claims WHERE state IN ('disabling', 'enabling')",
    )
    .get();
  db.close();
  return row?.count ?? 0;
}

const isDisabled = () => gateway.authFiles()[0]?.disabled === true;

test('killed before the gateway was asked to disable: an account a person disables later stays theirs', async () => {
  const first = await start('claim_stored');
  await configure(first);
  await killedIn(first);
  expect(isDisabled()).toBe(false);
  const second = await startAndSettle();
  gateway.operate({ do: 'disable', account: FILE });
  gateway.setAccount(FILE, used(1));
  const { results } = await run(second);
  expect(results[0]).toMatchObject({ action: 'enable', autoRecoverEligible: false });
  expect(isDisabled()).toBe(true);
}, 180_000);

test.each(['claim_answered', 'inspection_change_stored'])(
  'killed at %s, what was disabled is brought back',
  async (stopAt) => {
    const first = await start(stopAt);
    await configure(first);
    await killedIn(first);
    expect(isDisabled()).toBe(true);
    const second = await start();
    gateway.setAccount(FILE, used(1));
    const { results } = await run(second);
    expect(results[0]).toMatchObject({ executedAction: 'enable', disabled: false });
    expect(isDisabled()).toBe(false);
  },
  180_000,
);

test('while the gateway is unreachable after the crash, nothing is forgotten', async () => {
  const first = await start('claim_answered');
  await configure(first);
  await killedIn(first);
  const fault = gateway.fault({
    kind: 'http',
    match: { path: '/v0/management/auth-files' },
    respond: { status: 503 },
    times: 'always',
  });
  const second = await startAndRecover();
  expect((await run(second)).run.status).toBe('failed');
  gateway.clearFaults(fault);
  gateway.setAccount(FILE, used(1));
  expect((await run(second)).results[0]).toMatchObject({ executedAction: 'enable' });
}, 180_000);

async function disabledByInspection(): Promise<void> {
  const manager = await start();
  await configure(manager);
  expect((await run(manager)).results[0]).toMatchObject({ executedAction: 'disable' });
  expect(await manager.stop()).toBe(0);
  gateway.setAccount(FILE, used(1));
}

test('killed before the gateway was asked to enable, the account is enabled later', async () => {
  await disabledByInspection();
  await killedIn(await start('claim_stored'));
  expect(isDisabled()).toBe(true);
  const { results } = await run(await start());
  expect(results[0]).toMatchObject({ executedAction: 'enable' });
}, 180_000);

test('killed after the gateway was asked to enable: an account a person disables later stays theirs', async () => {
  await disabledByInspection();
  await killedIn(await start('claim_answered'));
  expect(isDisabled()).toBe(false);
  const manager = await startAndSettle();
  gateway.operate({ do: 'disable', account: FILE });
  expect((await run(manager)).results[0]).toMatchObject({ autoRecoverEligible: false });
  expect(isDisabled()).toBe(true);
}, 180_000);
