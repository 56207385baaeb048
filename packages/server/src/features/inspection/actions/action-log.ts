import type {
  ExecutableAction,
  InspectionLogLevel,
  InspectionResult,
  OutcomeStatus,
} from '@manager/core/contract/inspection/runs';
import type { LogMessage } from '../log-message.ts';
import type { InspectionJournal } from '../ports.ts';
import type { ActionTrigger } from './carry-out.ts';
import type { BatchOutcome } from './run-batch.ts';

const LEVELS: Readonly<Record<OutcomeStatus, InspectionLogLevel>> = {
  success: 'success',
  failed: 'error',
  skipped: 'info',
  needs_review: 'warning',
};

/** Logs the outcome for one result. */
export function logOutcome(
  journal: InspectionJournal,
  trigger: ActionTrigger,
  outcome: BatchOutcome<{ readonly fileName: string; readonly displayAccount: string }>,
): void {
  const { result, action, status, error } = outcome;
  journal.log(LEVELS[status], messageOf(trigger, outcome), {
    fileName: result.fileName,
    displayAccount: result.displayAccount,
    action,
    status,
    ...(error === '' ? {} : { [status === 'failed' ? 'error' : 'reason']: error }),
  });
}

function messageOf(trigger: ActionTrigger, { status, at }: Pick<BatchOutcome<unknown>, 'status' | 'at'>): LogMessage {
  const isManual = trigger === 'manual';
  switch (status) {
    case 'success':
      return isManual ? 'manual_action_succeeded' : 'auto_action_succeeded';
    case 'failed':
      if (at === 'validation') return isManual ? 'manual_validation_failed' : 'auto_validation_failed';
      return isManual ? 'manual_action_failed' : 'auto_action_failed';
    case 'skipped':
    case 'needs_review':
      return isManual ? 'manual_skipped' : 'auto_action_skipped';
  }
}

/** For the manager's log: an automatic change of an inspection, and its reason. */
export function changeLine(
  { fileName, actionReason }: Pick<InspectionResult, 'fileName' | 'actionReason'>,
  action: ExecutableAction,
): string {
  const did = { disable: 'is disabled', enable: 'is enabled again', delete: 'is deleted' }[action];
  const reason = /^monitoring\.(?:codex|xai)_inspection_reason_(\w+)$/.exec(actionReason)?.[1];
  return `inspection: ${fileName} ${did}${reason === undefined ? '' : ` (${reason})`}`;
}

/** Number of outcomes by kind. */
export function countOutcomes(
  outcomes: readonly { readonly status: OutcomeStatus }[],
): Readonly<Record<OutcomeStatus, number>> {
  const counts = { success: 0, failed: 0, skipped: 0, needs_review: 0 };
  for (const { status } of outcomes) counts[status] += 1;
  return counts;
}

/** Logs the end of a batch. @param selected results that were considered */
export function logBatchEnd(
  journal: InspectionJournal,
  message: 'auto_completed' | 'manual_completed',
  counts: Readonly<Record<OutcomeStatus, number>>,
  selected: number,
): void {
  const { success, failed, skipped, needs_review } = counts;
  journal.log(failed + needs_review > 0 ? 'warning' : 'success', message, {
    successCount: success,
    failedCount: failed,
    skippedCount: skipped,
    needsReviewCount: needs_review,
    remainingCount: selected - success - skipped,
  });
}
