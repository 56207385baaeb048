import type { ArchiveAction, ArchiveStatus } from '@manager/core/contract/archives/runs';
import { AppError } from '@manager/core/contract/errors';
import type { RunState } from './run-row.ts';
import type { ArchiveStage } from './stages/stage.ts';

/** Position of a run in its life. A failed one has that of its `resume_status`, a canceled one has none. */
const POSITION: Readonly<Record<Exclude<ArchiveStatus, 'failed' | 'cancelled'>, number>> = {
  previewed: 0,
  archiving: 1,
  archived: 2,
  verifying: 3,
  verified: 4,
  deleting: 5,
  completed: 6,
};

/** Statuses from which a stage can be entered; a failed run can enter the stage in which it failed. */
const ENTRANCES: Readonly<Record<ArchiveStage, readonly ArchiveStatus[]>> = {
  archiving: ['previewed', 'archiving'],
  // A verified run can be verified again: its files may have changed.
  verifying: ['archived', 'verifying', 'verified'],
  deleting: ['verified', 'deleting'],
};

export function isActiveStage(status: ArchiveStatus): status is ArchiveStage {
  return status === 'archiving' || status === 'verifying' || status === 'deleting';
}

export function mayEnter(stage: ArchiveStage, { status, resumeStatus }: RunState): boolean {
  return status === 'failed' ? resumeStatus === stage : ENTRANCES[stage].includes(status);
}

export interface StageRequest {
  readonly action: Exclude<ArchiveAction, 'cancel' | 'hold'>;
  /** Only with `resume`. */
  readonly expectedStage: ArchiveStage | null;
}

/**
 * The stage that an action starts; null when the run is already past it, so that there is nothing to do.
 *
 * @throws usage_archive_invalid_state
 */
export function requestedStageOf({ action, expectedStage }: StageRequest, run: RunState): ArchiveStage | null {
  if (run.status === 'cancelled') throw invalidState();
  switch (action) {
    case 'resume':
      return resumedStage(expectedStage, run);
    case 'verify':
      if (run.status === 'deleting' || run.status === 'completed') return null;
      return entered('verifying', run);
    case 'delete':
      return run.status === 'completed' ? null : entered('deleting', run);
  }
}

function resumedStage(expected: ArchiveStage | null, run: RunState): ArchiveStage | null {
  if (expected !== null && positionOf(run) > POSITION[expected]) return null;
  const stage = run.status === 'previewed' ? 'archiving' : currentStage(run);
  if (expected !== null && stage !== expected) throw invalidState();
  return stage;
}

/** The stage in which a run is or failed; null between two stages. */
function currentStage({ status, resumeStatus }: RunState): ArchiveStage | null {
  if (status === 'failed') return resumeStatus;
  return isActiveStage(status) ? status : null;
}

function entered(stage: ArchiveStage, run: RunState): ArchiveStage {
  if (!mayEnter(stage, run)) throw invalidState();
  return stage;
}

/**
 * Whether a request is already completed although it is still stored: the process ended in between. A request to verify a
 * verified run again is newer than its proof.
 */
export function isSatisfied(stage: ArchiveStage, run: RunState): boolean {
  if (run.status === 'cancelled') return true;
  if (stage === 'verifying' && run.status === 'verified') return run.updatedAtMs <= (run.verifiedAtMs ?? 0);
  return positionOf(run) > POSITION[stage];
}

function positionOf({ status, resumeStatus }: RunState): number {
  if (status === 'cancelled') return -1;
  if (status === 'failed') return resumeStatus === null ? 0 : POSITION[resumeStatus];
  return POSITION[status];
}

/**
 * Whether a run can be canceled: its files must not be published and nothing deleted.
 *
 * @throws usage_archive_cancel_unsafe, usage_archive_cancel_published, usage_archive_invalid_state
 */
export function requireCancellable(run: RunState): 'cancelled already' | 'may be cancelled' {
  const { status, resumeStatus } = run;
  const deletionBegan =
    status === 'deleting' ||
    run.deleteStartedAtMs !== null ||
    run.deletedEventCount > 0 ||
    (status === 'failed' && resumeStatus === 'deleting');
  if (deletionBegan) throw new AppError('usage_archive_cancel_unsafe');
  if (status === 'cancelled') return 'cancelled already';
  if (status === 'failed') return 'may be cancelled';
  if (run.archivedEventCount > 0) throw new AppError('usage_archive_cancel_published');
  if (status === 'previewed') return 'may be cancelled';
  throw invalidState();
}

export function invalidState(): AppError {
  return new AppError('usage_archive_invalid_state');
}
