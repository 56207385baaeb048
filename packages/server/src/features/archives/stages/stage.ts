/** The long stages of a run. Each is also the status of a run while it is active. */
export type ArchiveStage = 'archiving' | 'verifying' | 'deleting';

export type ArchivePhase =
  | 'archiving_records'
  | 'archive_finalizing'
  | 'archive_publishing'
  | 'verifying_archive'
  | 'cleanup_revalidating'
  | 'deleting_records';

/** Progress of a stage, for display. */
export interface StageProgress {
  readonly phase: ArchivePhase;
  readonly current: number;
  readonly total: number;
  readonly unit?: 'events' | 'segments';
}

/** Context that the runner passes to a stage. */
export interface StageContext {
  readonly runId: string;
  /** On abort the stage ends after the current segment or batch and throws the reason. */
  readonly signal: AbortSignal;
  /** Writes progress to the run without changing its `updated_at_ms`, while the run is in the stage. */
  readonly progress: (progress: StageProgress) => Promise<void>;
}

/**
 * The work behind the states of a run. The runner calls `prepare`, enters the stage in a separate transaction (with the gates
 * of `gates.ts` for `deleting`), calls `run` and records its failure. `run` commits the success of a stage itself (`archived`,
 * `verified`, `completed`, the progress cleared, the lock released), together with its last change.
 *
 * Errors: `AppError` with an archive code where the caller can act on it, above all `usage_archive_coverage_incomplete`; any
 * other error is a failure of the run (a damaged file, a full disk).
 */
export interface ArchiveStages {
  /**
   * Checks conditions of a stage that take too long for a transaction. Throws without a change.
   *
   * @throws usage_archive_coverage_incomplete
   */
  prepare(stage: ArchiveStage, context: StageContext): Promise<void>;
  /** Works from the current state of the run to the end of the stage; the run must have entered it. */
  run(stage: ArchiveStage, context: StageContext): Promise<void>;
  /** Removes temporary files of a run that will be canceled. */
  removeTemporary(runId: string): Promise<void>;
  /** Waits for the file work of a stopped stage. */
  close(): Promise<void>;
}
