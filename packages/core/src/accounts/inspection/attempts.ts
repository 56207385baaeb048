const MAX_PROBE_TIMEOUT_MS = 30_000;
const FIRST_WAIT_MS = 250;
/** Longer waits would only delay the run. */
const MAX_WAIT_MS = 8_000;

/** Limit of one probe, ms. @param timeout of the settings */
export function probeTimeoutMs(timeout: number): number {
  return Math.min(timeout, MAX_PROBE_TIMEOUT_MS);
}

/**
 * Delay before a retry, ms: doubled each time, with jitter so that accounts which failed together do not retry
 * together.
 *
 * @param tries failed so far, from 1
 * @param random a number from 0 up to 1
 * @example retryWaitMs(2, 0.5) // 375
 */
export function retryWaitMs(tries: number, random: number): number {
  const full = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), MAX_WAIT_MS);
  return Math.round(full * (0.5 + random / 2));
}
