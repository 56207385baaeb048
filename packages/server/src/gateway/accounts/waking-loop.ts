import { messageOf } from '../../platform/logging/error-text.ts';
import { createLoop, type Loop, type Pause } from '../../platform/loop.ts';

export type { Pause };

export interface WakingLoopDeps {
  /** Prefix of every log line. */
  readonly name: string;
  /**
   * Processes everything that is due; returns the ms until the next work is due, null when none is. After an abort it ends with
   * the current change.
   */
  readonly pass: (stopping: AbortSignal) => Promise<number | null>;
  /** Longest pause between two passes, because the clock may be set. */
  readonly tickMs: number;
  readonly log: { warn(message: string): void };
  /** Replaced in tests. */
  readonly wait?: Pause | undefined;
}

export type WakingLoop = Pick<Loop, 'start' | 'wake' | 'stop'>;

const MIN_REST_MS = 100;

/** Work for the life of the manager: runs at once, when woken, and regularly. */
export function createWakingLoop({ name, pass, tickMs, log, wait }: WakingLoopDeps): WakingLoop {
  const loop = createLoop({
    async round() {
      return Math.min(tickMs, Math.max(MIN_REST_MS, (await pass(loop.stopping)) ?? tickMs));
    },
    failed(error, count) {
      if (count === 1) log.warn(`${name}: ${messageOf(error)}; retrying`);
      return tickMs;
    },
    wait,
  });
  return loop;
}
