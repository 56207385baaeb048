import { setTimeout as waitFor } from 'node:timers/promises';
import { messageOf } from './logging/error-text.ts';

/** Resolves after `ms`; rejects once the signal is aborted. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export const pauseFor: Pause = (ms, signal) => waitFor(ms, undefined, { signal, ref: false });

export interface LoopDeps {
  /** Does the due work. Returns the ms until the next round, null = when the loop is woken. */
  readonly round: () => Promise<number | null>;
  /**
   * A round failed. Returns the ms until the next one.
   *
   * @param count consecutive rounds that failed with this error; log only the first
   */
  readonly failed: (error: unknown, count: number) => number;
  /** Before the first round. Default 0. */
  readonly firstRestMs?: number;
  /** A wake does not shorten the pause after a failure. */
  readonly restsInFull?: boolean;
  /** Replaced in tests. */
  readonly wait?: Pause | undefined;
}

/** Work that is repeated for the life of the manager. */
export interface Loop {
  /** The first round starts before it returns, unless there is a first pause. */
  start(): void;
  /** There may be work: ends the current pause; during a round, the next one follows at once. */
  wake(): void;
  /** Ends after the current round, which sees it by `stopping`. */
  stop(reason?: unknown): Promise<void>;
  readonly stopping: AbortSignal;
}

/** The workers of the database end before the process does; that is no failure. */
const WORKERS_END = 'WORKER_CLOSED';

export function createLoop({
  round,
  failed,
  firstRestMs = 0,
  restsInFull = false,
  wait: pause = pauseFor,
}: LoopDeps): Loop {
  const stopping = new AbortController();
  let woken = new AbortController();
  let running: Promise<void> | null = null;
  let lastFailure = '';
  let count = 0;

  async function run(): Promise<void> {
    if (firstRestMs > 0) await rest(firstRestMs, false);
    while (!stopping.signal.aborted) {
      woken = new AbortController();
      const { restMs, inFull } = await attempt();
      await rest(restMs, inFull);
    }
  }

  async function attempt(): Promise<{ readonly restMs: number | null; readonly inFull: boolean }> {
    try {
      const restMs = await round();
      lastFailure = '';
      return { restMs, inFull: false };
    } catch (error) {
      if (codeOf(error) === WORKERS_END) stopping.abort();
      return { restMs: stopping.signal.aborted ? 0 : failed(error, counted(error)), inFull: restsInFull };
    }
  }

  async function rest(ms: number | null, inFull: boolean): Promise<void> {
    const end = inFull ? stopping.signal : AbortSignal.any([stopping.signal, woken.signal]);
    if (end.aborted || ms === 0) return;
    try {
      await (ms === null ? aborted(end) : pause(ms, end));
    } catch (error) {
      if (!end.aborted) throw error;
    }
  }

  function counted(error: unknown): number {
    const failure = `${codeOf(error)}: ${messageOf(error)}`;
    count = failure === lastFailure ? count + 1 : 1;
    lastFailure = failure;
    return count;
  }

  return {
    stopping: stopping.signal,
    start() {
      running ??= run();
    },
    wake: () => woken.abort(),
    async stop(reason) {
      stopping.abort(reason);
      await running;
    },
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : '';
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
