/** When a message is tried again, and when it is given up. Pure. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** After the first attempt, the second, … */
const PAUSES_MS = [30 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS];
export const MAX_ATTEMPTS = PAUSES_MS.length + 1;
/** A service may ask for longer pauses, but not for ever longer ones. */
export const MAX_PAUSE_MS = 6 * HOUR_MS;

/**
 * The pause after some attempts.
 *
 * @param retryAfterMs what the service asked for; null = nothing
 */
export function pauseAfter(attempts: number, retryAfterMs: number | null): number {
  const own = PAUSES_MS[Math.min(Math.max(attempts, 1), PAUSES_MS.length) - 1] ?? MAX_PAUSE_MS;
  return Math.min(MAX_PAUSE_MS, Math.max(own, retryAfterMs ?? 0));
}
