/** Longest pause between questions that fail, ms. */
const MAX_PAUSE_MS = 300_000;

interface AnswerTimes {
  /** Of the last good answer, ms; 0 = none yet. */
  readonly dataUpdatedAt: number;
  /** Of the last failure, ms; 0 = none. */
  readonly errorUpdatedAt: number;
}

/**
 * Pause to the next question of something that is asked in the background: as long as the failures have lasted by now, so
 * that it doubles with each of them. It stays the same until the next answer, or a page that draws itself would start the
 * pause again and again.
 */
export function pollPause({ dataUpdatedAt, errorUpdatedAt }: AnswerTimes, intervalMs: number): number {
  const failing = dataUpdatedAt === 0 ? 0 : errorUpdatedAt - dataUpdatedAt;
  return Math.min(Math.max(failing, intervalMs), Math.max(MAX_PAUSE_MS, intervalMs));
}

/** Rows of an answer that may be asked for again within one usual pause. */
const ROWS_A_PAUSE = 500;

/**
 * Pause until a long answer is asked for again: as many times the usual one as it is larger than an answer of usual size.
 *
 * @example sizedPause(3_000, 2_000, 30_000) // 12000
 */
export function sizedPause(rows: number, usualMs: number, longestMs: number): number {
  return Math.min(longestMs, usualMs * Math.max(1, rows / ROWS_A_PAUSE));
}
