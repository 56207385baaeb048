import { afterEach, expect, test } from 'bun:test';
import type { CandidateListResponse } from '@manager/core/contract/account-actions';
import { until } from '@manager/core/testing/until';
import type { AuthFileSpec } from '@manager/simulator';
import { ManagerProcess } from '../support/manager-process.ts';
import { boundTo, type Simulator, startUpstream } from '../support/upstream.ts';

const QUEUE = '/v0/management/account-action-candidates';
const FILE = 'kimi-1.json';

let upstream: Simulator;
let manager: ManagerProcess;
afterEach(async () => {
  await manager?.remove();
  await upstream?.stop();
});

/** Some rows are listed without an account: only a label is known. */
const labelled = (label: string): AuthFileSpec => ({ name: FILE, type: 'kimi', label, authIndex: 'index-of-kimi' });

async function queued(): Promise<{ readonly id: number; readonly authFileName: string }> {
  await upstream.publishFor(FILE, { kind: 'token-revoked' });
  return until(async () => {
    const { items } = await manager.json<CandidateListResponse>(`${QUEUE}?status=pending`);
    return items[0];
  });
}

test('an account that is known by its label only can be changed, another one under its index cannot', async () => {
  upstream = await startUpstream({ authFiles: [labelled('Kimi User')] });
  manager = await ManagerProcess.start({
    env: { ...boundTo(upstream, 'http'), USAGE_ACCOUNT_ACTIONS_ENABLED: 'true' },
  });
  upstream.operate({ do: 'disable', account: FILE });
  const first = await queued();
  expect((await manager.fetch(`${QUEUE}/${first.id}/enable`, { method: 'POST' })).status).toBe(200);
  expect(upstream.authFiles()[0]?.disabled).toBe(false);

  const second = await queued();
  upstream.operate({
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
  expect(upstream.mutations({ by: 'caller' }).filter(({ kind }) => kind !== 'other')).toHaveLength(1);
}, 180_000);
