/** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}

/** Resolves when `signal` aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Result of `promise`, or undefined after `ms`. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

export interface Backoff {
  /** The next wait in milliseconds. */
  next(): number;
  reset(): void;
}

export function createBackoff(waitsMs: readonly number[]): Backoff {
  let failures = 0;
  return {
    next() {
      const wait = waitsMs[Math.min(failures, waitsMs.length - 1)] ?? 0;
      failures += 1;
      return wait;
    },
    reset() {
      failures = 0;
    },
  };
}

/** Growth of the pause after each empty answer. */
const PAUSE_GROWTH = 1.2;

/**
 * The pause of a poll. It grows while the queue is empty, because each poll costs the gateway about 50 ms of its processor: from 0.5 s to
 * 5 s it takes 25 s.
 *
 * @param limitMs read at each call; a shortest pause above it stays
 */
export function createPollPause(shortestMs: number, limitMs: () => number): Backoff {
  let nextMs = shortestMs;
  return {
    next() {
      const ms = Math.max(Math.min(nextMs, limitMs()), shortestMs);
      nextMs = ms * PAUSE_GROWTH;
      return ms;
    },
    reset() {
      nextMs = shortestMs;
    },
  };
}

/** A condition that several callers can wait for. */
export interface Signal {
  /** Wakes all current waiters. */
  notify(): void;
  wait(signal: AbortSignal): Promise<void>;
}

export function createSignal(): Signal {
  let waiters: (() => void)[] = [];
  return {
    notify() {
      const awake = waiters;
      waiters = [];
      for (const wake of awake) wake();
    },
    wait(signal) {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const done = () => {
          signal.removeEventListener('abort', done);
          resolve();
        };
        waiters.push(done);
        signal.addEventListener('abort', done, { once: true });
      });
    },
  };
}
