import type { ArchiveSegment } from '@manager/core/contract/archives/runs';
import type { TextKey } from '../../../platform/i18n/index.ts';
import type { Word } from '../../../ui/display/status.tsx';
import type { Run, RunProgress, Stage } from '../wire.ts';
import { deletionBegun, isServerWorking, isStage } from './run-actions.ts';

/** In the order of a run's life. */
export const STATUS_WORDS: Readonly<Record<string, Word>> = {
  previewed: { tone: 'unknown', label: 'archiveStatus.previewed' },
  archiving: { tone: 'wait', label: 'archiveStatus.archiving' },
  archived: { tone: 'unknown', label: 'archiveStatus.archived' },
  verifying: { tone: 'wait', label: 'archiveStatus.verifying' },
  verified: { tone: 'ok', label: 'archiveStatus.verified' },
  deleting: { tone: 'wait', label: 'archiveStatus.deleting' },
  completed: { tone: 'ok', label: 'archiveStatus.completed' },
  failed: { tone: 'bad', label: 'archiveStatus.failed' },
  cancelled: { tone: 'off', label: 'archiveStatus.cancelled' },
};

/** Null for a status of a later version, which is shown unchanged. */
export function statusWord({ status, requested_stage }: Pick<Run, 'status' | 'requested_stage'>): Word | null {
  const word = Object.hasOwn(STATUS_WORDS, status) ? STATUS_WORDS[status] : undefined;
  if (word === undefined) return null;
  // Between two stages, about to enter the next one.
  return requested_stage !== undefined && !isStage(status) ? { ...word, tone: 'wait' } : word;
}

export const STAGE_WORDS: Readonly<Record<string, TextKey>> = {
  archiving: 'archiveStage.archiving',
  verifying: 'archiveStage.verifying',
  deleting: 'archiveStage.deleting',
} satisfies Record<Stage, TextKey>;

const PHASES: Readonly<Record<string, TextKey>> = {
  archiving_records: 'archivePhase.archivingRecords',
  archive_finalizing: 'archivePhase.finalizing',
  archive_publishing: 'archivePhase.publishing',
  verifying_archive: 'archivePhase.verifying',
  cleanup_revalidating: 'archivePhase.revalidating',
  deleting_records: 'archivePhase.deletingRecords',
};

/** Null for a phase of a later version. */
export function phaseWord(phase: string): TextKey | null {
  return PHASES[phase] ?? null;
}

const UNITS: Readonly<Record<string, TextKey>> = {
  events: 'archivePhase.events',
  segments: 'archivePhase.segments',
};

export function unitWord(unit: string | undefined): TextKey | null {
  return unit === undefined ? null : (UNITS[unit] ?? null);
}

/** Whole percent; null while the length of the work is unknown. */
export function progressPercent({ current, total }: Pick<RunProgress, 'current' | 'total'>): number | null {
  if (total <= 0) return null;
  // Rounded down, so that 100 means done.
  return Math.max(0, Math.min(100, Math.floor((current * 100) / total)));
}

/** Archived bytes as a share of the uncompressed ones; null without any. */
export function compressedShare(
  run: Pick<Run, 'archived_compressed_bytes' | 'archived_uncompressed_bytes'>,
): number | null {
  const { archived_compressed_bytes: compressed, archived_uncompressed_bytes: uncompressed } = run;
  return uncompressed > 0 ? compressed / uncompressed : null;
}

export type StepName = 'previewed' | 'archived' | 'verified' | 'deleted' | 'compacted';

export interface Step {
  readonly name: StepName;
  readonly state: 'done' | 'running' | 'failed' | 'next' | 'open';
  /** When it was done; null = it was not, or not recorded. */
  readonly atMs: number | null;
}

/** Index of the step a run has reached, by its own data. */
const POSITION: Readonly<Record<string, number>> = {
  previewed: 1,
  archiving: 1,
  archived: 2,
  verifying: 2,
  verified: 3,
  deleting: 3,
  completed: 4,
};

const STEP_OF_STAGE: Readonly<Record<Stage, StepName>> = {
  archiving: 'archived',
  verifying: 'verified',
  deleting: 'deleted',
};

/** The active or next stage; null = none, or an unknown one. */
export function runningStage(run: Pick<Run, 'status' | 'requested_stage'>): Stage | null {
  const stage = isServerWorking(run) ? (run.requested_stage ?? run.status) : undefined;
  return isStage(stage) ? stage : null;
}

/** The steps of a run, completed ones and the next one. Compaction is one of an automatic run. */
export function stepsOf(run: Run): readonly Step[] {
  const stages = stageSteps(run);
  return run.automatic === true ? [...stages, { name: 'compacted', state: compactionState(run), atMs: null }] : stages;
}

function compactionState({ compaction }: Run): Step['state'] {
  if (compaction === 'waiting' || compaction === 'running') return 'running';
  return compaction === 'done' || compaction === 'not_needed' ? 'done' : 'open';
}

function stageSteps(run: Run): readonly Step[] {
  const failedIn = run.status === 'failed' && isStage(run.resume_status) ? run.resume_status : null;
  const running = runningStage(run);
  const done = POSITION[failedIn ?? run.status] ?? 0;
  const times: readonly (readonly [StepName, number | undefined])[] = [
    ['previewed', run.created_at_ms],
    ['archived', run.archived_at_ms],
    ['verified', run.verified_at_ms],
    ['deleted', run.completed_at_ms],
  ];
  const ended = run.status === 'cancelled' || !Object.hasOwn(POSITION, failedIn ?? run.status);
  return times.map(([name, atMs], index): Step => {
    if (running !== null && STEP_OF_STAGE[running] === name) return { name, state: 'running', atMs: null };
    if (failedIn !== null && STEP_OF_STAGE[failedIn] === name) return { name, state: 'failed', atMs: null };
    // Steps completed before a cancellation stay completed.
    if (index < done || (ended && atMs !== undefined)) return { name, state: 'done', atMs: atMs ?? null };
    return { name, state: index === done && !ended && running === null ? 'next' : 'open', atMs: null };
  });
}

/** The meaning of the status and what comes next, one sentence. */
export function statusExplanation(run: Run): TextKey | null {
  const { compaction } = run;
  if (compaction === 'waiting' || compaction === 'running') return 'archiveText.compacting';
  if (compaction === 'offline') return 'archiveText.completedOffline';
  if (run.automatic === true && run.status === 'verified' && run.requested_stage === undefined)
    return 'archiveText.deleteOff';
  if (run.requested_stage !== undefined && run.has_error && run.status !== 'failed')
    return run.status === 'previewed' ? 'archiveText.refusedArchiving' : 'archiveText.refused';
  if (run.requested_stage !== undefined && !isStage(run.status)) {
    if (run.status === 'previewed') return 'archiveText.waitingToArchive';
    return run.status === 'failed' ? 'archiveText.retried' : 'archiveText.waiting';
  }
  switch (run.status) {
    case 'previewed':
      return 'archiveText.previewed';
    case 'archiving':
      return 'archiveText.archiving';
    case 'archived':
      return 'archiveText.archived';
    case 'verifying':
      return 'archiveText.verifying';
    case 'verified':
      return 'archiveText.verified';
    case 'deleting':
      return 'archiveText.deleting';
    case 'completed':
      return 'archiveText.completed';
    case 'cancelled':
      return 'archiveText.cancelled';
    case 'failed':
      return failedSituation(run);
    default:
      return null;
  }
}

function failedSituation(run: Run): TextKey {
  if (deletionBegun(run)) return 'archiveText.failedDeleting';
  return run.resume_status === 'verifying' ? 'archiveText.failedVerifying' : 'archiveText.failedArchiving';
}

/** Totals of a run's files. */
export interface SegmentSums {
  readonly count: number;
  readonly verified: number;
  readonly firstEventId: number;
  readonly lastEventId: number;
  readonly minTimestampMs: number;
  readonly maxTimestampMs: number;
}

export function sumSegments(segments: readonly ArchiveSegment[]): SegmentSums | null {
  const first = segments[0];
  if (first === undefined) return null;
  return segments.reduce<SegmentSums>(
    (sums, segment) => ({
      count: sums.count + 1,
      verified: sums.verified + (segment.status === 'verified' ? 1 : 0),
      firstEventId: Math.min(sums.firstEventId, segment.first_event_id),
      lastEventId: Math.max(sums.lastEventId, segment.last_event_id),
      minTimestampMs: Math.min(sums.minTimestampMs, segment.min_timestamp_ms),
      maxTimestampMs: Math.max(sums.maxTimestampMs, segment.max_timestamp_ms),
    }),
    {
      count: 0,
      verified: 0,
      firstEventId: first.first_event_id,
      lastEventId: first.last_event_id,
      minTimestampMs: first.min_timestamp_ms,
      maxTimestampMs: first.max_timestamp_ms,
    },
  );
}
