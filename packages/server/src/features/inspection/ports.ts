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
 * The interface between the life of a run (start, cancel, end, log, answers) and its work. The life owns the states of a run;
 * the work reads the gateway, changes it and returns its results.
 */

/** The current run. */
export interface WorkingRun {
  readonly id: number;
  /** See `StoredRun`. */
  readonly key: string;
  readonly triggerType: InspectionTrigger;
  readonly triggerKey: string;
  readonly startedAtMs: number;
}

export interface InspectionWork {
  /**
   * Lists, probes, stores results, then executes automatic actions. Resolves when all of it is done. After an abort (the
   * operator cancels, the manager stops) it starts nothing new, finishes the changes in progress, stores its results within two
   * seconds and rejects.
   *
   * @throws AppError and GatewayError: their message becomes the error of the `failed` run. Other errors are a bug in the
   * manager.
   */
  run(request: WorkRequest): Promise<WorkReport>;
}

export interface WorkRequest {
  readonly run: WorkingRun;
  /** Copied at the start of the run. */
  readonly settings: InspectionConfig;
  readonly signal: AbortSignal;
  readonly journal: InspectionJournal;
  readonly store: InspectionStore;
}

export interface WorkReport {
  /** Outcomes of automatic actions. */
  readonly actions: Readonly<Record<OutcomeStatus, number>>;
  /** Results that could not be stored, even on the second attempt. */
  readonly resultWriteFailedCount: number;
}

export interface InspectionActions {
  /**
   * Executes a manual selection: exactly one outcome per selected result, in the order of the run. The caller stores the
   * outcomes. After an abort nothing new is started: the rest fails.
   */
  execute(request: ActionsRequest): Promise<readonly ActionOutcome[]>;
}

export interface ActionsRequest extends RequestedActions {
  readonly run: WorkingRun;
  /** Copied at the start of the run. */
  readonly settings: InspectionConfig;
  /** All results of the run, in order, including the selected ones. */
  readonly results: readonly InspectionResult[];
  readonly signal: AbortSignal;
  readonly journal: InspectionJournal;
  readonly store: InspectionStore;
}

export interface ActionOutcome {
  /** Its member `disabled` includes the effect of another result's action. */
  readonly result: InspectionResult;
  /** What was executed or refused. */
  readonly action: InspectionAction;
  readonly status: OutcomeStatus;
  /** '' = no error. */
  readonly error: string;
}

/**
 * The log of a run. Never waits and never fails: lines are written in the background, without secrets. Lines about the whole
 * run (`run_started`, `completed`, `cancelled`, `interrupted` and the like) come from its life, all others (also
 * `manual_started`, `manual_completed`) from the work.
 */
export interface InspectionJournal {
  log(level: InspectionLogLevel, message: LogMessage, detail?: LogDetail): void;
}

export interface ProgressCounts {
  /** Accounts that the gateway listed. */
  readonly totalFiles: number;
  /** Accounts of the inspected providers. */
  readonly probeSetCount: number;
  readonly sampledCount: number;
  /** Of the sampled ones. */
  readonly disabledCount: number;
  readonly enabledCount: number;
}

/** What the work stores. */
export interface InspectionStore {
  writeProgress(runKey: string, counts: ProgressCounts): Promise<void>;
  /**
   * Stores results, all or none, and returns them with their ids. A result of the same account keeps its id; when the new one
   * has no windows it keeps the old ones. Rejects when it is not stored within two seconds, and once the run has ended.
   */
  saveResults(runKey: string, results: readonly NewInspectionResult[]): Promise<readonly InspectionResult[]>;
  /** Time of the last probe, by account key. */
  accountTurns(): Promise<ReadonlyMap<string, number>>;
}
