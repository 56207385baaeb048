const FIRST_RETRY_MS = 15_000;
/** A longer wait was stored before a clock was set back. */
export const LONGEST_RETRY_MS = 15 * 60 * 1000;

/**
 * When a failed change is retried: after 15 s, then with growing delays, so that many broken accounts do not block the others.
 *
 * @param failedAttempts including the current one
 */
export function nextAttemptMs(failedAttempts: number, nowMs: number): number {
  return nowMs + Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, failedAttempts - 1), LONGEST_RETRY_MS);
}
