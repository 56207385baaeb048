/** The rate is a mean over this time, ms. */
const WINDOW_MS = 10_000;

export interface RateMeter {
  /** `bytes` is the total sent so far. */
  readonly note: (atMs: number, bytes: number) => void;
  /** Null while unknown. */
  readonly bytesPerSecond: (nowMs: number) => number | null;
  /** After a pause, which does not count for the rate. */
  readonly reset: () => void;
}

export function createRateMeter(): RateMeter {
  let samples: { readonly atMs: number; readonly bytes: number }[] = [];

  /** Keeps one sample from before the window as its start. */
  function forget(nowMs: number): void {
    const first = samples.findIndex(({ atMs }) => atMs > nowMs - WINDOW_MS);
    if (first > 1) samples = samples.slice(first - 1);
    else if (first === -1) samples = samples.slice(-1);
  }

  return {
    note: (atMs, bytes) => {
      forget(atMs);
      samples.push({ atMs, bytes });
    },
    bytesPerSecond: (nowMs) => {
      forget(nowMs);
      const [first] = samples;
      const last = samples.at(-1);
      if (first === undefined || last === undefined || last === first) return null;
      // Up to now, so that the rate falls while nothing arrives.
      const elapsedMs = nowMs - first.atMs;
      return elapsedMs <= 0 ? null : ((last.bytes - first.bytes) * 1_000) / elapsedMs;
    },
    reset: () => {
      samples = [];
    },
  };
}

/** Whole percent, rounded down: 100 only when all has arrived. */
export function percentOf(bytes: number, sizeBytes: number): number {
  return sizeBytes === 0 ? 0 : Math.floor((bytes * 100) / sizeBytes);
}

export function secondsLeft(bytesLeft: number, bytesPerSecond: number | null): number | null {
  return bytesPerSecond === null || bytesPerSecond <= 0 ? null : Math.ceil(bytesLeft / bytesPerSecond);
}
