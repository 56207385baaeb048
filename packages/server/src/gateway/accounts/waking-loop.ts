import { setTimeout as waitFor } from 'node:timers/promises';
import { codeOf } from '../../sqlite/worker/errors.ts';

export interface WakingLoopDeps {
  /** In front of every line of the log. */
  readonly name: string;
  /**
   * One look at everything that is due; gives the ms until the next thing is due, null when nothing is. The signal tells it
   * to end after the change in hand.
   */
  readonly pass: (stopping: AbortSignal) => Promise<number | null>;
  /** At most so long between two looks, because a clock may be set. */
  readonly tickMs: number;
  readonly log: { warn(message: string): void };
  /** Pauses; replaced in tests. Rejects once the signal is aborted. */
  readonly wait?: Pause | undefined;
}

export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/** Work that goes on for as long as the manager runs: looks at once, when it is woken, and from time to time. */
export interface WakingLoop {
  start(): void;
  /** There may be something to do. */
  wake(): void;
  /** Ends after the change in hand. */
  stop(): Promise<void>;
}

const MIN_REST_MS = 100;

export function createWakingLoop(deps: WakingLoopDeps): WakingLoop {
  const pause: Pause = deps.wait ?? ((ms, signal) => waitFor(ms, undefined, { signal, ref: false }));
  const stopping = new AbortController();
  let resting = new AbortController();
  let isWoken = false;
  let running: Promise<void> | null = null;
  let lastFailure = '';

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      isWoken = false;
      let restMs = deps.tickMs;
      try {
        restMs = Math.min(restMs, Math.max(MIN_REST_MS, (await deps.pass(stopping.signal)) ?? restMs));
        lastFailure = '';
      } catch (error) {
        tellOnce(error);
      }
      await rest(restMs);
    }
  }

  async function rest(ms: number): Promise<void> {
    if (isWoken || stopping.signal.aborted) return;
    resting = new AbortController();
    try {
      await pause(ms, AbortSignal.any([stopping.signal, resting.signal]));
    } catch (error) {
      if (!stopping.signal.aborted && !resting.signal.aborted) throw error;
    }
  }

  /** The same failure at every look is one failure. */
  function tellOnce(error: unknown): void {
    if (stopping.signal.aborted || codeOf(error) === 'WORKER_CLOSED') return;
    const failure = error instanceof Error ? error.message : 'unknown error';
    if (failure !== lastFailure) deps.log.warn(`${deps.name}: ${failure}; it is tried again`);
    lastFailure = failure;
  }

  return {
    start() {
      running ??= loop();
    },
    wake() {
      isWoken = true;
      resting.abort();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
