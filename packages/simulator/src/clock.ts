/** Time of the simulator: every deadline, retention and ban reads this clock, so that tests can move it. */
export interface Clock {
  now(): number;
  /** Runs once, `ms` later by this clock; returns a function that cancels it. */
  after(ms: number, action: () => void): () => void;
  /** Moves forward and runs due timers in order. */
  advance(ms: number): void;
  /** Drops all timers. */
  stop(): void;
}

/** Resolves `ms` later by the clock, or when the signal aborts. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const cancel = clock.after(ms, resolve);
    signal?.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
}

interface Timer {
  readonly dueMs: number;
  readonly action: () => void;
}

/** A `real` clock follows the machine's and can be moved ahead; a `controlled` one only moves by `advance`. */
export function createClock(kind: 'real' | 'controlled', startMs: number): Clock {
  const timers = new Set<Timer>();
  let movedMs = 0;
  let wakeUp: ReturnType<typeof setTimeout> | null = null;

  function now(): number {
    return kind === 'real' ? Date.now() + movedMs : startMs + movedMs;
  }

  function next(): Timer | null {
    let first: Timer | null = null;
    for (const timer of timers) if (first === null || timer.dueMs < first.dueMs) first = timer;
    return first;
  }

  function runDue(): void {
    for (let timer = next(); timer !== null && timer.dueMs <= now(); timer = next()) {
      timers.delete(timer);
      timer.action();
    }
    schedule();
  }

  function schedule(): void {
    if (kind === 'controlled') return;
    if (wakeUp !== null) clearTimeout(wakeUp);
    const first = next();
    wakeUp = first === null ? null : setTimeout(runDue, Math.min(Math.max(0, first.dueMs - now()), 2 ** 31 - 1));
  }

  return {
    now,
    after(ms, action) {
      const timer: Timer = { dueMs: now() + ms, action };
      timers.add(timer);
      schedule();
      return () => {
        if (timers.delete(timer)) schedule();
      };
    },
    advance(ms) {
      const targetMs = movedMs + ms;
      // Stop at each timer, so that its action sees the time it was due.
      for (let timer = next(); timer !== null; timer = next()) {
        const waitMs = timer.dueMs - now();
        if (waitMs > targetMs - movedMs) break;
        movedMs += Math.max(0, waitMs);
        timers.delete(timer);
        timer.action();
      }
      movedMs = targetMs;
      schedule();
    },
    stop() {
      timers.clear();
      if (wakeUp !== null) clearTimeout(wakeUp);
      wakeUp = null;
    },
  };
}
