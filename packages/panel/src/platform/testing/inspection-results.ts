import type { InspectionResult, InspectionRun } from '@manager/core/contract/inspection/runs';

/** A result for tests; the account is named by its id. */
export function result(id: number, fields: Partial<InspectionResult> = {}): InspectionResult {
  return {
    id,
    runId: 1,
    accountKey: `${id}.json::x${id}`,
    fileName: `${id}.json`,
    displayAccount: `account-${id}@example.test`,
    provider: 'codex',
    disabled: false,
    action: 'keep',
    actionReason: 'monitoring.codex_inspection_reason_healthy',
    actionStatus: 'none',
    isQuota: false,
    autoRecoverEligible: false,
    quotaInventoryObserved: true,
    createdAtMs: 1_790_000_000_000,
    ...fields,
  };
}

export function run(fields: Partial<InspectionRun> = {}): InspectionRun {
  return {
    id: 1,
    triggerType: 'manual',
    triggerKey: 'manual',
    status: 'completed',
    startedAtMs: 1_000,
    finishedAtMs: 5_000,
    totalFiles: 4,
    probeSetCount: 3,
    sampledCount: 3,
    disabledCount: 0,
    enabledCount: 3,
    deleteCount: 0,
    disableCount: 0,
    enableCount: 0,
    reauthCount: 0,
    keepCount: 3,
    settings: {
      schedule: { mode: 'interval', intervalMinutes: 60 },
      targetTypes: ['codex'],
      targetType: 'codex',
      workers: 4,
      deleteWorkers: 4,
      timeout: 15_000,
      userAgent: 'agent/1.0',
      xaiInferenceModel: 'model-1',
      xaiInferencePrompt: 'Reply.',
      xaiInferenceUserAgent: 'agent/1.0',
      usedPercentThreshold: 100,
      autoActionMode: 'none',
    },
    createdAtMs: 1_000,
    updatedAtMs: 5_000,
    active: false,
    cancellable: false,
    ...fields,
  };
}
