import type { RequestedActions } from '@manager/core/accounts/inspection/action-request';
import type { LogDetail } from '@manager/core/accounts/inspection/log';
import type { NewInspectionResult } from '@manager/core/accounts/inspection/result';
import type { InspectionConfig } from '@manager/core/contract/inspection/config';
import type {
  InspectionAction,
  InspectionLogLevel,
  InspectionResult,
  InspectionTrigger,
  OutcomeStatus,
} from '@manager/core/contract/inspection/runs';
import type { LogMessage } from './log-message.ts';

/**
 * What lies between the life of a run (starting, cancelling, ending, the log, answers) and the work that is done in it. The
 * first side owns the states of a run; the work reads the upstream, changes it and hands in what it found.
 */

/** The run that is executed. */
export interface WorkingRun {
  readonly id: string;
  readonly triggerType: InspectionTrigger;
  readonly triggerKey: string;
  readonly startedAtMs: number;
}

export interface InspectionWork {
  /**
   * Lists, probes, stores results, then does automatic actions. Resolves once all of it is done. Once the signal is aborted (a
   * person cancels, the manager stops) it begins nothing new, finishes the changes that have begun, stores what it has within
   * two seconds and rejects.
   *
   * @throws AppError and UpstreamError: their message becomes the error of the run, which `failed`. Others are a fault of ours.
   */
  run(request: WorkRequest): Promise<WorkReport>;
}

export interface WorkRequest {
  readonly run: WorkingRun;
  /** Copied when the run began. */
  readonly settings: InspectionConfig;
  readonly signal: AbortSignal;
  readonly journal: InspectionJournal;
  readonly store: InspectionStore;
}

export interface WorkReport {
  /** Outcomes of automatic actions. */
  readonly actions: Readonly<Record<OutcomeStatus, number>>;
  /** Results that could not be stored, also not the second time. */
  readonly resultWriteFailedCount: number;
}

export interface InspectionActions {
  /**
   * Does what a person selected: exactly one outcome for each selected result, in the order of the run. Storing the outcomes
   * is up to the caller. Once the signal is aborted nothing new is begun: what is left fails.
   */
  execute(request: ActionsRequest): Promise<readonly ActionOutcome[]>;
}

export interface ActionsRequest extends RequestedActions {
  readonly run: WorkingRun;
  /** Copied when the run began. */
  readonly settings: InspectionConfig;
  /** All results of the run, in order; the selected ones are among them. */
  readonly results: readonly InspectionResult[];
  readonly signal: AbortSignal;
  readonly journal: InspectionJournal;
  readonly store: InspectionStore;
}

export interface ActionOutcome {
  /** Its member `disabled` says the state that the action of another result has led to. */
  readonly result: InspectionResult;
  /** What was carried out or refused. */
  readonly action: InspectionAction;
  readonly status: OutcomeStatus;
  /** '' = none. */
  readonly error: string;
}

/**
 * The log of a run. Never waits and never fails: lines are written behind the work, secrets are taken out. Lines about the run
 * as a whole (`run_started`, `completed`, `cancelled`, `interrupted` and the like) come from its life, all others (also
 * `manual_started`, `manual_completed`) from the work.
 */
export interface InspectionJournal {
  log(level: InspectionLogLevel, message: LogMessage, detail?: LogDetail): void;
}

export interface ProgressCounts {
  /** Credentials that the upstream listed. */
  readonly totalFiles: number;
  /** Those of the providers that are inspected. */
  readonly probeSetCount: number;
  readonly sampledCount: number;
  /** Of the sampled ones. */
  readonly disabledCount: number;
  readonly enabledCount: number;
}

/** What the work stores. */
export interface InspectionStore {
  writeProgress(runId: string, counts: ProgressCounts): Promise<void>;
  /**
   * Stores results, all or none, and gives them back with their ids. A result of the same account is written again under its
   * id; when the new one knows no windows it keeps those it has. Rejects when it is not stored within two seconds, and once
   * the run has ended.
   */
  saveResults(runId: string, results: readonly NewInspectionResult[]): Promise<readonly InspectionResult[]>;
  /** When accounts were probed last, by account key. */
  accountTurns(): Promise<ReadonlyMap<string, number>>;
}
