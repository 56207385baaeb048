const TICK_MS = 100;
const WINDOW_MS = 10_000;

/**
 * The largest delay of this thread within the last 10 to 20 seconds, in ms: bytes can have waited in a socket for that long.
 */
export interface ThreadLag {
  maxMs(): number;
  stop(): void;
}

export function watchThreadLag(): ThreadLag {
  let expectedAt = performance.now() + TICK_MS;
  let windowEndsAt = performance.now() + WINDOW_MS;
  let current = 0;
  let previous = 0;

  const note = () => {
    const now = performance.now();
    current = Math.max(current, now - expectedAt);
    if (now >= windowEndsAt) {
      previous = current;
      current = 0;
      windowEndsAt = now + WINDOW_MS;
    }
    return now;
  };
  const timer = setInterval(() => {
    expectedAt = note() + TICK_MS;
  }, TICK_MS);
  timer.unref();

  return {
    maxMs() {
      note();
      return Math.ceil(Math.max(current, previous, 0));
    },
    stop: () => clearInterval(timer),
  };
}
