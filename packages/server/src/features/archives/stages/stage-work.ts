import type { ArchiveFiles } from '../files/archive-files.ts';
import type { SegmentLimits } from '../files/segment-writer.ts';
import type { ArchiveStageReads, ArchiveStageWrites } from './operations.ts';
import type { StageContext } from './stage.ts';

export interface StageWork extends StageContext {
  readonly reads: ArchiveStageReads;
  readonly writes: ArchiveStageWrites;
  readonly files: ArchiveFiles;
  readonly now: () => number;
  readonly segmentLimits: SegmentLimits;
}

/** All other work of the server goes first. */
export const BACKGROUND = { priority: 'background' } as const;
/** A count over all events may be slow; nobody waits for it in a browser. */
export const PATIENT = { priority: 'background', deadlineMs: 600_000 } as const;
