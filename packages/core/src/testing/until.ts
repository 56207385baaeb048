/** Much longer than any wait on a busy machine: only a condition that never becomes true reaches it. */
const DEADLINE_MS = 120_000;
/** One look at `/status` takes 2 ms of processor time, and several tests wait at once: a long wait looks less often. */
const SHORT_WAIT_PAUSE_MS = 20;
const LONG_WAIT_PAUSE_MS = 100;
const PART_OF_WAIT = 1 / 50;

/**
 * Waits until `condition` returns a value other than false, null, undefined, 0 or '', and returns it.
 *
 * @param what for the error message, or what returns it when the deadline passes; default: the text of the condition
 * @throws Error when the deadline passes
 * @example await until(() => rig.log.includes('started'), 'the start')
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  what: string | (() => string) = String(condition),
  deadlineMs: number = DEADLINE_MS,
): Promise<NonNullable<T>> {
  const begun = performance.now();
  for (let pauseMs = 1; ; pauseMs *= 2) {
    const value = await condition();
    if (value) return value;
    const waitedMs = performance.now() - begun;
    if (waitedMs > deadlineMs) throw new Error(`timed out waiting for ${typeof what === 'string' ? what : what()}`);
    const longestMs = Math.max(SHORT_WAIT_PAUSE_MS, Math.min(waitedMs * PART_OF_WAIT, LONG_WAIT_PAUSE_MS));
    pauseMs = Math.min(pauseMs, longestMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Waits until two reads that are 200 ms apart give the same value, and returns it. */
export async function untilStill<T>(read: () => Promise<T>): Promise<T> {
  let now = await read();
  await until(
    async () => {
      const before = now;
      await new Promise((resolve) => setTimeout(resolve, 200));
      now = await read();
      return now === before;
    },
    `${String(read)} to stay as it is`,
  );
  return now;
}
