import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { AccountActionCandidate, CandidateListResponse } from '@manager/core/contract/account-actions';
import { until } from '@manager/core/testing/until';
import { accountFile } from '@manager/simulator';
import { type ManagerOptions, ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const QUEUE = '/v0/management/account-action-candidates';
const ONE = 'codex-one.json';
const TWO = 'codex-two.json';
/** Time in which a success shows that a failure was none. */
const CONFIRMED_MS = 90_000;

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
    USAGE_ACCOUNT_ACTIONS_ENABLED: 'true',
    USAGE_ACCOUNT_ACTIONS_AUTO_DISABLE: 'true',
    ...options.env,
  };
  const manager = await ManagerProcess.start({ dataDir, ...options, env });
  managers.push(manager);
  return manager;
}

const isDisabled = (name: string) => gateway.authFiles().find((entry) => entry.name === name)?.disabled === true;
const changesOf = (name: string) =>
  gateway.mutations({ by: 'caller', account: name }).map((mutation) => mutation.changes[0]?.what);
const longAgo = () => Date.now() - CONFIRMED_MS;
const entries = async (manager: ManagerProcess) => (await manager.json<CandidateListResponse>(QUEUE)).items;
const entry = (manager: ManagerProcess, name: string, is: (item: AccountActionCandidate) => boolean = () => true) =>
  until(async () => (await entries(manager)).find((item) => item.authFileName === name && is(item)));
/** Everything that was published before is decided. */
async function otherIsDisabled(): Promise<void> {
  await gateway.publishFor(TWO, { kind: 'token-revoked', atMs: longAgo() });
  await until(() => isDisabled(TWO));
}

test.each([true, false])(
  'a 401 that the gateway refreshes and repeats disables nothing (new token listed: %p)',
  async (listed) => {
    const manager = await start();
    await gateway.publishRefreshed(ONE, { atMs: longAgo(), afterMs: 300, listed });
    // With a code that says more, as some are.
    const atMs = longAgo();
    await gateway.publishFor(ONE, { kind: 'token-revoked', atMs });
    gateway.refreshToken(ONE, { atMs: atMs + 200, listed });
    await gateway.publishFor(ONE, { kind: 'success', atMs: atMs + 300 });
    await otherIsDisabled();
    expect([isDisabled(ONE), changesOf(ONE)]).toEqual([false, []]);
    expect(
      (await entries(manager)).filter(({ status }) => status === 'pending').map((item) => item.authFileName),
    ).toEqual([TWO]);
  },
  180_000,
);

test('the code auth_unavailable alone is no reason to disable an account', async () => {
  const manager = await start();
  await gateway.publishFor(ONE, { kind: 'credentials-invalid', atMs: longAgo() });
  await otherIsDisabled();
  expect(await entry(manager, ONE, ({ confirmingUntilMs }) => confirmingUntilMs === undefined)).toMatchObject({
    reasonCode: 'authentication_review',
    autoDisableEligible: false,
  });
  expect(isDisabled(ONE)).toBe(false);
}, 180_000);

test('a failure is confirmed for 90 seconds, and withdrawn by a success that began later', async () => {
  const manager = await start();
  const atMs = Date.now() - 20_000;
  await gateway.publishFor(ONE, { kind: 'token-revoked', atMs });
  expect(await entry(manager, ONE)).toMatchObject({
    status: 'pending',
    reasonCode: 'token_revoked',
    confirmingUntilMs: atMs + CONFIRMED_MS,
  });
  await gateway.publishFor(ONE, { kind: 'success', atMs: atMs - 1_000 });
  await gateway.publishFor(ONE, { kind: 'success', atMs: atMs + 1_000 });
  const resolved = await entry(manager, ONE, ({ status }) => status === 'resolved');
  expect(resolved).toMatchObject({ reason: 'superseded', reasonCode: 'token_revoked' });
  expect(resolved.confirmingUntilMs).toBeUndefined();
  // A failure from before the success that arrives late, and one after it.
  await gateway.publishFor(ONE, { kind: 'token-revoked', atMs: atMs + 500 });
  await gateway.publishFor(ONE, { kind: 'unauthorized', atMs: atMs + 2_000 });
  await gateway.publishFor(ONE, { kind: 'token-revoked', atMs: atMs + 3_000 });
  expect(await entry(manager, ONE, ({ status }) => status === 'pending')).toMatchObject({
    hitCount: 1,
    firstSeenAtMs: atMs + 3_000,
    confirmingUntilMs: atMs + 3_000 + CONFIRMED_MS,
  });
  expect(changesOf(ONE)).toEqual([]);
}, 180_000);

test('a success counts by the clock of a gateway that is ahead', async () => {
  const manager = await start();
  const atMs = Date.now() + 600_000;
  await gateway.publishFor(ONE, { kind: 'token-revoked', atMs });
  await entry(manager, ONE, ({ status }) => status === 'pending');
  await gateway.publishFor(ONE, { kind: 'success', atMs: atMs + 300 });
  expect(await entry(manager, ONE, ({ status }) => status === 'resolved')).toMatchObject({ reason: 'superseded' });
}, 180_000);

test('a success between two failures starts the confirmation again', async () => {
  const manager = await start();
  const atMs = Date.now() - 60_000;
  await gateway.publishFor(ONE, { kind: 'token-revoked', atMs });
  await gateway.publishFor(ONE, { kind: 'token-revoked', atMs: atMs + 30_000 });
  await entry(manager, ONE, ({ hitCount }) => hitCount === 2);
  await gateway.publishFor(ONE, { kind: 'success', atMs: atMs + 10_000 });
  await entry(manager, ONE, ({ confirmingUntilMs }) => confirmingUntilMs === atMs + 30_000 + CONFIRMED_MS);
}, 180_000);

test.each(['a success that ended late', 'a new token while the manager was away'])(
  'an account that was disabled is enabled again by %s',
  async (what) => {
    const manager = await start();
    const atMs = longAgo();
    await gateway.publishFor(ONE, { kind: 'token-revoked', atMs });
    await entry(manager, ONE, ({ autoDisabledAtMs }) => autoDisabledAtMs !== undefined);
    expect(isDisabled(ONE)).toBe(true);
    let last = manager;
    if (what === 'a success that ended late') await gateway.publishFor(ONE, { kind: 'success', atMs: atMs + 100 });
    else {
      await manager.stop();
      gateway.refreshToken(ONE);
      last = await start();
    }
    await until(() => !isDisabled(ONE));
    expect(await entry(last, ONE, ({ status }) => status !== 'pending')).toMatchObject({
      status: 'resolved',
      reason: 'superseded',
    });
    expect(changesOf(ONE)).toEqual(['disabled', 'enabled']);
  },
  180_000,
);

test('an account that a person disabled after the manager did stays disabled', async () => {
  const manager = await start();
  const atMs = longAgo();
  await gateway.publishFor(ONE, { kind: 'token-revoked', atMs });
  await entry(manager, ONE, ({ autoDisabledAtMs }) => autoDisabledAtMs !== undefined);
  const body = JSON.stringify({ name: ONE, disabled: true, cpamp_physical_name: ONE });
  expect((await manager.fetch('/v0/management/auth-files/status', { method: 'PATCH', body })).status).toBe(200);
  await gateway.publishFor(ONE, { kind: 'success', atMs: atMs + 100 });
  await entry(manager, ONE, ({ status }) => status === 'resolved');
  await otherIsDisabled();
  expect(isDisabled(ONE)).toBe(true);
}, 180_000);

test('without automatic disabling, a new token withdraws a failure before it counts', async () => {
  const manager = await start({ env: { USAGE_ACCOUNT_ACTIONS_AUTO_DISABLE: 'false' } });
  const atMs = longAgo();
  gateway.refreshToken(ONE, { atMs: atMs + 100 });
  await gateway.publishFor(ONE, { kind: 'token-revoked', atMs });
  expect(await entry(manager, ONE)).toMatchObject({ status: 'pending', confirmingUntilMs: expect.any(Number) });
  expect(await entry(manager, ONE, ({ status }) => status === 'resolved')).toMatchObject({ reason: 'superseded' });
}, 180_000);

test('a deactivated account counts at once, and is disabled as late as others', async () => {
  const manager = await start();
  const atMs = Date.now();
  await gateway.publishFor(ONE, { kind: 'account-deactivated', atMs });
  expect((await entry(manager, ONE)).confirmingUntilMs).toBeUndefined();
  await otherIsDisabled();
  expect(isDisabled(ONE)).toBe(false);
}, 180_000);
