import { setTimeout as wait } from 'node:timers/promises';
import { codeOf } from '../../sqlite/worker/errors.ts';
import { CACHE_ACCOUNTING, RESPONSE_METADATA } from './state.ts';
import type { StepOutcome } from './step.ts';

export interface DataMigrationDeps {
  /** The next step of a job, in the writer; everything else overtakes it. */
  readonly step: (name: string) => Promise<StepOutcome>;
  /** Seals the oldest facts of the tail; false = the tail was another one by then. */
  readonly sealOldest: (rows: number) => Promise<boolean>;
  /** After stored events are counted as they are today: what waited for that goes on. */
  readonly onAccountingCompleted: () => void;
  readonly log: DataMigrationLog;
  /** Pauses; replaced in tests. Rejects once the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface DataMigrationLog {
  info(message: string): void;
  warn(message: string): void;
}

/** Changes stored rows of earlier versions in the background, beside everything else. */
export interface DataMigrations {
  start(): void;
  /** Waits for the step that runs. What is left is done after the next start. */
  stop(): Promise<void>;
}

interface Job {
  readonly name: string;
  /** For the log. */
  readonly title: string;
  /** Between two steps, so that the disk is free for events. */
  readonly pauseMs: number;
}

const JOBS: readonly Job[] = [
  { name: CACHE_ACCOUNTING, title: 'cache accounting of stored events', pauseMs: 200 },
  { name: RESPONSE_METADATA, title: 'response metadata of stored events', pauseMs: 100 },
];
const RETRY_MS = 5_000;

/** One job after the other, to its end; a step that fails is tried again. */
export function createDataMigrations(deps: DataMigrationDeps): DataMigrations {
  const pause = deps.wait ?? ((ms, signal) => wait(ms, undefined, { signal, ref: false }));
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | null = null;

  async function runAll(): Promise<void> {
    for (const job of JOBS) {
      if (signal.aborted || !(await runJob(job))) return;
      if (job.name === CACHE_ACCOUNTING) deps.onAccountingCompleted();
    }
  }

  /** False when it was told to stop. */
  async function runJob(job: Job): Promise<boolean> {
    let lastError = '';
    for (;;) {
      const outcome = await attempt(job);
      if (outcome.kind === 'done') return true;
      if (outcome.kind === 'step') tell(job, outcome);
      // The same failure every five seconds is one failure.
      if (outcome.kind === 'failed' && outcome.error !== lastError && !signal.aborted) {
        deps.log.warn(`${job.title}: ${outcome.error}; it is tried again`);
        lastError = outcome.error;
      }
      if (!(await rested(outcome.kind === 'failed' ? RETRY_MS : job.pauseMs))) return false;
    }
  }

  async function attempt(job: Job): Promise<StepOutcome> {
    try {
      const outcome = await deps.step(job.name);
      if (outcome.kind === 'seal') await deps.sealOldest(outcome.rows);
      return outcome;
    } catch (error) {
      if (codeOf(error) === 'WORKER_CLOSED') stopping.abort();
      return { kind: 'failed', error: error instanceof Error ? error.message : 'unknown error' };
    }
  }

  function tell(job: Job, { isFirst, state }: Extract<StepOutcome, { kind: 'step' }>): void {
    if (isFirst) deps.log.info(`${job.title}: written by an earlier version, they are looked through`);
    if (state.status === 'completed') {
      deps.log.info(`${job.title}: ${state.changedRows} changed of ${state.processedRows} looked through`);
    }
  }

  async function rested(ms: number): Promise<boolean> {
    try {
      await pause(ms, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return !signal.aborted;
  }

  return {
    start() {
      running ??= runAll();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
