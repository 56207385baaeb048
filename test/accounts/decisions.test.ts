import { afterEach, expect, test } from 'bun:test';
import type { QuotaCooldownsResponse } from '@manager/core/contract/cooldowns';
import type { InspectionRunDetail } from '@manager/core/contract/inspection/runs';
import { until } from '@manager/core/testing/until';
import { accountFile, type MutationAnswer, type SimulatorOptions } from '@manager/simulator';
import { ManagerProcess } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const INSPECTION = '/v0/management/account-inspection';
/** What a gateway may answer although it made the change. */
const ANSWERS: readonly MutationAnswer[] = [
  'status-success',
  'server-error',
  'unavailable',
  'conflict',
  'not-found',
  'bad-request',
  'reset',
  'ok-false',
  { status: 502, body: '' },
  { status: 504, body: '' },
];
const UNTOUCHED = 'untouched.json';
const nameOf = (index: number) => `codex-${index}.json`;

let gateway: Simulator;
let manager: ManagerProcess;
afterEach(async () => {
  await manager?.remove();
  await gateway?.stop();
});

async function start(names: readonly string[], options: SimulatorOptions = {}): Promise<void> {
  gateway = await startTestGateway({
    ...options,
    authFiles: names.map((name) => accountFile({ provider: 'codex', name, email: `${name}@example.test` })),
  });
  manager = await ManagerProcess.start({
    env: { ...boundTo(gateway, 'http'), USAGE_QUOTA_COOLDOWN_ENABLED: 'true' },
  });
}

const isDisabled = (name: string) => gateway.authFiles().find((file) => file.name === name)?.disabled === true;
const inCooldown = async () =>
  (await manager.json<QuotaCooldownsResponse>('/usage-service/quota-cooldowns')).items.map((item) => item.authFileName);
const exhaust = (name: string, resetsInSeconds: number) =>
  gateway.publishFor(name, { kind: 'usage-limit', resetsInSeconds });
const disableManually = (name: string, more: object = {}) =>
  manager.fetch('/v0/management/auth-files/status', {
    method: 'PATCH',
    body: JSON.stringify({ name, disabled: true, ...more }),
  });

test('an account that a person disables during its cooldown stays disabled, whatever the gateway answers', async () => {
  const names = ANSWERS.map((_, index) => nameOf(index));
  await start([...names, UNTOUCHED]);
  for (const name of [...names, UNTOUCHED]) await exhaust(name, 15);
  await until(async () => (await inCooldown()).length === names.length + 1);
  for (const [index, answer] of ANSWERS.entries()) {
    const name = nameOf(index);
    gateway.fault({ kind: 'mutation', account: name, answer });
    await disableManually(name, index % 2 === 0 ? {} : { cpamp_physical_name: name });
  }
  expect(await inCooldown()).toEqual([UNTOUCHED]);
  await until(() => !isDisabled(UNTOUCHED));
  expect(names.filter((name) => !isDisabled(name))).toEqual([]);
}, 180_000);

test('an account that a person disables in an inspection during its cooldown stays disabled, and is skipped', async () => {
  const [name, other] = [nameOf(0), nameOf(1)];
  await start([name, other]);
  gateway.setAccount(name, { secondary: { seconds: 604_800, usedPercent: 100 } });
  const { run } = await manager.post<InspectionRunDetail>(`${INSPECTION}/run`, {});
  const { results } = await until(async () => {
    const detail = await manager.json<InspectionRunDetail>(`${INSPECTION}/runs/${run.id}`);
    return detail.run.active ? null : detail;
  });
  for (const each of [name, other]) await exhaust(each, 12);
  await until(async () => (await inCooldown()).length === 2);
  const { outcomes } = await manager.post<{ outcomes: { status: string }[] }>(`${INSPECTION}/runs/${run.id}/actions`, {
    resultIds: results.filter(({ fileName }) => fileName === name).map(({ id }) => id),
  });
  expect(outcomes.map(({ status }) => status)).toEqual(['skipped']);
  expect(await inCooldown()).toEqual([other]);
  await until(() => !isDisabled(other));
  expect(isDisabled(name)).toBe(true);
}, 180_000);

test.each([false, true])(
  'another account that takes the place right before a rest begins is as it was (disabled: %p)',
  async (disabled) => {
    const name = nameOf(0);
    // The word tells the state before only until it follows the change.
    await start([name, UNTOUCHED], { statusWordDelayMs: 3_600_000 });
    const by = accountFile({ provider: 'codex', name, email: 'other@example.test', disabled });
    gateway.hook({
      on: 'status',
      when: 'before',
      account: name,
      actions: [{ do: 'replace', account: name, by }],
    });
    await exhaust(name, 600);
    await exhaust(UNTOUCHED, 600);
    await until(async () => (await inCooldown()).includes(UNTOUCHED));
    await manager.printed(`${name} is not in cooldown: the auth file now holds another account`);
    expect([isDisabled(name), await inCooldown()]).toEqual([disabled, [UNTOUCHED]]);
  },
  180_000,
);

test('changes a person makes directly at the gateway, before and after a cooldown, stay', async () => {
  const [before, amid, after] = [nameOf(0), nameOf(1), nameOf(2)];
  await start([before, amid, after, UNTOUCHED]);
  gateway.operate({ do: 'disable', account: before });
  for (const name of [before, amid, after, UNTOUCHED]) await exhaust(name, 10);
  await until(async () => (await inCooldown()).length === 3);
  gateway.operate({ do: 'enable', account: amid });
  await until(() => !isDisabled(after));
  gateway.operate({ do: 'disable', account: after });
  await until(async () => !isDisabled(UNTOUCHED) && (await inCooldown()).length === 0);
  // When another cooldown has started and ended, everything due was processed.
  await exhaust(UNTOUCHED, 8);
  await until(() => isDisabled(UNTOUCHED));
  await until(() => !isDisabled(UNTOUCHED));
  expect([before, amid, after].map(isDisabled)).toEqual([true, false, true]);
  const made = gateway.mutations({ by: 'caller' }).map(({ names, disabled }) => `${names[0]} ${disabled}`);
  expect(made.filter((text) => !text.startsWith(UNTOUCHED)).toSorted()).toEqual([
    `${amid} true`,
    `${after} false`,
    `${after} true`,
  ]);
}, 180_000);
