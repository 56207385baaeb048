import { AppError } from '@manager/core/contract/errors';
import { messageOf } from '../../platform/logging/error-text.ts';
import { createLoop, type Pause } from '../../platform/loop.ts';
import { stopPoint } from '../../platform/stop-point.ts';
import { codeOf } from '../../sqlite/worker/errors.ts';
import { createProgressWriter } from './progress.ts';
import type { ArchiveJob } from './queries/read-runs.ts';
import { releaseCancelled } from './release.ts';
import type { ArchiveStage, ArchiveStages, StageContext } from './stages/stage.ts';
import type { ArchiveReads, ArchiveWrites } from './store.ts';

export interface RunnerDeps {
  readonly reader: ArchiveReads;
  readonly writer: ArchiveWrites;
  /** @throws usage_archive_unavailable without an archive directory */
  readonly stages: () => Promise<ArchiveStages>;
  /** ms of a clock that nobody sets. */
  readonly elapsed: () => number;
  readonly log: RunnerLog;
  /** The hourly rollup is enabled, so that an automatic run may delete. */
  readonly deleteEnabled: boolean;
  /** Rows were deleted: there is free space in the database. */
  readonly onDeleted?: () => void;
  /** Replaced in tests. */
  readonly wait?: Pause | undefined;
}

export interface RunnerLog {
  info(message: string): void;
  warn(message: string): void;
}

/**
 * Runs the requested stages, one at a time. Requests are stored in the database: unfinished ones continue after a restart.
 */
export interface ArchiveRunner {
  start(): void;
  stopped(): boolean;
  /**
   * A stage was requested. `again`: it is retried when its conditions are not met yet. Resolves when the next attempt
   * succeeded, rejects with its error.
   */
  submitted(runId: string, stage: ArchiveStage, again: boolean): Promise<void>;
  /** Keeps the run out of any stage while `work` runs, then notifies waiting callers that it is canceled. */
  cancelling(runId: string, work: () => Promise<void>): Promise<void>;
  /** Ends the stage at its next safe point. */
  stop(): Promise<void>;
}

const SCAN_MS = 5_000;
/** Separate limit for recording a failure: the failed work may have used up its own. */
const RECORD_MS = 5_000;
/** After a failure that could not be recorded (the disk is full) there is a pause before the retry. */
const UNRECORDED_PAUSE_MS = 60_000;

export function createArchiveRunner(deps: RunnerDeps): ArchiveRunner {
  const { reader, writer, log, deleteEnabled } = deps;
  const loop = createLoop({
    async round() {
      await scanAll();
      return SCAN_MS;
    },
    failed: () => SCAN_MS,
    wait: deps.wait,
  });
  const waiters = new Map<string, PromiseWithResolvers<void>[]>();
  /**
   * Stages that a caller waits for: the caller gets the failure and may request it again. All others are retried automatically.
   */
  const onceOnly = new Set<string>();
  /** In ms of `elapsed`. */
  const notBefore = new Map<string, number>();
  /** Why a stage that is retried cannot be entered: the same reason is not logged again. */
  const refusals = new Map<string, unknown>();
  const cancels = new Map<string, Promise<void>>();
  let recovered = false;

  async function scanAll(): Promise<void> {
    if (!recovered) {
      recovered = await attempted('unfinished stages', () => writer.run('recoverArchiveRuns', { deleteEnabled }));
      if (!recovered) return;
      await attempted('references of canceled runs', () => releaseCancelled(reader, writer, loop.stopping));
    }
    await attempted('pending stages', scan);
  }

  async function scan(): Promise<void> {
    const waiting = [...waiters.keys()];
    const jobs = await reader.run('archiveJobs', null);
    for (const job of jobs) {
      if (loop.stopping.aborted) return;
      if ((notBefore.get(keyOf(job)) ?? 0) <= deps.elapsed()) await execute(job);
    }
    // Requested while the same stage was about to end: nothing else would notify the caller.
    const known = new Set(jobs.map(keyOf));
    for (const key of waiting) if (!known.has(key)) settle(key, null);
  }

  async function execute(job: ArchiveJob): Promise<void> {
    const { runId, stage } = job;
    const key = keyOf(job);
    notBefore.delete(key);
    if (job.satisfied) {
      await writer.run('finishArchiveRequest', { runId, stage, deleteEnabled });
      settle(key, null);
      loop.wake();
      if (stage === 'deleting') deps.onDeleted?.();
      return;
    }
    const outcome = await attempt(job);
    if (outcome === null) {
      onceOnly.delete(key);
      stopPoint('archive_request_satisfied');
      await attempted('a request that is done', () =>
        writer.run('finishArchiveRequest', { runId, stage, deleteEnabled }),
      );
      // An automatic run has requested its next stage.
      loop.wake();
      if (stage === 'deleting') deps.onDeleted?.();
    }
    settle(key, outcome);
  }

  /** The error of the stage, null on success. The next step is then in the database. */
  async function attempt(job: ArchiveJob): Promise<unknown> {
    const { runId, stage } = job;
    const context: StageContext = {
      runId,
      signal: loop.stopping,
      progress: createProgressWriter(
        (progress) => writer.run('writeArchiveProgress', { runId, stage, progress }),
        deps.elapsed,
      ),
    };
    let entered = false;
    try {
      const stages = await deps.stages();
      await cancels.get(runId);
      await stages.prepare(stage, context);
      await cancels.get(runId);
      stopPoint('archive_stage_requested');
      await writer.run('enterArchiveStage', { runId, stage });
      entered = true;
      refusals.delete(keyOf(job));
      stopPoint(`archive_${stage}_entered`);
      await stages.run(stage, context);
      return null;
    } catch (error) {
      // Stopped: the run keeps its stage, and the next start continues it.
      if (loop.stopping.aborted || codeOf(error) === 'WORKER_CLOSED') return new AppError('usage_archive_unavailable');
      return entered ? failed(job, error) : refused(job, error);
    }
  }

  /** The stage was not entered. */
  async function refused(job: ArchiveJob, error: unknown): Promise<unknown> {
    const key = keyOf(job);
    const code = codeOf(error);
    const pointless = code === 'usage_archive_invalid_state' || code === 'usage_archive_not_found';
    // A run in a stage holds the lock, so its request must be kept.
    const again = !pointless && (job.entered || !onceOnly.has(key));
    const reason = `archive ${job.runId}: ${job.stage} cannot start: ${messageOf(error)}`;
    if (again) {
      notBefore.set(key, deps.elapsed() + SCAN_MS);
      if (refusals.get(key) !== code) {
        refusals.set(key, code);
        log.warn(`${reason}; retrying`);
        const { runId, stage } = job;
        await attempted('why a stage cannot start', () =>
          writer.run('noteArchiveRefusal', { runId, stage, error: messageOf(error) }),
        );
      }
    } else {
      onceOnly.delete(key);
      refusals.delete(key);
      await attempted('a request that cannot be met', () =>
        writer.run('clearArchiveRequest', { runId: job.runId, stage: job.stage }),
      );
      if (!(error instanceof AppError)) log.warn(reason);
    }
    return error;
  }

  async function failed(job: ArchiveJob, error: unknown): Promise<unknown> {
    const { runId, stage } = job;
    const key = keyOf(job);
    log.warn(`archive ${runId}: ${stage} failed: ${messageOf(error)}`);
    const again = codeOf(error) === 'usage_archive_coverage_incomplete' && !onceOnly.has(key);
    onceOnly.delete(key);
    stopPoint('archive_failure_unrecorded');
    try {
      const recorded = await within(
        writer.run('failArchiveStage', { runId, stage, error: messageOf(error), again }),
        RECORD_MS,
      );
      stopPoint('archive_failure_recorded');
      if (again) notBefore.set(key, deps.elapsed() + SCAN_MS);
      // The run had left the stage: it succeeded, or it was canceled.
      if (!recorded) return await afterwards(job, error);
    } catch (cause) {
      log.warn(`archive ${runId}: the failure cannot be stored: ${messageOf(cause)}; the stage continues later`);
      notBefore.set(key, deps.elapsed() + UNRECORDED_PAUSE_MS);
    }
    return error;
  }

  async function afterwards({ runId, stage }: ArchiveJob, error: unknown): Promise<unknown> {
    const jobs = await reader.run('archiveJobs', null);
    const left = jobs.find((job) => job.runId === runId && job.stage === stage);
    return left?.satisfied === true ? null : error;
  }

  function settle(key: string, error: unknown): void {
    const all = waiters.get(key) ?? [];
    waiters.delete(key);
    for (const waiter of all) {
      if (error === null) waiter.resolve();
      else waiter.reject(error);
    }
  }

  /** False when it failed, which is logged: the next round retries. */
  async function attempted(what: string, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (codeOf(error) !== 'WORKER_CLOSED') log.warn(`archives: ${what}: ${messageOf(error)}`);
      return false;
    }
  }

  return {
    start: loop.start,
    stopped: () => loop.stopping.aborted,
    submitted(runId, stage, again) {
      const key = keyOf({ runId, stage });
      if (loop.stopping.aborted) return Promise.reject(new AppError('usage_archive_unavailable'));
      if (again) onceOnly.delete(key);
      // A stage that waits for a retry keeps its retries.
      else if (!notBefore.has(key)) onceOnly.add(key);
      notBefore.delete(key);
      const waiter = Promise.withResolvers<void>();
      // Callers of background work do not wait.
      waiter.promise.catch(() => {});
      waiters.set(key, [...(waiters.get(key) ?? []), waiter]);
      loop.wake();
      return waiter.promise;
    },
    async cancelling(runId, work) {
      const done = work();
      const held = done.catch(() => {}).finally(() => cancels.delete(runId));
      cancels.set(runId, held);
      await done;
      for (const key of [...waiters.keys()]) {
        if (key.startsWith(`${runId}:`)) settle(key, new AppError('usage_archive_invalid_state'));
      }
    },
    async stop() {
      await loop.stop(new AppError('usage_archive_unavailable'));
      for (const key of [...waiters.keys()]) settle(key, new AppError('usage_archive_unavailable'));
    },
  };
}

function keyOf({ runId, stage }: { readonly runId: string; readonly stage: ArchiveStage }): string {
  return `${runId}:${stage}`;
}

function within<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`it took longer than ${ms} ms`)), ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
