/** Longest pause between failing requests, ms. */
const MAX_PAUSE_MS = 300_000;

interface AnswerTimes {
  /** Of the last successful answer, ms; 0 = none yet. */
  readonly dataUpdatedAt: number;
  /** Of the last failure, ms; 0 = none. */
  readonly errorUpdatedAt: number;
}

/**
 * Pause to the next background request: the duration of the failures so far, so that it doubles with each of them. It stays the
 * same until the next answer, because a page that renders again would otherwise restart the pause.
 */
export function pollPause({ dataUpdatedAt, errorUpdatedAt }: AnswerTimes, intervalMs: number): number {
  const failing = dataUpdatedAt === 0 ? 0 : errorUpdatedAt - dataUpdatedAt;
  return Math.min(Math.max(failing, intervalMs), Math.max(MAX_PAUSE_MS, intervalMs));
}

/** Maximum rows of an answer to request per usual pause. */
const ROWS_PER_PAUSE = 500;

/** Pause until a long answer is requested again: grows with its size relative to a usual answer. */
export function sizedPause(rows: number, usualMs: number, longestMs: number): number {
  return Math.min(longestMs, usualMs * Math.max(1, rows / ROWS_PER_PAUSE));
}
