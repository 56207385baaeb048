import { PROCESSING_POLICY_PATH } from '@manager/core/contract/constants';
import {
  type InspectionRun,
  type InspectionRunDetail,
  inspectionRunDetailSchema,
} from '@manager/core/contract/inspection/runs';
import { until } from '@manager/core/testing/until';
import type { AccountEventKind, Simulator } from '@manager/simulator';
import type { ManagerProcess } from '../../test/support/manager-process.ts';

const INSPECTION_PATH = '/v0/management/account-inspection';

/** Enables the action queue and the cooldowns. */
export async function switchAutomationOn(manager: ManagerProcess): Promise<void> {
  await manager.json(PROCESSING_POLICY_PATH, {
    method: 'PATCH',
    body: JSON.stringify({ authIssueQueueEnabled: true, codexQuotaCooldownEnabled: true }),
  });
}

const PROBLEMS: readonly AccountEventKind[] = [
  'token-revoked',
  'account-deactivated-header',
  'authentication-error',
  'usage-limit',
];

/** Every kind of problem in turn, one for each of this many Codex accounts. */
export async function publishProblems(gateway: Simulator, accounts: number): Promise<void> {
  const files = gateway.authFiles().filter(({ type, disabled }) => type === 'codex' && disabled !== true);
  for (const [index, { name }] of files.slice(0, accounts).entries()) {
    const kind = PROBLEMS[index % PROBLEMS.length] ?? 'token-revoked';
    await gateway.publishFor(String(name), { kind });
  }
}

/** One finished run. */
export async function inspect(manager: ManagerProcess, timeoutMs: number): Promise<InspectionRun> {
  const { run } = await manager.post<InspectionRunDetail>(`${INSPECTION_PATH}/run`, {});
  const detail = await until(
    async () => {
      const read = inspectionRunDetailSchema.parse(await manager.json(`${INSPECTION_PATH}/runs/${run.id}`));
      return read.run.active ? null : read;
    },
    'the end of the inspection',
    timeoutMs,
  );
  return detail.run;
}
