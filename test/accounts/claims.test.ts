import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { CandidateListResponse } from '@manager/core/contract/account-actions';
import type { QuotaCooldownsResponse } from '@manager/core/contract/cooldowns';
import type { InspectionRunDetail } from '@manager/core/contract/inspection/runs';
import { until } from '@manager/core/testing/until';
import { accountFile } from '@manager/simulator';
import { storedClaims } from '../support/account-claims.ts';
import { type ManagerOptions, ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const INSPECTION = '/v0/management/account-inspection';
const ONE = 'codex-one.json';
const TWO = 'codex-two.json';

let gateway: Simulator;
let dataDir = '';
let managers: ManagerProcess[] = [];

beforeEach(async () => {
  dataDir = temporaryFolder();
  gateway = await startTestGateway({
    authFiles: [ONE, TWO].map((name) => accountFile({ provider: 'codex', name, email: `${name}@example.test` })),
  });
});
afterEach(async () => {
  for (const manager of managers) await manager.remove();
  managers = [];
  await gateway.stop();
});

async function start(options: ManagerOptions = {}): Promise<ManagerProcess> {
  const env = {
    ...boundTo(gateway, 'http'),
    USAGE_QUOTA_COOLDOWN_ENABLED: 'true',
    USAGE_ACCOUNT_ACTIONS_ENABLED: 'true',
    USAGE_ACCOUNT_ACTIONS_AUTO_DISABLE: 'true',
    ...options.env,
  };
  const manager = await ManagerProcess.start({ dataDir, ...options, env });
  managers.push(manager);
  return manager;
}

const isDisabled = (name: string) => gateway.authFiles().find((file) => file.name === name)?.disabled === true;
const exhaust = (name: string, resetsInSeconds: number) =>
  gateway.publishFor(name, { kind: 'usage-limit', resetsInSeconds });
/** Long enough ago that no success is waited for. */
const revoke = (name: string) => gateway.publishFor(name, { kind: 'token-revoked', atMs: Date.now() - 90_000 });

const inCooldown = async (manager: ManagerProcess) =>
  (await manager.json<QuotaCooldownsResponse>('/usage-service/quota-cooldowns')).items.map((item) => item.authFileName);
const entersCooldown = (manager: ManagerProcess, name: string) =>
  until(async () => isDisabled(name) && (await inCooldown(manager)).includes(name));
const candidates = async (manager: ManagerProcess) =>
  (await manager.json<CandidateListResponse>('/v0/management/account-action-candidates')).items;
const autoDisabled = (manager: ManagerProcess) =>
  until(async () => (await candidates(manager)).some((item) => item.autoDisabledAtMs !== undefined));

/** The claim check of account one gets no answer. */
const cutOff = { on: 'list', account: ONE, when: 'before', actions: [{ do: 'disconnect' }] } as const;

async function inspect(manager: ManagerProcess, usedPercent: number): Promise<InspectionRunDetail> {
  const primary = { seconds: 18_000, usedPercent: 1 };
  gateway.setAccount(ONE, { primary, secondary: { seconds: 604_800, usedPercent } });
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

test('a cooldown that somebody ended at the gateway does not enable what a failure disabled since', async () => {
  const manager = await start();
  await exhaust(ONE, 14);
  await exhaust(TWO, 15);
  await entersCooldown(manager, ONE);
  await entersCooldown(manager, TWO);
  gateway.operate({ do: 'enable', account: ONE });
  await revoke(ONE);
  await autoDisabled(manager);
  expect(await inCooldown(manager)).not.toContain(ONE);
  // The first cooldown would end before the second one.
  await until(() => !isDisabled(TWO), 'the end of the second rest');
  expect(isDisabled(ONE)).toBe(true);
}, 180_000);

test('disabling by an inspection ends the cooldown', async () => {
  const manager = await start();
  await exhaust(ONE, 600);
  await entersCooldown(manager, ONE);
  gateway.operate({ do: 'enable', account: ONE });
  expect((await inspect(manager, 100)).results[0]).toMatchObject({ executedAction: 'disable' });
  expect(await inCooldown(manager)).toEqual([]);
  expect((await inspect(manager, 1)).results[0]).toMatchObject({ executedAction: 'enable' });
}, 180_000);

test.each(['a cooldown', 'a failure'])(
  'an inspection does not bring back what %s disabled after it',
  async (what) => {
    const manager = await start();
    expect((await inspect(manager, 100)).results[0]).toMatchObject({ executedAction: 'disable' });
    gateway.operate({ do: 'enable', account: ONE });
    await (what === 'a failure' ? revoke(ONE) : exhaust(ONE, 600));
    await (what === 'a failure' ? autoDisabled(manager) : entersCooldown(manager, ONE));
    expect((await inspect(manager, 1)).results[0]).toMatchObject({ action: 'enable', autoRecoverEligible: false });
    expect(isDisabled(ONE)).toBe(true);
  },
  180_000,
);

test('killed after a failure disabled it, the record follows although the policy is off by now', async () => {
  const first = await start({ stopAt: 'claim_answered' });
  await revoke(ONE);
  await first.killed();
  const second = await start({ env: { USAGE_ACCOUNT_ACTIONS_AUTO_DISABLE: 'false' } });
  await autoDisabled(second);
}, 180_000);

test('killed before that, and disabled by a person meanwhile: it is theirs', async () => {
  const first = await start({ stopAt: 'claim_stored' });
  await revoke(ONE);
  await first.killed();
  const look = gateway.hook({ ...cutOff, times: 'always' });
  const second = await start();
  await until(() => Number(gateway.hookFired(look)) > 0);
  const answer = await second.fetch('/v0/management/auth-files/status', {
    method: 'PATCH',
    body: JSON.stringify({ name: ONE, disabled: true }),
  });
  expect(answer.status).toBe(200);
  gateway.clearHooks(look);
  await until(() => storedClaims(dataDir).open === 0, 'a decision');
  expect((await candidates(second)).map((item) => item.autoDisabledAtMs)).toEqual([undefined]);
  expect(gateway.mutations({ account: ONE })).toHaveLength(1);
}, 180_000);

test('a check that always fails delays no other account', async () => {
  const first = await start({ stopAt: 'claim_stored' });
  await exhaust(ONE, 600);
  await first.killed();
  gateway.hook({ ...cutOff, times: 'always' });
  const second = await start();
  await exhaust(TWO, 600);
  // The cut connection may have carried its own check; then the next check counts.
  await entersCooldown(second, TWO);
}, 180_000);
