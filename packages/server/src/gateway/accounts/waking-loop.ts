import { createLoop, type Loop, messageOf, type Pause } from '../../platform/loop.ts';

export type { Pause };

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
  /** Replaced in tests. */
  readonly wait?: Pause | undefined;
}

export type WakingLoop = Pick<Loop, 'start' | 'wake' | 'stop'>;

const MIN_REST_MS = 100;

/** Work that goes on for as long as the manager runs: looks at once, when it is woken, and from time to time. */
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
