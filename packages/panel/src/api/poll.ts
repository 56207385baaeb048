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
