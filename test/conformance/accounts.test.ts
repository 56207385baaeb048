import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { CandidateListResponse } from '@manager/core/contract/account-actions';
import { PROCESSING_POLICY_PATH } from '@manager/core/contract/constants';
import type { QuotaCooldownsResponse } from '@manager/core/contract/cooldowns';
import { until } from '@manager/core/testing/until';
import { accountFile } from '@manager/simulator';
import { ManagerProcess } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';
import {
  ACCOUNT_WORK_SCENARIOS,
  CANDIDATE_FILES,
  candidateFile,
  REMOVED,
  REPLACED,
  RESTING,
  UNCONNECTED_ACCOUNT_SCENARIOS,
} from './scenarios/account-work.ts';
import { checkScenario } from './scenarios/check-scenario.ts';

describe('endpoints of accounts', () => {
  let gateway: Simulator;
  let manager: ManagerProcess;

  beforeAll(async () => {
    const ids = Array.from({ length: CANDIDATE_FILES }, (_, index) => index + 1);
    gateway = await startTestGateway({
      authFiles: [
        ...ids.map((id) =>
          accountFile({ provider: 'codex', name: candidateFile(id), email: `codex-${id}@example.test` }),
        ),
        accountFile({ provider: 'codex', name: RESTING.codex, email: 'codex@example.test' }),
        accountFile({ provider: 'xai', name: RESTING.xai, email: 'xai@example.test' }),
      ],
    });
    manager = await ManagerProcess.start({
      env: { ...boundTo(gateway, 'http'), USAGE_ACCOUNT_ACTIONS_AUTO_DISABLE: 'off' },
    });
    const switches = { codexQuotaCooldownEnabled: true, authIssueQueueEnabled: true };
    const saved = await manager.fetch(PROCESSING_POLICY_PATH, { method: 'PATCH', body: JSON.stringify(switches) });
    expect(saved.status).toBe(200);

    const atMs = Date.now();
    for (const id of ids) {
      await gateway.publishFor(candidateFile(id), { kind: 'token-revoked', atMs: atMs - CANDIDATE_FILES + id });
    }
    await gateway.publishFor(RESTING.codex, { kind: 'usage-limit' });
    await gateway.publishFor(RESTING.xai, {
      kind: 'free-usage-exhausted',
      tokens: { actual: 2_033_137, limit: 2_000_000 },
    });
    await until(async () => {
      const { items } = await manager.json<QuotaCooldownsResponse>('/usage-service/quota-cooldowns');
      const queue = await manager.json<CandidateListResponse>('/v0/management/account-action-candidates?limit=1');
      return items.length === 2 && queue.pendingCount === CANDIDATE_FILES;
    });
    gateway.operate({
      do: 'replace',
      account: candidateFile(REPLACED),
      by: { ...accountFile({ provider: 'codex', name: candidateFile(REPLACED) }), authIndex: 'another' },
    });
    gateway.operate({ do: 'delete', account: candidateFile(REMOVED) });
  });

  afterAll(async () => {
    await manager.remove();
    await gateway.stop();
  });

  test.each(ACCOUNT_WORK_SCENARIOS)('$name', (scenario) => checkScenario(manager, scenario));
});

describe('endpoints of accounts without a connection', () => {
  let manager: ManagerProcess;

  beforeAll(async () => {
    manager = await ManagerProcess.start();
  });
  afterAll(() => manager.remove());

  test.each(UNCONNECTED_ACCOUNT_SCENARIOS)('$name', (scenario) => checkScenario(manager, scenario));
});
