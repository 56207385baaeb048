import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { QuotaCooldown, QuotaCooldownsResponse } from '@manager/core/contract/cooldowns';
import type { InspectionRunDetail } from '@manager/core/contract/inspection/runs';
import { until } from '@manager/core/testing/until';
import { accountFile } from '@manager/simulator';
import { storedClaims } from '../support/account-claims.ts';
import { type ManagerOptions, ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const ONE = 'codex-one.json';
const TWO = 'codex-two.json';
const THREE = 'codex-three.json';
const XAI = 'xai.json';

let gateway: Simulator;
let dataDir = '';
let managers: ManagerProcess[] = [];

beforeEach(async () => {
  dataDir = temporaryFolder();
  gateway = await startTestGateway({
    authFiles: [
      accountFile({ provider: 'codex', name: ONE, email: 'one@example.test' }),
      accountFile({ provider: 'codex', name: TWO, email: 'two@example.test' }),
      accountFile({ provider: 'codex', name: THREE, email: 'other@example.test' }),
      accountFile({ provider: 'xai', name: XAI, email: 'three@example.test' }),
    ],
  });
});
afterEach(async () => {
  for (const manager of managers) await manager.remove();
  managers = [];
  await gateway.stop();
});

async function start(options: ManagerOptions = {}): Promise<ManagerProcess> {
  const env = { ...boundTo(gateway, 'http'), USAGE_QUOTA_COOLDOWN_ENABLED: 'true', ...options.env };
  const manager = await ManagerProcess.start({ dataDir, ...options, env });
  managers.push(manager);
  return manager;
}

const isDisabled = (name: string) => gateway.authFiles().find((file) => file.name === name)?.disabled === true;
const cooldowns = async (manager: ManagerProcess): Promise<readonly QuotaCooldown[]> =>
  (await manager.json<QuotaCooldownsResponse>('/usage-service/quota-cooldowns')).items;
const exhaust = (name: string, resetsInSeconds: number) =>
  gateway.publishFor(name, { kind: 'usage-limit', resetsInSeconds });
/** Changes made by the manager. */
const changes = (name: string) =>
  gateway.mutations({ by: 'caller', account: name }).map((mutation) => mutation.changes[0]?.what);
const entersCooldown = (manager: ManagerProcess, name: string) =>
  until(async () => (await cooldowns(manager)).find(({ authFileName }) => authFileName === name));
const isEnabledAgain = (manager: ManagerProcess, name: string) =>
  until(async () => !isDisabled(name) && (await cooldowns(manager)).every((item) => item.authFileName !== name));

async function switchManually(manager: ManagerProcess, name: string, disabled: boolean): Promise<void> {
  const answer = await manager.fetch('/v0/management/auth-files/status', {
    method: 'PATCH',
    body: JSON.stringify({ name, disabled, cpamp_physical_name: name }),
  });
  expect(answer.status).toBe(200);
}

test('an exhausted account is in cooldown until its quota resets, others continue', async () => {
  const manager = await start();
  // Long enough to be seen on a busy machine.
  const { atMs } = await exhaust(ONE, 8);
  const item = await entersCooldown(manager, ONE);
  expect(item).toMatchObject({
    provider: 'codex',
    owner: 'manager_usage_429',
    reasonCode: 'codex_usage_limit_reached',
  });
  expect(Math.abs(item.recoverAtMs - (atMs + 8_000))).toBeLessThanOrEqual(1_500);
  expect([isDisabled(ONE), isDisabled(TWO)]).toEqual([true, false]);
  await isEnabledAgain(manager, ONE);
  expect(Date.now()).toBeGreaterThanOrEqual(item.recoverAtMs);
  expect(Date.now() - item.recoverAtMs).toBeLessThan(20_000);
  expect(changes(ONE)).toEqual(['disabled', 'enabled']);
}, 180_000);

test('an xAI account is in cooldown for a day; a later event with an earlier end does not shorten that', async () => {
  const manager = await start();
  const { atMs } = await gateway.publishFor(XAI, {
    kind: 'free-usage-exhausted',
    tokens: { actual: 2_033_137, limit: 2_000_000 },
  });
  const item = await entersCooldown(manager, XAI);
  expect(item.recoverAtMs).toBe(atMs + 86_400_000);
  expect(item.evidence).toMatchObject({ overage: 33_137, recover_at_estimated: true });
  await gateway.publishFor(XAI, { kind: 'free-usage-exhausted', resetsInSeconds: 60 });
  await exhaust(ONE, 600);
  await entersCooldown(manager, ONE);
  expect((await entersCooldown(manager, XAI)).recoverAtMs).toBe(item.recoverAtMs);
  expect(changes(XAI)).toEqual(['disabled']);
}, 180_000);

test('the same event twice acts once; a storm of failures is one cooldown', async () => {
  const manager = await start();
  const { event } = await exhaust(ONE, 600);
  await entersCooldown(manager, ONE);
  await gateway.publish(event, { count: 3 });
  for (let count = 0; count < 50; count += 1) await exhaust(TWO, 600 + count);
  await entersCooldown(manager, TWO);
  await until(async () => Number((await manager.json<{ events: number }>('/status')).events) >= 51);
  await until(() => storedClaims(dataDir).open === 0, 'the effects of all of them');
  expect([changes(ONE), changes(TWO)]).toEqual([['disabled'], ['disabled']]);
  expect(await cooldowns(manager)).toHaveLength(2);
}, 180_000);

test('an account that a person disabled is never enabled by the end of a cooldown', async () => {
  const manager = await start();
  await switchManually(manager, ONE, true);
  await exhaust(ONE, 1);
  await exhaust(TWO, 12);
  await entersCooldown(manager, TWO);
  expect(await cooldowns(manager)).toHaveLength(1);
  await switchManually(manager, TWO, false);
  await switchManually(manager, TWO, true);
  expect(await cooldowns(manager)).toEqual([]);
  // The other two cooldowns would end before this one.
  await exhaust(THREE, 13);
  await entersCooldown(manager, THREE);
  await isEnabledAgain(manager, THREE);
  expect([isDisabled(ONE), isDisabled(TWO)]).toEqual([true, true]);
  expect([changes(ONE), changes(TWO)]).toEqual([['disabled'], ['disabled', 'enabled', 'disabled']]);
}, 180_000);

test('what a person enables after an inspection ends the cooldown', async () => {
  const manager = await start();
  await exhaust(ONE, 600);
  await entersCooldown(manager, ONE);
  const inspection = '/v0/management/account-inspection';
  const { run } = await manager.post<InspectionRunDetail>(`${inspection}/run`, {});
  const { results } = await until(async () => {
    const detail = await manager.json<InspectionRunDetail>(`${inspection}/runs/${run.id}`);
    return detail.run.status === 'completed' && !detail.run.active ? detail : null;
  });
  const result = results.find(({ fileName }) => fileName === ONE);
  expect(result).toMatchObject({ action: 'enable', disabled: true });
  await manager.post(`${inspection}/runs/${run.id}/actions`, { resultIds: [result?.id] });
  expect([isDisabled(ONE), await cooldowns(manager)]).toEqual([false, []]);
}, 180_000);

test('a manual change that the gateway refuses leaves the cooldown unchanged', async () => {
  const manager = await start();
  await exhaust(ONE, 600);
  await entersCooldown(manager, ONE);
  gateway.fault({ kind: 'mutation', answer: 'not-found', applies: false });
  const answer = await manager.fetch('/v0/management/auth-files/status', {
    method: 'PATCH',
    body: JSON.stringify({ name: ONE, disabled: false, cpamp_physical_name: ONE }),
  });
  expect(answer.status).toBe(404);
  expect(await cooldowns(manager)).toHaveLength(1);
}, 180_000);

test('another account in the same file is not enabled', async () => {
  const manager = await start();
  await exhaust(ONE, 8);
  await entersCooldown(manager, ONE);
  const other = accountFile({
    provider: 'codex',
    name: ONE,
    email: 'other@example.test',
    accountId: 'other',
    disabled: true,
  });
  gateway.operate({ do: 'delete', account: ONE });
  gateway.operate({ do: 'add', file: { ...other, authIndex: 'another-index' } });
  await until(async () => (await cooldowns(manager)).length === 0);
  expect(isDisabled(ONE)).toBe(true);
}, 180_000);

test('switched off, no new cooldown starts, and accounts in cooldown are enabled again', async () => {
  const first = await start();
  await exhaust(ONE, 8);
  await entersCooldown(first, ONE);
  await first.stop();
  const second = await start({ env: { USAGE_QUOTA_COOLDOWN_ENABLED: 'false' } });
  await exhaust(TWO, 600);
  await isEnabledAgain(second, ONE);
  expect([isDisabled(TWO), changes(TWO)]).toEqual([false, []]);
}, 180_000);

test.each([
  ['before the upstream was told', 'claim_stored'],
  ['after the upstream did it', 'claim_answered'],
  ['after it was stored', 'claim_settled'],
  ['while the effects of the event were stored', 'account_effects_written'],
])(
  'killed %s, the account rests and comes back',
  async (_, stopAt) => {
    const first = await start({ stopAt });
    // The second start lies within it, on a busy machine too.
    await exhaust(ONE, 15);
    await first.killed();
    const second = await start();
    await entersCooldown(second, ONE);
    expect(isDisabled(ONE)).toBe(true);
    await isEnabledAgain(second, ONE);
    expect(changes(ONE).at(-1)).toBe('enabled');
  },
  180_000,
);

test('killed after it was enabled, it is not touched again', async () => {
  const first = await start({ stopAt: 'claim_answered#2' });
  await exhaust(ONE, 8);
  await first.killed();
  const second = await start();
  await isEnabledAgain(second, ONE);
  expect(changes(ONE)).toEqual(['disabled', 'enabled']);
}, 180_000);

test('a change without an answer is checked, and an unreachable gateway is waited for', async () => {
  const manager = await start();
  gateway.fault({ kind: 'mutation', disabled: true, answer: 'reset' });
  await exhaust(ONE, 8);
  await entersCooldown(manager, ONE);
  gateway.fault({ kind: 'mutation', disabled: false, answer: 'reset', applies: false });
  await until(async () => changes(ONE).length >= 2 || gateway.mutations({ account: ONE }).length >= 2);
  await isEnabledAgain(manager, ONE);
}, 180_000);
