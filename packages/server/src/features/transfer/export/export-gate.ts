/** Keeps exports and the deletion of raw rows apart: an export must find every row that it counted at its start. */
export interface ExportGate {
  /** Exports that run or wait for their start. */
  running(): number;
  /** Starts an export: waits for a running deletion. The result ends it; it may be called more than once. */
  enter(): Promise<() => void>;
  /** Runs short work while no export does, and delays exports meanwhile. */
  alone<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function createExportGate(): ExportGate {
  let exports = 0;
  let deletion: Promise<unknown> | null = null;
  let waiting: (() => void)[] = [];

  /** Resolves at the end of the last running export, or on abort. */
  function nextEnd(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        signal.removeEventListener('abort', end);
        waiting = waiting.filter((other) => other !== end);
        resolve();
      };
      waiting.push(end);
      signal.addEventListener('abort', end);
    });
  }

  return {
    running: () => exports,
    async enter() {
      exports += 1;
      // Whether it succeeds or not.
      await deletion?.catch(() => {});
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        exports -= 1;
        if (exports === 0) for (const end of waiting) end();
      };
    },
    async alone(work, signal) {
      for (signal.throwIfAborted(); exports > 0; signal.throwIfAborted()) await nextEnd(signal);
      // In the same turn as the check of the exports.
      const running = work();
      deletion = running;
      try {
        return await running;
      } finally {
        deletion = null;
      }
    },
  };
}
