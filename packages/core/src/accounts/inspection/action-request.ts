import { AppError } from '../../contract/errors.ts';
import type { InspectionActionsRequest, InspectionResult } from '../../contract/inspection/runs.ts';

export interface RequestedActions {
  readonly selected: ReadonlySet<InspectionResult>;
  readonly overrides: ReadonlyMap<InspectionResult, 'delete'>;
}

/**
 * Checks the requested actions against the results of the run.
 *
 * @throws AppError `inspection_actions_invalid` without any positive id, for an override that is not allowed, and when none
 * of the selected results exists.
 */
export function readRequestedActions(
  request: InspectionActionsRequest,
  results: readonly InspectionResult[],
): RequestedActions {
  const ids = new Set(request.resultIds.filter((id) => id > 0));
  if (ids.size === 0) throw badRequest('resultIds: at least one positive id expected');
  const selected = new Map(results.filter(({ id }) => ids.has(id)).map((result) => [result.id, result]));
  const overrides = new Map<InspectionResult, 'delete'>();
  for (const { resultId, action } of request.actionOverrides ?? []) {
    const result = selected.get(resultId);
    if (action !== 'delete') throw badRequest('actionOverrides: only delete is possible');
    if (result === undefined) throw badRequest('actionOverrides: the result is not selected or does not exist');
    if (result.action !== 'reauth') throw badRequest('actionOverrides: only a suggested sign-in can be overridden');
    overrides.set(result, 'delete');
  }
  if (selected.size === 0) throw badRequest('resultIds: none of these results belongs to the run');
  return { selected: new Set(selected.values()), overrides };
}

function badRequest(message: string): AppError {
  return new AppError('inspection_actions_invalid', { message });
}
