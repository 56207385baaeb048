/** Much longer than any wait on a busy machine: only a condition that never becomes true reaches it. */
const DEADLINE_MS = 120_000;
const LONGEST_PAUSE_MS = 20;

/**
 * Waits until `condition` returns a value other than false, null, undefined, 0 or '', and returns it.
 *
 * @param what for the error message; default: the text of the condition
 * @throws Error when the deadline passes
 * @example await until(() => rig.log.includes('started'), 'the start')
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  what: string = String(condition),
  deadlineMs: number = DEADLINE_MS,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + deadlineMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
