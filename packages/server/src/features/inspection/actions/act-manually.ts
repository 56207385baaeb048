import { isExecutable, selectManualActions } from '@manager/core/accounts/inspection/action-selection';
import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import type { ActionOutcome, ActionsRequest } from '../ports.ts';
import { countOutcomes, logBatchEnd, logOutcome } from './action-log.ts';
import type { CarryOutContext } from './carry-out.ts';
import { runBatch } from './run-batch.ts';

export interface ManualActionsDeps extends Pick<CarryOutContext, 'gatewayAccounts' | 'owned'> {
  readonly onFault: (error: unknown) => void;
}

/** Executes the results of a finished run that the operator selected. */
export async function actManually(deps: ManualActionsDeps, request: ActionsRequest): Promise<readonly ActionOutcome[]> {
  const { results, selected, overrides, settings, journal } = request;
  const selection = selectManualActions(results, selected, overrides);
  journal.log('info', 'manual_started', {
    requestedCount: selected.size,
    actionCount: selection.execute.length,
  });
  const outcomes = await runBatch<InspectionResult>({
    ...deps,
    journal,
    signal: request.signal,
    trigger: 'manual',
    selection,
    workers: settings.deleteWorkers,
    settled: (outcome) => logOutcome(journal, 'manual', outcome),
  });
  logBatchEnd(journal, 'manual_completed', countOutcomes(outcomes), selected.size);

  const switched = new Map<InspectionResult, boolean>();
  for (const { status, action, along } of outcomes) {
    if (status !== 'success' || !isExecutable(action) || action === 'delete') continue;
    for (const result of along) switched.set(result, action === 'disable');
  }
  const byResult = new Map(outcomes.map((outcome) => [outcome.result, outcome]));
  return results.flatMap((result) => {
    const outcome = byResult.get(result);
    if (outcome === undefined) return [];
    const { action, status, error } = outcome;
    return { result: { ...result, disabled: switched.get(result) ?? result.disabled }, action, status, error };
  });
}
