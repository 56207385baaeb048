import { createErrorLog } from '../platform/logging/error-log.ts';
import { databaseProblem } from './database-problem.ts';
import { codeOf } from './worker/errors.ts';

export interface UpkeepLog {
  info(message: string): void;
  error(message: string): void;
}

export interface UpkeepDeps {
  /** What is done, for the log: "sealing facts". */
  readonly title: string;
  /** Does all there is to do; rejects when it cannot. */
  readonly work: () => Promise<void>;
  readonly now: () => number;
  readonly log: UpkeepLog;
}

export interface UpkeepFailure {
  /** What is wrong and what to do about it. */
  readonly error: string;
  readonly sinceMs: number;
  readonly tries: number;
  readonly nextTryAtMs: number;
}

/**
 * Work that nobody waits for. When it fails, of a full disk above all, it is tried again by itself, after 1 s, then after twice as
 * long each time up to 30 s; meanwhile `failure` says so.
 */
export interface Upkeep {
  /** Does the work, unless it is being done or rests after a failure. Never rejects. */
  request(): Promise<void>;
  /** Tries again what failed, once it has rested; called once a second. */
  tick(): void;
  failure(): UpkeepFailure | null;
  /** Resolves when nothing is being done. */
  idle(): Promise<void>;
}

const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 30_000;

export function createUpkeep({ title, work, now, log }: UpkeepDeps): Upkeep {
  const errors = createErrorLog(log, now);
  let failure: UpkeepFailure | null = null;
  let restingSinceMs = 0;
  let running: Promise<void> | null = null;

  async function attempt(): Promise<void> {
    try {
      await work();
      failure = null;
      errors.recovered(`${title} works again`);
    } catch (error) {
      if (codeOf(error) !== 'WORKER_CLOSED') failed(error);
    } finally {
      running = null;
    }
  }

  function failed(error: unknown): void {
    const problem = databaseProblem(error);
    const tries = (failure?.tries ?? 0) + 1;
    restingSinceMs = now();
    const restMs = Math.min(FIRST_REST_MS * 2 ** (tries - 1), LONGEST_REST_MS);
    failure = {
      error: problem,
      sinceMs: failure?.sinceMs ?? restingSinceMs,
      tries,
      nextTryAtMs: restingSinceMs + restMs,
    };
    errors.report(`${title} failed: ${problem}; retrying`);
  }

  function rests(): boolean {
    const nowMs = now();
    // A clock that was set back must not make the rest longer.
    return failure !== null && nowMs >= restingSinceMs && nowMs < failure.nextTryAtMs;
  }

  function request(): Promise<void> {
    if (running === null && rests()) return Promise.resolve();
    running ??= attempt();
    return running;
  }

  return {
    request,
    tick() {
      if (failure !== null) void request();
    },
    failure: () => failure,
    idle: () => running ?? Promise.resolve(),
  };
}
