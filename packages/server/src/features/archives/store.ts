import type { OperationClient } from '../../db/contexts.ts';
import {
  cancelArchiveRun,
  checkArchiveCancel,
  clearArchiveRequest,
  enterArchiveStage,
  failArchiveStage,
  recoverArchiveRuns,
  requestArchiveStage,
  writeArchiveProgress,
} from './queries/change-runs.ts';
import { createArchiveRun } from './queries/create-run.ts';
import { eligibleEvents } from './queries/eligible-events.ts';
import { activeArchiveRun, activeRetentionRun, archiveJobs, archiveRun, listArchiveRuns } from './queries/read-runs.ts';

/** Listed in `db/operations/reads.ts`. */
export const archiveReads = {
  eligibleEvents,
  archiveRun,
  listArchiveRuns,
  archiveJobs,
  activeArchiveRun,
  activeRetentionRun,
};

/** Listed in `db/operations/writes.ts`; each runs inside one transaction. */
export const archiveWrites = {
  createArchiveRun,
  requestArchiveStage,
  enterArchiveStage,
  failArchiveStage,
  clearArchiveRequest,
  recoverArchiveRuns,
  writeArchiveProgress,
  checkArchiveCancel,
  cancelArchiveRun,
};

export type ArchiveReads = Pick<OperationClient<typeof archiveReads>, 'run'>;
export type ArchiveWrites = Pick<OperationClient<typeof archiveWrites>, 'run'>;
