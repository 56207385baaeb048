import type {
  ArchiveListResponse,
  ArchiveMode,
  ArchivePreview,
  ArchiveRunResponse,
} from '@manager/core/contract/archives/runs';
import { AppError } from '@manager/core/contract/errors';
import { stopPoint } from '../../platform/stop-point.ts';
import type { ArchiveHome } from './home.ts';
import type { HeldEvents } from './queries/cancel-run.ts';
import type { EligibleEvents } from './queries/eligible-events.ts';
import type { ListRunsArgs } from './queries/read-runs.ts';
import { releaseCancelled } from './release.ts';
import { type CreateOptions, writeCursor } from './request.ts';
import type { ArchiveRunner } from './runner.ts';
import type { StageRequest } from './states.ts';
import type { ArchiveReads, ArchiveWrites } from './store.ts';

export interface ArchiveServiceDeps {
  readonly reader: ArchiveReads;
  readonly writer: ArchiveWrites;
  readonly runner: ArchiveRunner;
  readonly home: ArchiveHome;
  /** 32 lower-case hex digits that ascend with time. */
  readonly newId: () => string;
  /** The hourly rollup is enabled, so that raw events may be deleted. */
  readonly deleteEnabled: boolean;
}

export interface ActionRequest extends StageRequest {
  readonly runId: string;
  /** Whether the caller waits for the end of the stage. */
  readonly wait: boolean;
  /** Only while the run is of this mode, else usage_archive_invalid_state. */
  readonly ofMode?: ArchiveMode;
}

export interface ActionAnswer extends ArchiveRunResponse {
  /** The stage is active or queued. */
  readonly queued: boolean;
}

export interface ArchiveService {
  /** @throws usage_archive_unavailable without archive directory, or while the manager stops. */
  requireAvailable(): Promise<void>;
  preview(cutoffMs: number): Promise<ArchivePreview>;
  create(mode: ArchiveMode, cutoffMs: number, options?: CreateOptions): Promise<ArchiveRunResponse>;
  list(query: ListRunsArgs): Promise<ArchiveListResponse>;
  get(runId: string): Promise<ArchiveRunResponse>;
  act(request: ActionRequest): Promise<ActionAnswer>;
  cancel(runId: string): Promise<ArchiveRunResponse>;
  /**
   * An automatic run starts no further stage.
   *
   * @throws usage_archive_cancel_unsafe once rows are deleted, usage_archive_invalid_state for a run that is not automatic
   */
  hold(runId: string): Promise<ArchiveRunResponse>;
}

const STEP_BY_STEP: CreateOptions = { automatic: false, expectedCount: null };

/** Counts by a reader before the writer counts, which blocks changes. */
const COUNTS_BESIDE_WRITER = 3;
/** Counting reads the time index of all events: some seconds for tens of millions. */
const COUNT_DEADLINE_MS = 300_000;

export function createArchiveService(deps: ArchiveServiceDeps): ArchiveService {
  const { reader, writer, runner, home } = deps;

  function count(cutoffMs: number): Promise<EligibleEvents> {
    return reader.run('eligibleEvents', cutoffMs, { deadlineMs: COUNT_DEADLINE_MS });
  }

  async function get(runId: string): Promise<ArchiveRunResponse> {
    const found = await reader.run('archiveRun', runId);
    if (found === null) throw new AppError('usage_archive_not_found');
    return found;
  }

  /** The number of events of the run, and how many of them exist. */
  async function held(runId: string): Promise<{ readonly references: number; readonly stored: number }> {
    let references = 0;
    let stored = 0;
    for (let afterId: number | null = 0; afterId !== null; ) {
      const page: HeldEvents = await reader.run('heldEvents', { runId, afterId });
      references += page.references;
      stored += page.stored;
      afterId = page.lastId;
    }
    return { references, stored };
  }

  return {
    get,
    async requireAvailable() {
      if (runner.stopped()) throw new AppError('usage_archive_unavailable');
      await home.requireAvailable();
    },
    async preview(cutoffMs) {
      await releaseCancelled(reader, writer);
      const [eligible, ratio] = await Promise.all([count(cutoffMs), reader.run('archiveRatio', null)]);
      return {
        cutoff_timestamp_ms: cutoffMs,
        target_event_id: eligible.targetEventId,
        event_count: eligible.count,
        estimated_bytes: eligible.estimatedBytes,
        ...(ratio === null || eligible.count === 0
          ? {}
          : { estimated_file_bytes: Math.round(eligible.estimatedBytes * ratio) }),
        ...(eligible.count === 0
          ? {}
          : { min_timestamp_ms: eligible.minTimestampMs, max_timestamp_ms: eligible.maxTimestampMs }),
      };
    },
    async create(mode, cutoffMs, { automatic, expectedCount } = STEP_BY_STEP) {
      if (automatic && !deps.deleteEnabled) throw new AppError('usage_archive_delete_unavailable');
      const id = deps.newId();
      for (let attempt = 0; ; attempt += 1) {
        await releaseCancelled(reader, writer);
        const eligible = attempt < COUNTS_BESIDE_WRITER ? await count(cutoffMs) : null;
        if (await writer.run('createArchiveRun', { id, mode, cutoffMs, eligible, automatic, expectedCount })) break;
      }
      stopPoint('archive_run_created');
      // Nobody waits for it, so it is tried again until its conditions are met.
      if (automatic) void runner.submitted(id, 'archiving', true).catch(() => {});
      return get(id);
    },
    async list(query) {
      const { hasMore, ...listed } = await reader.run('listArchiveRuns', query);
      const last = listed.runs.at(-1);
      return { ...listed, ...(hasMore && last !== undefined ? { next_cursor: writeCursor(last) } : {}) };
    },
    async act({ runId, action, expectedStage, wait, ofMode }) {
      const { deleteEnabled } = deps;
      const stage = await writer.run('requestArchiveStage', { runId, action, expectedStage, deleteEnabled, ofMode });
      if (stage === null) return { ...(await get(runId)), queued: false };
      const ended = runner.submitted(runId, stage, !wait);
      if (!wait) return { ...(await get(runId)), queued: true };
      try {
        await ended;
      } catch (cause) {
        throw cause instanceof AppError ? cause : stageFailed(cause);
      }
      stopPoint('archive_answer');
      const now = await get(runId);
      if (now.run.status === 'failed') throw stageFailed(undefined);
      return { ...now, queued: false };
    },
    async hold(runId) {
      await writer.run('holdArchiveRun', runId);
      return get(runId);
    },
    async cancel(runId) {
      await runner.cancelling(runId, async () => {
        if ((await writer.run('checkArchiveCancel', runId)) === 'may be cancelled') {
          await removeTemporary(home, runId);
          stopPoint('archive_cancel_cleaned');
        }
        await writer.run('cancelArchiveRun', { runId, ...(await held(runId)) });
      });
      stopPoint('archive_cancel_committed');
      // It is canceled, whatever the result: the rest is removed before the next count.
      await releaseCancelled(reader, writer).catch(() => {});
      stopPoint('archive_cancelled');
      return get(runId);
    },
  };
}

async function removeTemporary(home: ArchiveHome, runId: string): Promise<void> {
  const stages = await home.stages();
  try {
    await stages.removeTemporary(runId);
  } catch (cause) {
    throw new AppError('usage_archive_cancel_cleanup_failed', { cause });
  }
}

/** The runner has logged the cause. */
function stageFailed(cause: unknown): AppError {
  return new AppError('archive_stage_failed', { cause });
}
