import { createErrorLog } from '../platform/logging/error-log.ts';
import { databaseProblem } from './database-problem.ts';
import { codeOf } from './worker/errors.ts';

export interface UpkeepLog {
  info(message: string): void;
  error(message: string): void;
}

export interface UpkeepDeps {
  /** Description for the log: "sealing facts". */
  readonly title: string;
  /** Does all due work; rejects on failure. */
  readonly work: () => Promise<void>;
  readonly now: () => number;
  readonly log: UpkeepLog;
}

export interface UpkeepFailure {
  /** The problem and what to do. */
  readonly error: string;
  readonly sinceMs: number;
  readonly tries: number;
  readonly nextTryAtMs: number;
}

/**
 * Background work that nobody waits for. After a failure, above all a full disk, it is retried automatically, after 1 s, then
 * with doubled delays up to 30 s; meanwhile `failure` reports it.
 */
export interface Upkeep {
  /** Does the work, unless it is running or paused after a failure. Never rejects. */
  request(): Promise<void>;
  /** Retries failed work after its pause; called once a second. */
  tick(): void;
  failure(): UpkeepFailure | null;
  /** Resolves when no work is running. */
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

  function isPaused(): boolean {
    const nowMs = now();
    // A clock that was set back must not extend the pause.
    return failure !== null && nowMs >= restingSinceMs && nowMs < failure.nextTryAtMs;
  }

  function request(): Promise<void> {
    if (running === null && isPaused()) return Promise.resolve();
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
