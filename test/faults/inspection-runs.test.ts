import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { InspectionRun, InspectionRunDetail, InspectionRunList } from '@manager/core/contract/inspection/runs';
import { until } from '@manager/core/testing/until';
import { accountFile } from '@manager/simulator';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const INSPECTION = '/v0/management/account-inspection';
const ACCOUNTS = 5;

let gateway: Simulator;
let dataDir = '';
let managers: ManagerProcess[] = [];

beforeEach(async () => {
  dataDir = temporaryFolder();
  gateway = await startTestGateway({
    authFiles: Array.from({ length: ACCOUNTS }, (_, n) =>
      accountFile({ provider: 'codex', name: `codex-${n}.json`, email: `person-${n}@example.test` }),
    ),
  });
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

/** The only run, once it is finished. */
async function ended(manager: ManagerProcess): Promise<InspectionRunDetail> {
  const { id } = await until(async () => {
    const { items } = await manager.json<InspectionRunList>(`${INSPECTION}/runs`);
    expect(items.length).toBeLessThanOrEqual(1);
    return items.find((run) => isOver(run));
  });
  return manager.json<InspectionRunDetail>(`${INSPECTION}/runs/${id}`);
}

function isOver({ status, active }: InspectionRun): boolean {
  return status !== 'running' && status !== 'cancelling' && !active;
}

async function runsAgain(manager: ManagerProcess): Promise<void> {
  const { run } = await manager.post<InspectionRunDetail>(`${INSPECTION}/run`, {});
  const last = await until(async () => {
    const now = await manager.json<InspectionRunDetail>(`${INSPECTION}/runs/${run.id}`);
    return isOver(now.run) ? now : null;
  });
  expect(last.run).toMatchObject({ status: 'completed', sampledCount: ACCOUNTS });
  expect(last.results).toHaveLength(ACCOUNTS);
}

test.each([
  ['it was stored', 'inspection_run_begun', 'interrupted', 0],
  ['its work was done', 'inspection_run_ended', 'interrupted', ACCOUNTS],
  ['its last state was written, but not committed', 'inspection_run_finishing', 'interrupted', ACCOUNTS],
  ['its last state was committed', 'inspection_run_finished', 'completed', ACCOUNTS],
] as const)(
  'a run whose manager was killed when %s',
  async (_, stopAt, status, results) => {
    const first = await start(stopAt);
    await first.fetch(`${INSPECTION}/run`, { method: 'POST' }).catch(() => {});
    await first.killed();
    const second = await start();
    const detail = await ended(second);
    expect(detail.run).toMatchObject({ status, active: false, cancellable: false });
    expect(detail.results).toHaveLength(results);
    const said = detail.logs
      .map(({ message }) => message)
      .filter((message) => message.endsWith('recovered_interrupted'));
    expect(said).toHaveLength(status === 'interrupted' ? 1 : 0);
    await runsAgain(second);
  },
  180_000,
);

test('a run that was being canceled when its manager was killed does not continue', async () => {
  const first = await start('inspection_cancel_stored');
  const hold = gateway.hook({ on: 'api-call', hold: true });
  const { run } = await first.post<InspectionRunDetail>(`${INSPECTION}/run`, {});
  await first.fetch(`${INSPECTION}/runs/${run.id}/cancel`, { method: 'POST' }).catch(() => {});
  await first.killed();
  gateway.releaseHook(hold);
  const second = await start();
  expect((await ended(second)).run).toMatchObject({ id: run.id, status: 'interrupted' });
  await second.printed('interrupted');
}, 180_000);

test('a manager that is stopped ends its run properly', async () => {
  const first = await start();
  const { run } = await first.post<InspectionRunDetail>(`${INSPECTION}/run`, {});
  expect(await first.stop()).toBe(0);
  const second = await start();
  const detail = await second.json<InspectionRunDetail>(`${INSPECTION}/runs/${run.id}`);
  expect(['completed', 'interrupted']).toContain(detail.run.status);
  expect(detail.logs.map(({ message }) => message).join()).not.toContain('recovered_interrupted');
}, 180_000);
