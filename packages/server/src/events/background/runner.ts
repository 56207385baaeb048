import { messageOf } from '../../platform/logging/error-text.ts';
import { createLoop, type Loop, type Pause } from '../../platform/loop.ts';
import { CACHE_ACCOUNTING, RESPONSE_METADATA, STORED_EVENT_RULES } from './state.ts';
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
  /** Pause between two steps, so that the disk is free for events. */
  readonly pauseMs: number;
}

const JOBS: readonly Job[] = [
  { name: CACHE_ACCOUNTING, title: 'cache accounting of stored events', pauseMs: 200 },
  { name: RESPONSE_METADATA, title: 'response metadata of stored events', pauseMs: 100 },
  { name: STORED_EVENT_RULES, title: 'counts and sources of stored events', pauseMs: 100 },
];
const RETRY_MS = 5_000;

/**
 * Changes stored rows of earlier versions in the background: one job after the other, to its end; a failed step is
 * retried. Unfinished jobs continue after the next start.
 */
export function createDataMigrations(deps: DataMigrationDeps): Pick<Loop, 'start' | 'stop'> {
  const left = [...JOBS];
  return createLoop({
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

  function logStep(job: Job, { isFirst, state }: Extract<StepOutcome, { kind: 'step' }>): void {
    if (isFirst) deps.log.info(`${job.title}: checking events of an earlier version`);
    if (state.status === 'completed') {
      deps.log.info(`${job.title}: changed ${state.changedRows} of ${state.processedRows} events`);
    }
  }
}
