import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { CandidateListResponse } from '@manager/core/contract/account-actions';
import type { QuotaCooldownsResponse } from '@manager/core/contract/cooldowns';
import type { InspectionRunDetail } from '@manager/core/contract/inspection/runs';
import { until } from '@manager/core/testing/until';
import { openDatabase } from '@manager/server/sqlite/open';
import { accountFile, sharedFile } from '@manager/simulator';
import { openChanges } from '../support/account-claims.ts';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const INSPECTION = '/v0/management/account-inspection';
const QUEUE = '/v0/management/account-action-candidates';
const FILE = 'codex-a.json';

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
  gateway.clearHooks();
  for (const manager of managers) await manager.remove();
  managers = [];
  await gateway.stop();
});

async function start(stopAt?: string): Promise<ManagerProcess> {
  const env = {
    ...boundTo(gateway, 'http'),
    USAGE_QUOTA_COOLDOWN_ENABLED: 'true',
    USAGE_ACCOUNT_ACTIONS_ENABLED: 'true',
  };
  const manager = await ManagerProcess.start({ dataDir, env, ...(stopAt === undefined ? {} : { stopAt }) });
  managers.push(manager);
  return manager;
}

const isDisabled = () => gateway.authFiles()[0]?.disabled === true;
const cooldowns = async (manager: ManagerProcess) =>
  (await manager.json<QuotaCooldownsResponse>('/usage-service/quota-cooldowns')).items.length;
const candidate = async (manager: ManagerProcess) => (await manager.json<CandidateListResponse>(QUEUE)).items[0];

/** How a person enables an account that a cooldown disabled; resolves to the request, not to its answer. */
type Way = (manager: ManagerProcess) => Promise<() => Promise<Response>>;

const WAYS: Readonly<Record<string, Way>> = {
  'the list of accounts': async (manager) => () =>
    manager.fetch('/v0/management/auth-files/status', {
      method: 'PATCH',
      body: JSON.stringify({ name: FILE, disabled: false, cpamp_physical_name: FILE }),
    }),
  async 'an inspection'(manager) {
    const { run } = await manager.post<InspectionRunDetail>(`${INSPECTION}/run`, {});
    const { results } = await until(async () => {
      const detail = await manager.json<InspectionRunDetail>(`${INSPECTION}/runs/${run.id}`);
      return detail.run.active ? null : detail;
    });
    expect(results[0]).toMatchObject({ action: 'enable', autoRecoverEligible: false });
    const body = JSON.stringify({ resultIds: results.map(({ id }) => id) });
    return () => manager.fetch(`${INSPECTION}/runs/${run.id}/actions`, { method: 'POST', body });
  },
  async 'the action queue'(manager) {
    await gateway.publishFor(FILE, { kind: 'token-revoked' });
    const { id } = await until(() => candidate(manager));
    return () => manager.fetch(`${QUEUE}/${id}/enable`, { method: 'POST' });
  },
};

/** The account is in cooldown, and the person is about to enable it. */
async function ready(manager: ManagerProcess, way: Way): Promise<() => Promise<Response>> {
  await gateway.publishFor(FILE, { kind: 'usage-limit', resetsInSeconds: 600 });
  await until(async () => isDisabled() && (await cooldowns(manager)) === 1);
  return way(manager);
}

async function restarted(): Promise<ManagerProcess> {
  const manager = await start();
  await until(() => openChanges(dataDir) === 0, 'the change to be decided');
  return manager;
}

/** A disabled account has an owner, an enabled one needs none. */
async function expectOwned(manager: ManagerProcess, isEnabled: boolean): Promise<void> {
  expect([isDisabled(), await cooldowns(manager)]).toEqual(isEnabled ? [false, 0] : [true, 1]);
}

describe.each(Object.keys(WAYS))('enabled in %s', (name) => {
  const way = WAYS[name] as Way;

  test('killed before the change was sent: the cooldown goes on', async () => {
    const first = await start('manual_change_stored');
    await (await ready(first, way))().catch(() => {});
    await first.killed();
    await expectOwned(await restarted(), false);
  }, 180_000);

  test.each([
    ['never arrives', false],
    ['arrives after the kill', true],
  ] as const)(
    'killed while the change is held, which %s',
    async (_, arrives) => {
      const first = await start();
      const enable = await ready(first, way);
      // Nothing is done where the connection is cut before the change.
      const hold = gateway.hook({ on: 'status', when: 'before', hold: true });
      if (!arrives) gateway.fault({ kind: 'mutation', answer: 'reset', applies: false });
      const answer = enable().catch(() => {});
      await until(() => Number(gateway.hookFired(hold)) > 0);
      await first.kill();
      await answer;
      gateway.releaseHook(hold);
      if (arrives) await until(() => !isDisabled());
      await expectOwned(await restarted(), arrives);
    },
    180_000,
  );

  test('killed while the change is held, which arrives when its outcome is decided', async () => {
    const first = await start();
    const enable = await ready(first, way);
    const hold = gateway.hook({ on: 'status', when: 'before', hold: true });
    const answer = enable().catch(() => {});
    await until(() => Number(gateway.hookFired(hold)) > 0);
    await first.kill();
    await answer;
    const second = await restarted();
    await expectOwned(second, false);
    gateway.releaseHook(hold);
    await until(() => !isDisabled());
    // The next report of its quota starts a cooldown as always.
    await gateway.publishFor(FILE, { kind: 'usage-limit', resetsInSeconds: 900 });
    await until(isDisabled);
    await until(async () => (await cooldowns(second)) === 1);
  }, 180_000);

  test('killed while the answer is held: the account is enabled, and nobody disables it', async () => {
    const first = await start();
    const enable = await ready(first, way);
    const hold = gateway.hook({ on: 'status', when: 'after', hold: true });
    const answer = enable().catch(() => {});
    await until(() => Number(gateway.hookFired(hold)) > 0);
    await first.kill();
    await answer;
    await expectOwned(await restarted(), true);
  }, 180_000);

  test('killed after the answer: the account is enabled, and nobody disables it', async () => {
    const first = await start('manual_change_answered');
    await (await ready(first, way))().catch(() => {});
    await first.killed();
    await expectOwned(await restarted(), true);
  }, 180_000);

  test('without an answer, and while the gateway cannot be asked, the outcome is decided later', async () => {
    const manager = await start();
    const enable = await ready(manager, way);
    const match = { path: '/v0/management/auth-files' };
    gateway.hook({
      on: 'status',
      when: 'before',
      run: async () => void gateway.fault({ kind: 'http', match, respond: { status: 503 }, times: 'always' }),
    });
    gateway.fault({ kind: 'mutation', answer: 'reset', applies: false });
    await enable().catch(() => {});
    expect([isDisabled(), openChanges(dataDir), await cooldowns(manager)]).toEqual([true, 1, 0]);
    gateway.clearFaults();
    await until(() => openChanges(dataDir) === 0);
    await expectOwned(manager, false);
  }, 180_000);

  test('a change that the gateway did not make although it gave no answer leaves the owner', async () => {
    const manager = await start();
    const enable = await ready(manager, way);
    gateway.fault({ kind: 'mutation', answer: 'reset', applies: false });
    await enable().catch(() => {});
    await until(() => openChanges(dataDir) === 0);
    await expectOwned(manager, false);
  }, 180_000);
});

test.each(['unconfirmed', 'text', 'truncated'] as const)(
  'a good answer that says neither (%s), to a change that the gateway did not make, leaves the owner',
  async (answer) => {
    const manager = await start();
    const enable = await ready(manager, WAYS['the list of accounts'] as Way);
    gateway.fault({ kind: 'mutation', answer, applies: false });
    await enable();
    await until(() => openChanges(dataDir) === 0);
    await expectOwned(manager, false);
  },
  180_000,
);

test('killed between two accounts of one file: the one that is still disabled keeps its owner', async () => {
  const SHARED = 'shared.json';
  for (const file of sharedFile({ name: SHARED, provider: 'codex', children: 2, sourceRow: false })) {
    gateway.operate({ do: 'add', file });
  }
  const children = gateway.authFiles().flatMap(({ name, id }) => (name === SHARED ? [String(id)] : []));
  const first = await start();
  for (const id of children) await gateway.publishFor(id, { kind: 'usage-limit', resetsInSeconds: 600 });
  await until(async () => (await cooldowns(first)) === 2);
  const { run } = await first.post<InspectionRunDetail>(`${INSPECTION}/run`, {});
  const { results } = await until(async () => {
    const detail = await first.json<InspectionRunDetail>(`${INSPECTION}/runs/${run.id}`);
    return detail.run.active ? null : detail;
  });
  const resultIds = results.filter(({ fileName }) => fileName === SHARED).map(({ id }) => id);
  const hold = gateway.hook({ on: 'status', when: 'before', nth: 2, hold: true });
  gateway.fault({ kind: 'mutation', answer: 'reset', applies: false, skip: 1 });
  const body = JSON.stringify({ resultIds });
  const answer = first.fetch(`${INSPECTION}/runs/${run.id}/actions`, { method: 'POST', body }).catch(() => {});
  await until(() => Number(gateway.hookFired(hold)) > 0);
  await first.kill();
  await answer;
  const second = await restarted();
  const states = gateway.authFiles().flatMap(({ name, disabled }) => (name === SHARED ? [disabled === true] : []));
  expect(states.toSorted()).toEqual([false, true]);
  expect(await cooldowns(second)).toBe(1);
}, 180_000);

test('an entry of the action queue that cannot be closed: the account has its state and its owner back', async () => {
  const manager = await start();
  const enable = await ready(manager, WAYS['the action queue'] as Way);
  const db = openDatabase(join(dataDir, 'usage.sqlite'));
  db.run(`CREATE TRIGGER refuse BEFORE UPDATE OF status ON account_action_candidates
          BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`);
  db.close();
  expect((await enable()).status).toBe(500);
  expect(openChanges(dataDir)).toBe(0);
  await expectOwned(manager, false);
}, 180_000);

test('killed after the action queue entry was closed: the account is enabled, and nobody disables it', async () => {
  const first = await start('candidate_closed');
  await (await ready(first, WAYS['the action queue'] as Way))().catch(() => {});
  await first.killed();
  const second = await restarted();
  await expectOwned(second, true);
  expect((await candidate(second))?.status).toBe('resolved');
}, 180_000);
