import type {
  ExecutableAction,
  InspectionActionsRequest,
  InspectionOutcome,
  InspectionResult,
  OutcomeStatus,
} from '@manager/core/contract/inspection/runs';
import { isActionable } from './results/result-view.ts';

/** The accounts of one file to act on. */
interface BatchFile {
  readonly fileName: string;
  readonly results: readonly InspectionResult[];
  /** Other accounts of the file in the run: unless all have the same suggestion, the server marks the file for review. */
  readonly others: number;
}

export interface Batch {
  /** null = each result has its own suggestion carried out. */
  readonly command: ExecutableAction | null;
  readonly results: readonly InspectionResult[];
  readonly files: readonly BatchFile[];
  /** How many suggest a sign-in, and are deleted anyway. */
  readonly overrides: number;
}

/** One command for all results. */
export interface CommandBatch extends Batch {
  readonly command: ExecutableAction;
}

/**
 * The selected results that one command applies to. Each command takes only matching suggestions, so that disabling and deleting
 * are never one decision; a deletion includes sign-in suggestions.
 */
export function batchOf(
  all: readonly InspectionResult[],
  chosen: readonly InspectionResult[],
  command: ExecutableAction,
): CommandBatch {
  const results = chosen.filter(
    (result) =>
      isActionable(result) && (result.action === command || (command === 'delete' && result.action === 'reauth')),
  );
  return {
    command,
    results,
    files: filesOf(all, results),
    overrides: results.filter(({ action }) => action !== command).length,
  };
}

/** The files of some results of a run. */
export function filesOf(all: readonly InspectionResult[], results: readonly InspectionResult[]): readonly BatchFile[] {
  const inBatch = new Set(results);
  const names = [...new Set(results.map(({ fileName }) => fileName))];
  return names.map((fileName) => ({
    fileName,
    results: results.filter((result) => result.fileName === fileName),
    others: all.filter((result) => result.fileName === fileName && !inBatch.has(result)).length,
  }));
}

export function requestOf({ results, command }: Batch): InspectionActionsRequest {
  const overrides = command === null ? [] : results.filter(({ action }) => action !== command);
  return {
    resultIds: results.map(({ id }) => id),
    ...(overrides.length === 0
      ? {}
      : { actionOverrides: overrides.map(({ id }) => ({ resultId: id, action: 'delete' })) }),
  };
}

export type OutcomeCounts = Readonly<Record<OutcomeStatus, number>>;

export function countOutcomes(outcomes: readonly Pick<InspectionOutcome, 'status'>[]): OutcomeCounts {
  const counts: Record<OutcomeStatus, number> = { success: 0, failed: 0, skipped: 0, needs_review: 0 };
  for (const { status } of outcomes) counts[status] += 1;
  return counts;
}
