import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { AccountActionCandidate, CandidateListResponse } from '@manager/core/contract/account-actions';
import type { ProcessingPolicyResponse } from '@manager/core/contract/settings/processing-policy';
import { until } from '@manager/core/testing/until';
import { type AccountEventKind, accountFile, sharedFile } from '@manager/simulator';
import { storedClaims } from '../support/account-claims.ts';
import { type ManagerOptions, ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const QUEUE = '/v0/management/account-action-candidates';
const POLICY = '/usage-service/account-processing-policy';
const ONE = 'codex-one.json';
const TWO = 'codex-two.json';
const SHARED = 'shared.json';

let gateway: Simulator;
let dataDir = '';
let managers: ManagerProcess[] = [];

beforeEach(async () => {
  dataDir = temporaryFolder();
  gateway = await startTestGateway({
    authFiles: [
      accountFile({ provider: 'codex', name: ONE, email: 'one@example.test' }),
      accountFile({ provider: 'codex', name: TWO, email: 'two@example.test' }),
      ...sharedFile({ name: SHARED, provider: 'codex', children: 2, sourceRow: false }),
    ],
  });
});
afterEach(async () => {
  for (const manager of managers) await manager.remove();
  managers = [];
  await gateway.stop();
});

async function start(options: ManagerOptions & { readonly autoDisable?: boolean } = {}): Promise<ManagerProcess> {
  const { autoDisable = false, ...others } = options;
  const env = {
    ...boundTo(gateway, 'http'),
    USAGE_ACCOUNT_ACTIONS_ENABLED: 'true',
    USAGE_ACCOUNT_ACTIONS_AUTO_DISABLE: String(autoDisable),
    ...options.env,
  };
  const manager = await ManagerProcess.start({ dataDir, ...others, env });
  managers.push(manager);
  return manager;
}

const file = (name: string) => gateway.authFiles().find((entry) => entry.name === name);
const isDisabled = (name: string) => file(name)?.disabled === true;
const list = (manager: ManagerProcess, query = '') => manager.json<CandidateListResponse>(`${QUEUE}${query}`);
/** Long enough ago that no success is waited for. */
const fails = (name: string, kind: AccountEventKind = 'token-revoked') =>
  gateway.publishFor(name, { kind, atMs: Date.now() - 90_000 });
const changes = (name: string) =>
  gateway.mutations({ by: 'caller', account: name }).map((mutation) => mutation.changes[0]?.what);

function candidate(
  manager: ManagerProcess,
  name: string,
  also: (item: AccountActionCandidate) => boolean = () => true,
) {
  return until(async () =>
    (await list(manager)).items.find((item) => item.authFileName === name && item.status === 'pending' && also(item)),
  );
}

async function act(manager: ManagerProcess, id: number, action: 'ignore' | 'resolve' | 'enable' | 'auth-file') {
  const answer = await manager.fetch(`${QUEUE}/${id}/${action}`, {
    method: action === 'auth-file' ? 'DELETE' : 'POST',
  });
  const body = (await answer.json()) as { item?: AccountActionCandidate; error?: string };
  return { status: answer.status, item: body.item, error: body.error };
}

test('a failure opens a candidate, more of its kind are counted', async () => {
  const manager = await start();
  await fails(ONE);
  const { id } = await candidate(manager, ONE);
  await fails(ONE);
  await fails(ONE, 'unauthorized');
  await fails(TWO, 'account-deactivated-header');
  expect(await candidate(manager, ONE, (item) => item.hitCount === 2)).toMatchObject({
    id,
    actionType: 'reauth',
    reasonCode: 'token_revoked',
    provider: 'codex',
    accountSnapshot: 'one@example.test',
    evidence: { statusCode: 401, confidence: 'high' },
  });
  expect(await candidate(manager, TWO)).toMatchObject({ actionType: 'delete', reasonCode: 'account_deactivated' });
  const { items, pendingCount } = await list(manager, '?status=pending&limit=1');
  expect([items.length, pendingCount]).toEqual([1, 2]);
  expect([isDisabled(ONE), gateway.mutations().length]).toEqual([false, 0]);
}, 180_000);

test('what a person decides is final; the same failure stays away for a day after it was ignored', async () => {
  const manager = await start();
  await fails(ONE);
  await fails(TWO);
  const one = await candidate(manager, ONE);
  const two = await candidate(manager, TWO);
  expect(await act(manager, one.id, 'ignore')).toMatchObject({ status: 200, item: { status: 'ignored' } });
  expect(await act(manager, two.id, 'resolve')).toMatchObject({ status: 200, item: { status: 'resolved' } });
  expect((await act(manager, one.id, 'enable')).status).toBe(409);
  expect((await act(manager, 999, 'ignore')).status).toBe(404);
  expect((await manager.fetch(`${QUEUE}/x/ignore`, { method: 'POST' })).status).toBe(400);
  await fails(ONE);
  await fails(TWO);
  await candidate(manager, TWO);
  expect((await list(manager, '?status=pending')).items.map((item) => item.authFileName)).toEqual([TWO]);
}, 180_000);

test('enable and delete change exactly this account, or nothing', async () => {
  const manager = await start();
  gateway.operate({ do: 'disable', account: ONE });
  await fails(ONE);
  const one = await candidate(manager, ONE);
  expect(await act(manager, one.id, 'enable')).toMatchObject({ status: 200, item: { status: 'resolved' } });
  expect(isDisabled(ONE)).toBe(false);

  await fails(TWO);
  const two = await candidate(manager, TWO);
  gateway.operate({ do: 'delete', account: TWO });
  gateway.operate({
    do: 'add',
    file: { ...accountFile({ provider: 'codex', name: TWO, email: 'other@example.test' }), authIndex: 'another' },
  });
  expect((await act(manager, two.id, 'auth-file')).status).toBe(409);
  expect((await act(manager, two.id, 'enable')).status).toBe(409);
  expect(file(TWO)).toBeDefined();
  expect((await list(manager, '?status=pending')).items[0]?.lastError).toBeString();

  const [child] = gateway.authFiles().filter((entry) => entry.name === SHARED);
  await fails(String(child?.id));
  const shared = await candidate(manager, SHARED);
  expect((await act(manager, shared.id, 'auth-file')).status).toBe(409);
  expect(file(SHARED)).toBeDefined();
}, 180_000);

test('a deletion whose record was lost is closed by the next one', async () => {
  const first = await start({ stopAt: 'manual_change_answered' });
  await fails(ONE);
  const { id } = await candidate(first, ONE);
  await first.fetch(`${QUEUE}/${id}/auth-file`, { method: 'DELETE' }).catch(() => {});
  await first.killed();
  expect(file(ONE)).toBeUndefined();
  const second = await start();
  expect((await list(second)).items[0]?.status).toBe('pending');
  expect(await act(second, id, 'auth-file')).toMatchObject({ status: 200, item: { status: 'deleted' } });
}, 180_000);

test('a gateway that refuses leaves the candidate pending with the reason', async () => {
  const manager = await start();
  await fails(ONE);
  const { id } = await candidate(manager, ONE);
  gateway.fault({ kind: 'mutation', answer: 'unconfirmed', applies: false });
  expect((await act(manager, id, 'enable')).status).toBe(500);
  expect(await candidate(manager, ONE)).toMatchObject({ lastError: 'the gateway did not confirm the change' });
}, 180_000);

test('a definite failure disables its account where that is enabled, and nothing enables it again', async () => {
  const manager = await start({ autoDisable: true });
  await fails(ONE);
  await fails(TWO, 'authentication-error');
  expect(await candidate(manager, ONE, (item) => item.autoDisabledAtMs !== undefined)).toMatchObject({
    autoDisableEligible: true,
  });
  expect(await candidate(manager, TWO)).toMatchObject({ actionType: 'review', autoDisableEligible: false });
  expect([isDisabled(ONE), isDisabled(TWO)]).toEqual([true, false]);
  await manager.stop();
  const again = await start({ autoDisable: true });
  // Account two is disabled only after account one was checked.
  await fails(TWO);
  await candidate(again, TWO, (item) => item.autoDisabledAtMs !== undefined);
  expect([isDisabled(ONE), changes(ONE)]).toEqual([true, ['disabled']]);
  await again.stop();
}, 180_000);

test('an account that a person disabled is not claimed', async () => {
  const manager = await start({ autoDisable: true });
  gateway.operate({ do: 'disable', account: ONE });
  await fails(ONE);
  await fails(TWO);
  await candidate(manager, TWO, (item) => item.autoDisabledAtMs !== undefined);
  const one = await candidate(manager, ONE);
  expect(one.autoDisabledAtMs).toBeUndefined();
  expect(changes(ONE)).toEqual([]);
}, 180_000);

test.each([
  ['before the upstream was told', 'claim_stored'],
  ['after the upstream did it', 'claim_answered'],
])(
  'killed %s, the record says what is true',
  async (_, stopAt) => {
    const first = await start({ autoDisable: true, stopAt });
    await fails(ONE);
    await first.killed();
    const second = await start({ autoDisable: true });
    await candidate(second, ONE, (item) => item.autoDisabledAtMs !== undefined);
    expect([isDisabled(ONE), changes(ONE)]).toEqual([true, ['disabled']]);
  },
  180_000,
);

test('the policy is saved and holds at once, but not over the environment', async () => {
  const manager = await start({ env: { USAGE_ACCOUNT_ACTIONS_ENABLED: '' } });
  const patch = async (body: object) => {
    const answer = await manager.fetch(POLICY, { method: 'PATCH', body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as ProcessingPolicyResponse & { code?: string } };
  };
  expect(await manager.json<ProcessingPolicyResponse>(POLICY)).toMatchObject({
    authIssueQueue: { enabled: false, source: 'startup' },
    authIssueAutoDisable: { locked: true },
  });
  await fails(ONE);
  await until(async () => Number((await manager.json<{ events: number }>('/status')).events) >= 1);
  await until(() => storedClaims(dataDir).open === 0, 'its effects');
  expect((await list(manager)).items).toEqual([]);
  expect(await patch({ authIssueQueueEnabled: true, authIssueAutoDisableEnabled: true })).toMatchObject({
    status: 409,
    body: { code: 'account_processing_policy_env_locked' },
  });
  expect((await patch({ authIssueQueueEnabled: 'yes' })).status).toBe(400);
  expect(await patch({ authIssueQueueEnabled: true, other: 1 })).toMatchObject({
    status: 200,
    body: { source: 'database', authIssueQueue: { enabled: true, source: 'database' } },
  });
  await fails(TWO);
  await candidate(manager, TWO);
}, 180_000);
