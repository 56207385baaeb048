import type { LogDetail } from '@manager/core/accounts/inspection/log';
import type { InspectionLogLevel } from '@manager/core/contract/inspection/runs';
import type { LogMessage } from './log-message.ts';
import type { WorkReport } from './ports.ts';
import type { StoredRun } from './run-row.ts';

/** How the execution of a run ended. A canceled run is canceled, however its execution ended. */
export type RunEnd =
  | { readonly kind: 'completed'; readonly error: string; readonly report: WorkReport }
  | { readonly kind: 'failed'; readonly error: string }
  /** The manager stopped: before or during the work. */
  | { readonly kind: 'unstarted' | 'stopped'; readonly error: string }
  /** Left by a killed process. */
  | { readonly kind: 'recovered'; readonly error: string };

/** The error of a run for failed actions and unsaved results; '' = none failed. */
export function shortfall(counts: { readonly failedActions: number; readonly failedWrites: number }): string {
  const parts = [
    [counts.failedActions, 'action', 'failed'],
    [counts.failedWrites, 'result', 'could not be stored'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, noun, what]) => `${count} ${noun}${count === 1 ? '' : 's'} ${what}`)
    .join(', ');
}

export interface FinalLog {
  readonly level: InspectionLogLevel;
  readonly message: LogMessage;
  readonly detail: LogDetail;
}

/** The last line of the log of a run, from its last state. */
export function finalLog(run: StoredRun, end: RunEnd): FinalLog {
  const detail = countsOf(run);
  switch (run.status) {
    case 'completed': {
      const report = end.kind === 'completed' ? end.report : null;
      const flawed = run.error !== undefined || (report?.actions.needs_review ?? 0) > 0;
      return {
        level: flawed ? 'warning' : 'success',
        message: 'completed',
        detail: { ...detail, ...reportDetail(report), ...errorDetail(run) },
      };
    }
    case 'failed':
      return {
        level: 'error',
        message: 'lifecycle_finalized',
        detail: { ...detail, status: run.status, ...errorDetail(run) },
      };
    case 'cancelled':
      return { level: 'warning', message: 'cancelled', detail };
    default:
      return { level: 'warning', message: INTERRUPTED[end.kind] ?? 'interrupted', detail };
  }
}

const INTERRUPTED: Partial<Record<RunEnd['kind'], LogMessage>> = {
  unstarted: 'shutdown_before_start',
  recovered: 'recovered_interrupted',
};

function countsOf(run: StoredRun): LogDetail {
  return {
    totalFiles: run.totalFiles,
    probeSetCount: run.probeSetCount,
    sampledCount: run.sampledCount,
    deleteCount: run.deleteCount,
    disableCount: run.disableCount,
    enableCount: run.enableCount,
    reauthCount: run.reauthCount,
    keepCount: run.keepCount,
  };
}

function reportDetail(report: WorkReport | null): LogDetail {
  if (report === null) return {};
  return {
    actionSuccessCount: report.actions.success,
    actionFailedCount: report.actions.failed,
    actionSkippedCount: report.actions.skipped,
    actionNeedsReviewCount: report.actions.needs_review,
    resultWriteFailedCount: report.resultWriteFailedCount,
  };
}

function errorDetail({ error }: StoredRun): LogDetail {
  return error === undefined ? {} : { error };
}
