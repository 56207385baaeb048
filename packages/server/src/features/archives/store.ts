import type { OperationClient } from '../../sqlite/contexts.ts';
import { cancelArchiveRun, checkArchiveCancel, heldEvents } from './queries/cancel-run.ts';
import {
  clearArchiveRequest,
  enterArchiveStage,
  failArchiveStage,
  finishArchiveRequest,
  handOverArchiveRun,
  holdArchiveRun,
  noteArchiveRefusal,
  recoverArchiveRuns,
  requestArchiveStage,
  writeArchiveProgress,
} from './queries/change-runs.ts';
import { createArchiveRun } from './queries/create-run.ts';
import { eligibleEvents } from './queries/eligible-events.ts';
import {
  activeArchiveRun,
  activeRetentionRun,
  archiveJobs,
  archiveRatio,
  archiveRun,
  compactingArchiveRun,
  listArchiveRuns,
  waitingArchiveRun,
} from './queries/read-runs.ts';
import { releaseArchiveReferences, unreleasedArchiveReferences } from './queries/release-references.ts';

/** Listed in `workers/operations/reads.ts`. */
export const archiveReads = {
  eligibleEvents,
  archiveRun,
  listArchiveRuns,
  archiveJobs,
  activeArchiveRun,
  activeRetentionRun,
  compactingArchiveRun,
  waitingArchiveRun,
  archiveRatio,
  heldEvents,
  unreleasedArchiveReferences,
};

/** Listed in `workers/operations/writes.ts`; each runs inside one transaction. */
export const archiveWrites = {
  createArchiveRun,
  requestArchiveStage,
  enterArchiveStage,
  failArchiveStage,
  clearArchiveRequest,
  noteArchiveRefusal,
  recoverArchiveRuns,
  finishArchiveRequest,
  holdArchiveRun,
  handOverArchiveRun,
  writeArchiveProgress,
  checkArchiveCancel,
  cancelArchiveRun,
  releaseArchiveReferences,
};

export type ArchiveReads = Pick<OperationClient<typeof archiveReads>, 'run'>;
export type ArchiveWrites = Pick<OperationClient<typeof archiveWrites>, 'run'>;
