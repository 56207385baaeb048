import { EXECUTABLE_ACTIONS } from '@manager/core/contract/constants';
import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import type { InspectionSearch } from '../inspection-search.ts';

/** Texts match by part, case-insensitively. */
export function filterResults(
  results: readonly InspectionResult[],
  { action, provider, state, search }: Pick<InspectionSearch, 'action' | 'provider' | 'state' | 'search'>,
): readonly InspectionResult[] {
  const needle = search.toLocaleLowerCase();
  return results.filter(
    (result) =>
      (action === '' || result.action === action) &&
      (provider === '' || result.provider === provider) &&
      (state === '' || result.actionStatus === state) &&
      (needle === '' || haystack(result).includes(needle)),
  );
}

function haystack(result: InspectionResult): string {
  const { fileName, displayAccount, accountSnapshot, accountId, authIndex, planType, error, errorKind } = result;
  return [
    fileName,
    displayAccount,
    accountSnapshot,
    accountId,
    authIndex,
    planType,
    error,
    errorKind,
    result.statusCode,
  ]
    .join('\n')
    .toLocaleLowerCase();
}

/** Filter options: the providers of the results, and the chosen one even if no result has it. */
export function providersOf(results: readonly InspectionResult[], chosen: string): readonly string[] {
  const all = new Set(results.map(({ provider }) => provider));
  if (chosen !== '') all.add(chosen);
  return [...all].filter((name) => name !== '').sort((a, b) => a.localeCompare(b));
}

export function isDeleted({ executedAction }: InspectionResult): boolean {
  return executedAction === 'delete';
}

/** An action is available: it suggests a change, or a sign-in instead of which the file may be deleted. */
export function isActionable({ action, actionStatus }: InspectionResult): boolean {
  if (actionStatus === 'success' || actionStatus === 'skipped' || actionStatus === 'needs_review') return false;
  return action === 'reauth' || EXECUTABLE_ACTIONS.some((executable) => executable === action);
}
