import type { InspectionResult, InspectionRun } from '../../contract/inspection/runs.ts';
import { compareCodePoints } from '../../json/text.ts';

export type SuggestionCounts = Pick<
  InspectionRun,
  'disabledCount' | 'enabledCount' | 'deleteCount' | 'disableCount' | 'enableCount' | 'reauthCount' | 'keepCount'
>;

/** The counters of a run, from the current state of its results. */
export function countResults(results: readonly Pick<InspectionResult, 'action' | 'disabled'>[]): SuggestionCounts {
  const count = (action: InspectionResult['action']) => results.filter((result) => result.action === action).length;
  const disabledCount = results.filter(({ disabled }) => disabled).length;
  return {
    disabledCount,
    enabledCount: results.length - disabledCount,
    deleteCount: count('delete'),
    disableCount: count('disable'),
    enableCount: count('enable'),
    reauthCount: count('reauth'),
    keepCount: count('keep'),
  };
}

/** The order of results: file name, then displayed account. */
export function compareResults(
  left: Pick<InspectionResult, 'fileName' | 'displayAccount'>,
  right: Pick<InspectionResult, 'fileName' | 'displayAccount'>,
): number {
  return (
    compareCodePoints(left.fileName, right.fileName) || compareCodePoints(left.displayAccount, right.displayAccount)
  );
}
