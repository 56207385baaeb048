import { CACHE_ACCOUNTING, SINGLE_PASSES } from '../../../events/background/state.ts';
import type { StepOutcome } from '../../../events/background/step.ts';
import type { PrivateDirectory } from '../../../platform/files/private-directory.ts';
import { stopPoint } from '../../../platform/stop-point.ts';
import { type ArchiveFiles, startArchiveFiles } from '../files/archive-files.ts';
import { SEGMENT_LIMITS, type SegmentLimits } from '../files/segment-writer.ts';
import { archive } from './archiving.ts';
import { type DeletingWork, deleteArchived } from './deleting.ts';
import { coverageIncomplete } from './gates.ts';
import { inspectArchive, proveReferences } from './inspection.ts';
import type { ArchiveStageReads, ArchiveStageWrites } from './operations.ts';
import type { ArchiveStage, ArchiveStages, StageContext } from './stage.ts';
import { BACKGROUND, PATIENT, type StageWork } from './stage-work.ts';

export interface ArchiveStagesDeps {
  readonly databasePath: string;
  /** The directory of all archives, with `ARCHIVE_TEMPORARY` files. */
  readonly directory: PrivateDirectory;
  readonly reads: ArchiveStageReads;
  readonly writes: ArchiveStageWrites;
  readonly migrations: {
    /** Whether stored events have the current accounting. */
    readonly accountingCompleted: () => Promise<boolean>;
    /** The next step of a data migration. */
    readonly step: (name: string) => Promise<StepOutcome>;
    readonly sealOldest: (rows: number) => Promise<boolean>;
  };
  readonly withoutExports: DeletingWork['withoutExports'];
  readonly now: () => number;
  /** Smaller segments only in tests. */
  readonly segmentLimits?: SegmentLimits;
}

export function createArchiveStages(deps: ArchiveStagesDeps): ArchiveStages {
  const { reads, migrations } = deps;
  const threads = new Set<ArchiveFiles>();

  async function prepareArchiving({ runId, signal }: StageContext): Promise<void> {
    if (!(await migrations.accountingCompleted())) {
      throw coverageIncomplete(`stored events are still being upgraded (${CACHE_ACCOUNTING})`);
    }
    for (const name of SINGLE_PASSES) await finish(name, signal);
    const run = await reads.run('archiveStageRun', runId);
    if (run.status !== 'previewed') return;
    const eligible = await reads.run('archiveEligibleEvents', run, { ...PATIENT, signal });
    if (eligible.events !== run.eventCount || eligible.lastId !== run.targetEventId) {
      throw coverageIncomplete('the events before this time have changed since the run was created; cancel it');
    }
  }

  /** An archive keeps an event in its current form, so it is completed first. */
  async function finish(name: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const outcome = await migrations.step(name);
      if (outcome.kind === 'done') return;
      if (outcome.kind === 'failed') throw coverageIncomplete(`stored events cannot be completed (${name})`);
      if (outcome.kind === 'seal') await migrations.sealOldest(outcome.rows);
    }
  }

  async function prepareDeleting({ runId, signal }: StageContext): Promise<void> {
    const run = await reads.run('archiveStageRun', runId);
    await proveReferences({ reads, signal }, run, { rawRows: false });
  }

  async function verify(work: StageWork): Promise<void> {
    stopPoint('archive_verifying');
    const run = await inspectArchive(work, 'verifying_archive');
    await proveReferences(work, run, { rawRows: false });
    await work.writes.run('markVerified', { runId: work.runId }, BACKGROUND);
    stopPoint('verified_committed');
  }

  async function run(stage: ArchiveStage, context: StageContext): Promise<void> {
    const files = startArchiveFiles({ databasePath: deps.databasePath, directory: deps.directory.path() });
    const work: DeletingWork = {
      runId: context.runId,
      signal: context.signal,
      progress: context.progress,
      reads,
      writes: deps.writes,
      files,
      withoutExports: deps.withoutExports,
      now: deps.now,
      segmentLimits: deps.segmentLimits ?? SEGMENT_LIMITS,
    };
    threads.add(files);
    try {
      await WORKS[stage](work);
    } finally {
      threads.delete(files);
      await files.close();
    }
  }

  const WORKS: Readonly<Record<ArchiveStage, (work: DeletingWork) => Promise<void>>> = {
    archiving: archive,
    verifying: verify,
    deleting: deleteArchived,
  };

  return {
    async prepare(stage, context) {
      if (stage === 'archiving') await prepareArchiving(context);
      if (stage === 'deleting') await prepareDeleting(context);
    },
    run,
    async removeTemporary(runId) {
      const directory = await existing(deps.directory, runId);
      await directory?.removeTemporary();
    },
    async close() {
      await Promise.all([...threads].map((files) => files.close()));
    },
  };
}

/** Null when the run has no directory yet. */
async function existing(archives: PrivateDirectory, runId: string): Promise<PrivateDirectory | null> {
  const entries = await archives.list();
  return entries.some(({ name }) => name === runId) ? archives.subdirectory(runId, { create: false }) : null;
}
