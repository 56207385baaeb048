import { AppError } from '@manager/core/contract/errors';
import { type InspectionConfig, inspectionToWire } from '@manager/core/contract/inspection/config';
import { GatewayError } from '../../gateway/errors.ts';
import { stopPoint } from '../../platform/stop-point.ts';
import { codeOf } from '../../sqlite/worker/errors.ts';
import { createJournal } from './journal.ts';
import type { InspectionStore, InspectionWork, WorkingRun } from './ports.ts';
import { runActive } from './queries/begin-run.ts';
import { type RunEnd, shortfall } from './run-end.ts';
import type { StoredRun } from './run-row.ts';
import type { InspectionWrites } from './store.ts';

export interface InspectionRunnerDeps {
  readonly writer: InspectionWrites;
  readonly store: InspectionStore;
  readonly work: InspectionWork;
  /** The settings in effect. */
  readonly settings: () => InspectionConfig;
  /** 32 lower-case hex digits that ascend with time. */
  readonly newId: () => string;
  readonly now: () => number;
  readonly log: InspectionLogger;
  /** Pauses; replaced in tests. */
  readonly wait?: (ms: number) => Promise<void>;
}

export interface InspectionLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The run that this process executes. */
export interface LiveRun {
  readonly runKey: string;
  /** Its last state is being written. */
  readonly finishing: boolean;
}

/**
 * Executes runs, one at a time, and blocks everything else during a batch of manual actions. The database decides the final
 * state of a run: a stored cancellation wins over everything that happens at the same time.
 */
export interface InspectionRunner {
  live(): LiveRun | null;
  busy(): boolean;
  /** Resolves once the run is not executed here. */
  left(runKey: string): Promise<void>;
  /** @throws AppError `inspection_active` while busy, `manager_stopping` once the manager stops. */
  startManual(): Promise<StoredRun>;
  /** Null when the schedule was disabled meanwhile, and when the key was used before. @throws as `startManual` */
  startScheduled(triggerKey: string): Promise<StoredRun | null>;
  /** @throws AppError `inspection_not_cancelable` unless the run is executed here and not past its last write. */
  cancel(runKey: string): Promise<void>;
  /** Work that excludes runs and other such work. The signal aborts when the manager stops. @throws as `startManual` */
  exclusively<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Ends runs of a killed process. */
  recover(): Promise<void>;
  /** Starts nothing from now on; aborts running work. */
  close(): void;
  /** After `close`: waits for running work, at most 20 seconds; then an unfinished run is interrupted. */
  stop(): Promise<void>;
}

interface Task {
  readonly runKey: string;
  /** Null until it is stored. */
  runId: number | null;
  readonly aborted: AbortController;
  finishing: boolean;
  readonly left: PromiseWithResolvers<void>;
}

const STOP_MS = 20_000;
/** All tries of the last write of a run together. */
const FINISH_MS = 8_000;
const FINISH_TRIES = 3;
const FINISH_PAUSE_MS = 250;

export function createInspectionRunner(deps: InspectionRunnerDeps): InspectionRunner {
  const { writer, store, now, log } = deps;
  const wait = deps.wait ?? Bun.sleep;
  const stopping = new AbortController();
  let task: Task | null = null;
  let batches = 0;
  /** All running work, so that a stop can wait for it. */
  const going = new Set<Promise<unknown>>();

  function tracked<T>(work: Promise<T>): Promise<T> {
    const settled = work.then(
      () => {},
      () => {},
    );
    going.add(settled);
    void settled.then(() => going.delete(settled));
    return work;
  }

  function requireIdle(): void {
    if (stopping.signal.aborted) throw shuttingDown();
    if (task !== null || batches > 0) throw runActive();
  }

  async function begin(trigger: Pick<WorkingRun, 'triggerType' | 'triggerKey'>): Promise<StoredRun | null> {
    requireIdle();
    const settings = deps.settings();
    if (trigger.triggerType === 'scheduled' && !settings.enabled) return null;
    const current: Task = {
      runKey: deps.newId(),
      runId: null,
      aborted: new AbortController(),
      finishing: false,
      left: Promise.withResolvers(),
    };
    // Set before the first await: two concurrent starts must not both succeed.
    task = current;
    let run: StoredRun | null = null;
    try {
      run = await writer.run('beginInspectionRun', {
        key: current.runKey,
        ...trigger,
        settings: inspectionToWire(settings),
        nowMs: now(),
      });
    } finally {
      if (run === null) task = null;
    }
    if (run === null) return null;
    current.runId = run.id;
    stopPoint('inspection_run_begun');
    if (stopping.signal.aborted) {
      await finish(current, { kind: 'unstarted', error: '' });
      throw shuttingDown();
    }
    void tracked(execute(current, { id: run.id, key: run.key, ...trigger, startedAtMs: run.startedAtMs }, settings));
    return run;
  }

  async function execute(current: Task, run: WorkingRun, settings: InspectionConfig): Promise<void> {
    const { signal } = current.aborted;
    const journal = createJournal({ runKey: run.key, writer, now });
    journal.log('info', 'run_started', {
      triggerType: run.triggerType,
      triggerKey: run.triggerKey,
      targetTypes: settings.targetTypes,
    });
    const end = await ended(run, settings, signal, journal);
    current.finishing = true;
    await journal.close();
    stopPoint('inspection_run_ended');
    await finish(current, end);
    await prune();
  }

  async function ended(
    run: WorkingRun,
    settings: InspectionConfig,
    signal: AbortSignal,
    journal: ReturnType<typeof createJournal>,
  ): Promise<RunEnd> {
    try {
      const report = await deps.work.run({ run, settings, signal, journal, store });
      const error = shortfall({
        failedActions: report.actions.failed,
        failedWrites: report.resultWriteFailedCount,
      });
      return { kind: 'completed', report, error };
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped', error: '' };
      if (error instanceof AppError || error instanceof GatewayError) return { kind: 'failed', error: error.message };
      log.error({ err: error, runId: run.id }, 'an inspection failed');
      return { kind: 'failed', error: 'unexpected failure; see the manager log' };
    }
  }

  /** The last write. When it fails the row is left to `recover`, as if this process had been killed. */
  async function finish(current: Task, end: RunEnd): Promise<void> {
    const { runKey, runId } = current;
    current.finishing = true;
    const deadline = AbortSignal.timeout(FINISH_MS);
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          await writer.run('finishInspectionRun', { runKey, end, nowMs: now() }, { signal: deadline });
          stopPoint('inspection_run_finished');
          return;
        } catch (error) {
          // After a stop that did not wait, which has written the end of the run itself.
          if (codeOf(error) === 'WORKER_CLOSED') return;
          if (attempt === FINISH_TRIES || deadline.aborted) {
            log.error({ err: error, runId }, 'the end of an inspection cannot be stored');
            return;
          }
          await wait(FINISH_PAUSE_MS);
        }
      }
    } finally {
      if (task === current) task = null;
      current.left.resolve();
    }
  }

  async function prune(): Promise<void> {
    try {
      while (!stopping.signal.aborted) {
        if (!(await writer.run('pruneInspectionRuns', now(), { priority: 'background' }))) return;
      }
    } catch (error) {
      if (codeOf(error) !== 'WORKER_CLOSED') log.warn({ err: error }, 'old inspections cannot be deleted');
    }
  }

  return {
    live: () => (task === null ? null : { runKey: task.runKey, finishing: task.finishing }),
    busy: () => task !== null || batches > 0,
    left: (runKey) => (task?.runKey === runKey ? task.left.promise : Promise.resolve()),
    async startManual() {
      const run = await tracked(begin({ triggerType: 'manual', triggerKey: 'manual' }));
      if (run === null) throw runActive();
      return run;
    },
    startScheduled: (triggerKey) => tracked(begin({ triggerType: 'scheduled', triggerKey })),
    async cancel(runKey) {
      const current = task;
      if (stopping.signal.aborted) throw shuttingDown();
      if (current?.runKey !== runKey || current.finishing) throw notCancellable();
      if (!(await writer.run('cancelInspectionRun', { runKey, nowMs: now() }))) throw notCancellable();
      stopPoint('inspection_cancel_stored');
      current.aborted.abort(new Error('the inspection was canceled'));
    },
    async exclusively(work) {
      requireIdle();
      batches += 1;
      try {
        return await tracked(work(stopping.signal));
      } finally {
        batches -= 1;
      }
    },
    async recover() {
      const recovered = await writer.run('recoverInspectionRuns', { liveRunKey: task?.runKey ?? null, nowMs: now() });
      for (const runId of recovered) log.warn({ runId }, 'an unfinished inspection is marked as interrupted');
    },
    close() {
      stopping.abort(shuttingDown());
      task?.aborted.abort(shuttingDown());
    },
    async stop() {
      await Promise.race([settled(), wait(STOP_MS)]);
      const left = task;
      if (left === null) return;
      log.warn({ runId: left.runId }, 'an inspection did not end in time and is marked as interrupted');
      await finish(left, { kind: 'stopped', error: '' });
    },
  };

  async function settled(): Promise<void> {
    while (going.size > 0) await Promise.all(going);
  }
}

function shuttingDown(): AppError {
  return new AppError('manager_stopping');
}

function notCancellable(): AppError {
  return new AppError('inspection_not_cancelable');
}
