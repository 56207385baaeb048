import type {
  InspectionAction,
  InspectionOutcome,
  InspectionResult,
  OutcomeStatus,
} from '../../contract/inspection/runs.ts';
import { isExecutable } from './action-selection.ts';

type Known = Pick<InspectionResult, 'id' | 'accountKey' | 'fileName' | 'displayAccount'>;

/** The answer for one selected result. @param error '' = no error */
export function inspectionOutcome(
  result: Known,
  action: InspectionAction,
  status: OutcomeStatus,
  error = '',
): InspectionOutcome {
  return {
    resultId: result.id,
    ...(result.accountKey === '' ? {} : { accountKey: result.accountKey }),
    fileName: result.fileName,
    displayAccount: result.displayAccount,
    action,
    status,
    success: status !== 'failed',
    ...(error === '' ? {} : { error }),
  };
}

/** The members of a result that an outcome changes. */
export type ActedResult = Pick<InspectionResult, 'actionStatus' | 'disabled'> &
  Partial<Pick<InspectionResult, 'actionError' | 'executedAction'>>;

/**
 * The result after an action. A success is never overwritten by a later skip.
 *
 * @param outcome `action` was executed or refused
 */
export function resultAfterAction<Result extends ActedResult>(
  result: Result,
  outcome: { readonly action: InspectionAction; readonly status: OutcomeStatus; readonly error: string },
): Result {
  if (outcome.status === 'skipped' && result.actionStatus === 'success') return result;
  const { actionError: _error, executedAction: _action, ...rest } = result;
  const executed = outcome.status === 'success' && isExecutable(outcome.action) ? outcome.action : null;
  const disabled = executed === null || executed === 'delete' ? result.disabled : executed === 'disable';
  return {
    ...(rest as Result),
    disabled,
    actionStatus: outcome.status,
    ...(executed === null ? {} : { executedAction: executed }),
    ...(outcome.error === '' ? {} : { actionError: outcome.error }),
  };
}
