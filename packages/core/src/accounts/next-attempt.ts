const FIRST_RETRY_MS = 15_000;
const LONGEST_RETRY_MS = 15 * 60 * 1000;

/**
 * When a change that failed is tried again: after 15 s, then ever later, so that many broken accounts cannot keep later ones
 * waiting.
 *
 * @param failedAttempts with the one that has just failed
 */
export function nextAttemptMs(failedAttempts: number, nowMs: number): number {
  return nowMs + Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, failedAttempts - 1), LONGEST_RETRY_MS);
}
