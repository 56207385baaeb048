import { afterEach, expect, test } from 'bun:test';
import type { CandidateListResponse } from '@manager/core/contract/account-actions';
import { until } from '@manager/core/testing/until';
import type { AuthFileSpec } from '@manager/simulator';
import { ManagerProcess } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const QUEUE = '/v0/management/account-action-candidates';
const FILE = 'kimi-1.json';

let gateway: Simulator;
let manager: ManagerProcess;
afterEach(async () => {
  await manager?.remove();
  await gateway?.stop();
});

/** Some rows are listed without an account: only a label is known. */
const labelled = (label: string): AuthFileSpec => ({ name: FILE, type: 'kimi', label, authIndex: 'index-of-kimi' });

async function queued(): Promise<{ readonly id: number; readonly authFileName: string }> {
  await gateway.publishFor(FILE, { kind: 'token-revoked' });
  return until(async () => {
    const { items } = await manager.json<CandidateListResponse>(`${QUEUE}?status=pending`);
    return items[0];
  });
}

test('an account that is known by its label only can be changed, another one under its index cannot', async () => {
  gateway = await startTestGateway({ authFiles: [labelled('Kimi User')] });
  manager = await ManagerProcess.start({
    env: { ...boundTo(gateway, 'http'), USAGE_ACCOUNT_ACTIONS_ENABLED: 'true' },
  });
  gateway.operate({ do: 'disable', account: FILE });
  const first = await queued();
  expect((await manager.fetch(`${QUEUE}/${first.id}/enable`, { method: 'POST' })).status).toBe(200);
  expect(gateway.authFiles()[0]?.disabled).toBe(false);

  const second = await queued();
  gateway.operate({
    do: 'replace',
    account: FILE,
    by: { ...labelled('Somebody'), email: 'somebody@example.test' },
  });
  for (const [action, method] of [
    ['enable', 'POST'],
    ['auth-file', 'DELETE'],
  ] as const) {
    expect((await manager.fetch(`${QUEUE}/${second.id}/${action}`, { method })).status).toBe(409);
  }
  expect(gateway.mutations({ by: 'caller' }).filter(({ kind }) => kind !== 'other')).toHaveLength(1);
}, 180_000);
