import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  type InspectionRunDetail,
  inspectionActionsResponseSchema,
  inspectionRunDetailSchema,
  inspectionRunListSchema,
} from '@manager/core/contract/inspection/runs';
import { until } from '@manager/core/testing/until';
import { type AccountChange, type AuthFileSpec, accountFile, makeAccountFiles, sharedFile } from '@manager/simulator';
import { watchAnswers, withinMs } from '../support/answer-times.ts';
import { ManagerProcess } from '../support/manager-process.ts';
import { watchResources } from '../support/resources.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

// The full size: MANAGER_FULL_FAULTS=1.
const FULL = process.env.MANAGER_FULL_FAULTS === '1';
const ACCOUNTS = FULL ? 500 : 120;
const LATENCY_MS = FULL ? 200 : 60;
const WORKERS = 8;
const ROUNDS = FULL ? 6 : 4;
/** Peak resident memory of a run above that of the second run; the first one warms up. */
const GROWTH_LIMIT_BYTES = 24 * 2 ** 20;
const RESIDENT_LIMIT_BYTES = 260 * 2 ** 20;

const INSPECTION = '/v0/management/account-inspection';
const used = (usedPercent: number): AccountChange => ({
  primary: { seconds: 18_000, usedPercent: 1 },
  secondary: { seconds: 604_800, usedPercent },
});

let gateway: Simulator;
let manager: ManagerProcess;

async function start(authFiles: readonly AuthFileSpec[], apiCallLatencyMs = 0): Promise<void> {
  gateway = await startTestGateway({ authFiles, apiCallLatencyMs });
  manager = await ManagerProcess.start({ env: boundTo(gateway, 'http') });
}
afterEach(async () => {
  await manager?.remove();
  await gateway?.stop();
});

async function configure(codexInspection: object): Promise<void> {
  await manager.json('/usage-service/config', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ config: { codexInspection } }),
  });
}

const post = (path: string, body: object = {}) =>
  manager.fetch(INSPECTION + path, { method: 'POST', body: JSON.stringify(body) });

async function begin(): Promise<number> {
  const answer = await post('/run');
  expect(answer.status).toBe(200);
  const { run, results, logs } = inspectionRunDetailSchema.parse(await answer.json());
  expect([run.status, run.active, results, logs]).toEqual(['running', true, [], []]);
  return run.id;
}

const read = async (id: number): Promise<InspectionRunDetail> =>
  inspectionRunDetailSchema.parse(await manager.json(`${INSPECTION}/runs/${id}`));

const ended = (id: number) =>
  until(async () => {
    const detail = await read(id);
    return detail.run.active ? null : detail;
  });

const inspect = async () => ended(await begin());

const isDisabled = (id: string) => gateway.authFiles().find((file) => file.id === id)?.disabled === true;
const apiCalls = () => gateway.activity().byKind['api-call'] ?? { total: 0, inFlight: 0, maxInFlight: 0 };

describe(`${ACCOUNTS} accounts whose provider takes ${LATENCY_MS} ms`, () => {
  beforeEach(async () => {
    await start(makeAccountFiles({ codex: ACCOUNTS, claude: 3 }), LATENCY_MS);
    await configure({ workers: WORKERS });
  });

  test('are asked in parallel, one per worker; results show during the run', async () => {
    const health = watchAnswers(manager, ['/health']);
    const id = await begin();
    const seen: InspectionRunDetail[] = [];
    await until(async () => {
      const detail = await read(id);
      seen.push(detail);
      if (seen.length === 3) {
        expect((await post('/run')).status).toBe(409);
        expect((await post(`/runs/${id}/actions`, { resultIds: [1] })).status).toBe(409);
      }
      return !detail.run.active;
    });
    const [answers] = await health.stop();

    const last = seen.at(-1);
    expect(last?.run).toMatchObject({
      status: 'completed',
      totalFiles: ACCOUNTS + 3,
      probeSetCount: ACCOUNTS,
      sampledCount: ACCOUNTS,
      enabledCount: ACCOUNTS,
      keepCount: ACCOUNTS,
      cancellable: false,
    });
    expect(apiCalls()).toEqual({ total: ACCOUNTS, inFlight: 0, maxInFlight: WORKERS });
    expect(new Set(last?.results.map(({ accountKey }) => accountKey)).size).toBe(ACCOUNTS);

    const running = seen.filter(({ run }) => run.active);
    expect(running.some(({ run }) => run.sampledCount === ACCOUNTS && run.cancellable)).toBe(true);
    for (const part of ['results', 'logs'] as const) {
      const counts = running.map((detail) => detail[part].length);
      expect(counts).toEqual(counts.toSorted((left, right) => left - right));
      expect(new Set(counts).size).toBeGreaterThanOrEqual(8);
    }
    const { items } = inspectionRunListSchema.parse(await manager.json(`${INSPECTION}/runs?limit=5`));
    expect(items).toEqual(last === undefined ? [] : [last.run]);

    console.log(
      `${((last?.run.finishedAtMs ?? 0) - (last?.run.startedAtMs ?? 0)) / 1000} s, looked at ${running.length} times; ` +
        `/health p99 ${answers === undefined ? '-' : withinMs(answers, 0.99).toFixed(0)} ms`,
    );
    expect(answers?.failed).toBe(0);
    // Other tests use the same machine.
    expect(answers === undefined ? Number.NaN : withinMs(answers, 0.99)).toBeLessThan(500);
  }, 180_000);

  test('canceling ends a run within two seconds; its results are kept, and no further account is asked', async () => {
    const id = await begin();
    await until(async () => (await read(id)).results.length >= WORKERS);
    const askedAtMs = performance.now();
    const answer = await post(`/runs/${id}/cancel`);
    const told = inspectionRunDetailSchema.parse(await answer.json());
    expect(['cancelling', 'cancelled']).toContain(told.run.status);
    const detail = await ended(id);
    const tookMs = performance.now() - askedAtMs;
    const { total } = apiCalls();
    console.log(`cancelled within ${tookMs.toFixed(0)} ms after ${total} of ${ACCOUNTS} accounts`);
    expect(tookMs).toBeLessThan(2_000);
    expect(detail.run).toMatchObject({
      status: 'cancelled',
      active: false,
      cancellable: false,
      sampledCount: ACCOUNTS,
    });
    expect(detail.results.length).toBeGreaterThanOrEqual(Math.max(WORKERS, total - WORKERS));
    expect(detail.results.length).toBeLessThan(ACCOUNTS);

    await until(() => apiCalls().inFlight === 0);
    expect(apiCalls().total).toBe(total);
    const again = inspectionRunDetailSchema.parse(await (await post(`/runs/${id}/cancel`)).json());
    expect(again.run).toEqual(detail.run);
    expect((await inspect()).run.status).toBe('completed');
    expect((await post(`/runs/${(await read(id)).run.id}/actions`, { resultIds: [1] })).status).toBe(409);
  }, 180_000);

  test('one run after the other takes the memory of one', async () => {
    const before = manager.residentBytes();
    const highest: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const resources = watchResources(manager);
      expect((await inspect()).results).toHaveLength(ACCOUNTS);
      highest.push(Math.max(...resources.stop().map(({ residentBytes }) => residentBytes)));
    }
    const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
    console.log(`${megabytes(before)} MB before, highest of each run ${highest.map(megabytes).join(', ')} MB`);
    expect(Math.max(...highest)).toBeLessThan(RESIDENT_LIMIT_BYTES);
    expect(Math.max(...highest) - (highest[1] ?? 0)).toBeLessThan(GROWTH_LIMIT_BYTES);
  }, 180_000);
});

const ALL = { autoActionMode: 'disable', autoRecoverEnabled: true };

async function switchManually(name: string, disabled: boolean): Promise<void> {
  const answer = await manager.fetch('/v0/management/auth-files/status', {
    method: 'PATCH',
    body: JSON.stringify({ name, disabled }),
  });
  expect(answer.status).toBe(200);
}

describe('with everything automatic', () => {
  test('accounts it disabled are enabled again, those a person disabled stay disabled, whatever came before', async () => {
    const names = ['mine.json', 'theirs.json', 'taken-over.json', 'handed-back.json', 'behind.json'];
    await start(names.map((name) => accountFile({ provider: 'codex', name, email: `${name}@example.test` })));
    await configure(ALL);
    await switchManually('theirs.json', true);
    for (const name of names) gateway.setAccount(name, used(100));
    const first = await inspect();
    expect(first.results.filter(({ executedAction }) => executedAction === 'disable')).toHaveLength(4);
    // Both ways a person can disable an account: through the manager and directly at the gateway.
    await switchManually('taken-over.json', false);
    await switchManually('taken-over.json', true);
    gateway.operate({ do: 'enable', account: 'behind.json' });
    await switchManually('handed-back.json', false);
    // The status text follows later and counts as a change too.
    await until(() => gateway.authFiles().find(({ name }) => name === 'handed-back.json')?.status === 'active');
    const second = await inspect();
    expect(second.results.map(({ fileName, executedAction }) => [fileName, executedAction])).toEqual([
      ['behind.json', 'disable'],
      ['handed-back.json', 'disable'],
      ['mine.json', undefined],
      ['taken-over.json', undefined],
      ['theirs.json', undefined],
    ]);
    gateway.operate({ do: 'enable', account: 'behind.json' });
    for (const name of names) gateway.setAccount(name, used(1));
    await inspect();
    gateway.operate({ do: 'disable', account: 'behind.json' });
    await inspect();
    expect(names.map((name) => [name, isDisabled(name)])).toEqual([
      ['mine.json', false],
      ['theirs.json', true],
      ['taken-over.json', true],
      ['handed-back.json', false],
      ['behind.json', true],
    ]);
  }, 180_000);

  test('of two accounts in one file the exhausted one is disabled, and later enabled again', async () => {
    const file = sharedFile({ name: 'shared.json', provider: 'codex', children: 2, sourceRow: false });
    await start(file);
    await configure(ALL);
    const [one = '', two = ''] = file.map(({ id = '' }) => id);
    gateway.setAccount(two, used(100));
    expect((await inspect()).results.filter(({ executedAction }) => executedAction === 'disable')).toHaveLength(1);
    expect([isDisabled(one), isDisabled(two)]).toEqual([false, true]);
    gateway.operate({ do: 'disable', account: one });
    gateway.setAccount(two, used(1));
    await inspect();
    expect([isDisabled(one), isDisabled(two)]).toEqual([true, false]);
  }, 180_000);

  test('another account under the name of a file is neither disabled for the first one nor enabled for it', async () => {
    const own = (email: string, accountId: string) => ({
      ...accountFile({ provider: 'codex', name: 'a.json', email, accountId }),
      authIndex: 'same-index',
    });
    await start([own('first@example.test', 'first')]);
    await configure(ALL);
    gateway.setAccount('a.json', used(100));
    expect((await inspect()).results[0]).toMatchObject({ executedAction: 'disable' });
    gateway.operate({
      do: 'replace',
      account: 'a.json',
      by: { ...own('second@example.test', 'second'), disabled: true },
    });
    expect((await inspect()).results[0]).toMatchObject({
      action: 'enable',
      autoRecoverEligible: false,
      disabled: true,
    });

    gateway.operate({ do: 'enable', account: 'a.json' });
    gateway.setAccount('a.json', used(100));
    await configure({ autoActionMode: 'none' });
    const { run, results } = await inspect();
    gateway.operate({ do: 'replace', account: 'a.json', by: own('third@example.test', 'third') });
    const answer = await post(`/runs/${run.id}/actions`, { resultIds: [results[0]?.id] });
    const { outcomes } = inspectionActionsResponseSchema.parse(await answer.json());
    expect(outcomes).toMatchObject([{ action: 'disable', status: 'failed', success: false }]);
    expect(isDisabled('a.json')).toBe(false);
  }, 180_000);
});

test('reasons are keys where existing clients have them, and sentences elsewhere; a failed probe gives its status', async () => {
  const states = [
    'healthy',
    'expired',
    'unavailable',
    'deactivated-workspace',
    'unrecognised',
    'payment-required',
  ] as const;
  await start(
    states.map((state) =>
      accountFile({ provider: 'codex', name: `${state}.json`, email: `${state}@example.test`, account: { state } }),
    ),
  );
  const { results, logs } = await inspect();
  const reasons = Object.fromEntries(results.map(({ fileName, actionReason }) => [fileName, actionReason]));
  expect(reasons).toEqual({
    'healthy.json': 'monitoring.codex_inspection_reason_healthy',
    'expired.json': 'monitoring.codex_inspection_reason_reauth',
    'unavailable.json': 'Inconclusive: the provider returned HTTP 503.',
    'deactivated-workspace.json': 'The workspace of this account is deactivated.',
    'unrecognised.json': 'Inconclusive: the response of the provider could not be read.',
    'payment-required.json': 'The quota is used up.',
  });
  const logged = logs.flatMap(({ detail }) => {
    const { fileName, reason } = (detail ?? {}) as { fileName?: string; reason?: string };
    return fileName === undefined || reason === undefined ? [] : [[fileName, reason]];
  });
  expect(Object.fromEntries(logged)).toEqual(reasons);
}, 180_000);

test('an answer with thousands of quota windows is cut, and does not block the database', async () => {
  await start(makeAccountFiles({ codex: 1 }));
  const window = { used_percent: 5, limit_window_seconds: 18_000, reset_at: Math.floor(Date.now() / 1000) + 3_600 };
  const limits = Array.from({ length: 20_000 }, (_, index) => ({
    limit_name: `n${index}`,
    rate_limit: { allowed: true, limit_reached: false, primary_window: window },
  }));
  const usage = { plan_type: 'plus', rate_limit: { primary_window: window }, additional_rate_limits: limits };
  const body = { status_code: 200, header: {}, body: JSON.stringify(usage) };
  const respond = { status: 200, headers: { 'Content-Type': 'application/json' }, body };
  gateway.fault({ kind: 'http', match: { path: '/v0/management/api-call' }, respond, times: 'always' });
  const { run, results } = await inspect();
  expect(run.status).toBe('completed');
  expect(results[0]?.quotaWindows).toHaveLength(33);
  const aliases = { items: [{ apiKeyHash: 'a'.repeat(64), alias: 'one' }] };
  const saved = await manager.fetch('/v0/management/api-key-aliases', { method: 'PUT', body: JSON.stringify(aliases) });
  expect(saved.status).toBe(200);
});
