import { messageOf } from '../../platform/logging/error-text.ts';
import { createLoop, type Loop, type Pause } from '../../platform/loop.ts';
import { CACHE_ACCOUNTING, RECEIVED_TIMES, RESPONSE_METADATA, STORED_EVENT_RULES } from './state.ts';
import type { StepOutcome } from './step.ts';

export interface DataMigrationDeps {
  /** Runs the next step of a job in the writer, at the lowest priority. */
  readonly step: (name: string) => Promise<StepOutcome>;
  /** Seals the oldest facts of the tail; false = the tail has changed. */
  readonly sealOldest: (rows: number) => Promise<boolean>;
  /** Called when stored events have the current accounting: work that waits for it continues. */
  readonly onAccountingCompleted: () => void;
  readonly log: DataMigrationLog;
  /** Replaced in tests. */
  readonly wait?: Pause | undefined;
}

export interface DataMigrationLog {
  info(message: string): void;
  warn(message: string): void;
}

interface Job {
  readonly name: string;
  /** For the log. */
  readonly title: string;
  readonly begins: string;
  /** Pause between two steps, so that the disk is free for events. */
  readonly pauseMs: number;
}

const EARLIER = 'checking events of an earlier version';
const RECEIVED: Job = {
  name: RECEIVED_TIMES,
  title: 'received times of stored events',
  begins: 'checking events that arrived while the clock of the manager was behind',
  pauseMs: 100,
};
const JOBS: readonly Job[] = [
  { name: CACHE_ACCOUNTING, title: 'cache accounting of stored events', begins: EARLIER, pauseMs: 200 },
  { name: RESPONSE_METADATA, title: 'response metadata of stored events', begins: EARLIER, pauseMs: 100 },
  { name: STORED_EVENT_RULES, title: 'counts and sources of stored events', begins: EARLIER, pauseMs: 100 },
  RECEIVED,
];
const RETRY_MS = 5_000;

export interface DataMigrations extends Pick<Loop, 'start' | 'stop'> {
  /** The correction of received times was requested. */
  correctReceivedTimes(): void;
}

/**
 * Changes stored rows in the background, most of them those of earlier versions: one job after the other, to its end; a failed
 * step is retried. Unfinished jobs continue after the next start.
 */
export function createDataMigrations(deps: DataMigrationDeps): DataMigrations {
  const left = [...JOBS];
  const loop = createLoop({
    async round() {
      for (let job = left[0]; job !== undefined; job = left[0]) {
        const outcome = await deps.step(job.name);
        if (outcome.kind === 'failed') throw new Error(outcome.error);
        if (outcome.kind === 'seal') await deps.sealOldest(outcome.rows);
        if (outcome.kind === 'step') logStep(job, outcome);
        if (outcome.kind !== 'done') return job.pauseMs;
        left.shift();
        if (job.name === CACHE_ACCOUNTING) deps.onAccountingCompleted();
      }
      return null;
    },
    failed(error, count) {
      if (count === 1) deps.log.warn(`${left[0]?.title}: ${messageOf(error)}; retrying`);
      return RETRY_MS;
    },
    wait: deps.wait,
  });
  return {
    start: loop.start,
    stop: loop.stop,
    correctReceivedTimes() {
      left.push(RECEIVED);
      loop.wake();
    },
  };

  function logStep(job: Job, { isFirst, state }: Extract<StepOutcome, { kind: 'step' }>): void {
    if (isFirst) deps.log.info(`${job.title}: ${job.begins}`);
    if (state.status === 'completed') {
      deps.log.info(`${job.title}: changed ${state.changedRows} of ${state.processedRows} events`);
    }
  }
}
