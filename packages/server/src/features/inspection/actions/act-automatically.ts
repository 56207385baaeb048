import { isExecutable, selectAutomaticActions } from '@manager/core/accounts/inspection/action-selection';
import { resultAfterAction } from '@manager/core/accounts/inspection/outcome';
import type { NewInspectionResult } from '@manager/core/accounts/inspection/result';
import type { InspectionConfig } from '@manager/core/contract/inspection/config';
import type { OutcomeStatus } from '@manager/core/contract/inspection/runs';
import { changeLine, countOutcomes, logBatchEnd, logOutcome } from './action-log.ts';
import type { CarryOutContext } from './carry-out.ts';
import { runBatch } from './run-batch.ts';

export interface AutomaticActions extends Omit<CarryOutContext, 'trigger'> {
  /** All results of the run, in order. */
  readonly results: readonly NewInspectionResult[];
  readonly settings: InspectionConfig;
  readonly onFault: (error: unknown) => void;
  /** The manager's log: the first place to look for the cause of a changed account. */
  readonly log: { info(message: string): void };
  /** Stores the result after its action. */
  readonly keep: (result: NewInspectionResult) => Promise<void>;
}

/** The automatic actions of a run. */
export async function actAutomatically(request: AutomaticActions): Promise<Readonly<Record<OutcomeStatus, number>>> {
  const { results, settings, journal } = request;
  const selection = selectAutomaticActions(results, settings);
  const selected = selection.execute.length + selection.outcomes.length;
  if (selected === 0) return countOutcomes([]);
  journal.log('info', 'auto_started', { actionCount: selected });

  const latest = new Map(results.map((result) => [result.accountKey, result]));
  const change = async (result: NewInspectionResult, by: (before: NewInspectionResult) => NewInspectionResult) => {
    const after = by(latest.get(result.accountKey) ?? result);
    latest.set(result.accountKey, after);
    await request.keep(after);
  };
  const outcomes = await runBatch<NewInspectionResult>({
    ...request,
    trigger: 'automatic',
    selection,
    workers: settings.deleteWorkers,
    async settled(outcome) {
      logOutcome(journal, 'automatic', outcome);
      const { action, status, error } = outcome;
      if (!isExecutable(action)) return;
      if (status === 'success') request.log.info(changeLine(outcome.result, action));
      await change(outcome.result, (before) => resultAfterAction(before, { action, status, error }));
      if (status !== 'success' || action === 'delete') return;
      const disabled = action === 'disable';
      for (const result of outcome.along) await change(result, (before) => ({ ...before, disabled }));
    },
  });
  const counts = countOutcomes(outcomes);
  logBatchEnd(journal, 'auto_completed', counts, selected);
  return counts;
}
