import type { OperationClient } from '../../../sqlite/contexts.ts';
import { deleteArchivedBatch } from './store-deletion.ts';
import { archiveEligibleEvents, archiveStageRun, archiveStageSegments, proveArchiveReferences } from './store-proof.ts';
import { markArchived, markVerified, recordArchiveSegment } from './store-segments.ts';

/** Listed in `workers/operations/writes.ts`. */
export const archiveStageWrites = { recordArchiveSegment, markArchived, markVerified, deleteArchivedBatch };

/** Listed in `workers/operations/reads.ts`. */
export const archiveStageReads = {
  archiveStageRun,
  archiveStageSegments,
  archiveEligibleEvents,
  proveArchiveReferences,
};

export type ArchiveStageWrites = Pick<OperationClient<typeof archiveStageWrites>, 'run'>;
export type ArchiveStageReads = Pick<OperationClient<typeof archiveStageReads>, 'run'>;
