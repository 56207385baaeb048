/** The long works of a run. Each is also the status of a run in which it goes on. */
export type ArchiveStage = 'archiving' | 'verifying' | 'deleting';

export type ArchivePhase =
  | 'archiving_records'
  | 'archive_finalizing'
  | 'archive_publishing'
  | 'verifying_archive'
  | 'cleanup_revalidating'
  | 'deleting_records';

/** How far a stage is, for display. */
export interface StageProgress {
  readonly phase: ArchivePhase;
  readonly current: number;
  readonly total: number;
  readonly unit?: 'events' | 'segments';
}

/** What the runner gives to a stage. */
export interface StageContext {
  readonly runId: string;
  /** Aborted: the stage ends at the next border of a segment or batch and throws the reason. */
  readonly signal: AbortSignal;
  /** Writes it to the run, apart from its `updated_at_ms`, while the run is in the stage. */
  readonly progress: (progress: StageProgress) => Promise<void>;
}

/**
 * The works behind a run's states. The runner asks `prepare`, enters the stage in a transaction of its own (with the gates of
 * `gates.ts` for `deleting`), calls `run` and records its failure. What ends a stage well (`archived`, `verified`, `completed`, the
 * progress cleared, the lock released) is committed by `run` itself, together with the last thing it did.
 *
 * Errors: `AppError` with a code of the archives where the caller can do something about it, above all
 * `usage_archive_coverage_incomplete`; any other error is a failure of the run (a damaged file, a full disk).
 */
export interface ArchiveStages {
  /**
   * What must be true before a stage is entered and takes too long for a transaction. Throws with nothing changed.
   *
   * @throws usage_archive_coverage_incomplete
   */
  prepare(stage: ArchiveStage, context: StageContext): Promise<void>;
  /** Works from where the run is to the end of the stage; the run must have entered it. */
  run(stage: ArchiveStage, context: StageContext): Promise<void>;
  /** Removes temporary files of a run that is to be cancelled. */
  removeTemporary(runId: string): Promise<void>;
  /** Waits for what a stage that was told to stop does with files. */
  close(): Promise<void>;
}
