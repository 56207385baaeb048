import { BOUNDARY_ACCURACIES, type BoundaryAccuracy } from '../../contract/quotas/snapshots.ts';

/** Start and end of a window. `null` = unknown. */
export interface Boundary {
  readonly startMs: number | null;
  readonly endMs: number | null;
  readonly durationSeconds: number | null;
  readonly accuracy: BoundaryAccuracy;
}

/** Times of one boundary that differ by at most this count as equal. */
export const JITTER_MS = 60_000;

/** Position from the least to the most accurate. */
export function accuracyRank(accuracy: BoundaryAccuracy): number {
  return BOUNDARY_ACCURACIES.indexOf(accuracy);
}

export function isReliableAccuracy(accuracy: BoundaryAccuracy): boolean {
  return accuracyRank(accuracy) >= accuracyRank('derived');
}

/** A real counter reset, as far as the percents alone show. */
export function isPlainReset(previousPercent: number, currentPercent: number): boolean {
  if (previousPercent < 5 || currentPercent >= previousPercent) return false;
  const drop = previousPercent - currentPercent;
  return currentPercent <= 1 || (drop >= 20 && currentPercent <= previousPercent / 2);
}

/** Low percents alone prove nothing; a boundary that moved as a whole before its end does. */
function isLowUsageReset(previous: number, current: number, before: Boundary, after: Boundary): boolean {
  if (previous >= 5 || current >= previous || current > 1) return false;
  if (before.startMs === null || before.endMs === null || after.startMs === null || after.endMs === null) return false;
  if (before.durationSeconds === null || before.durationSeconds !== after.durationSeconds) return false;
  if (!isReliableAccuracy(before.accuracy) || !isReliableAccuracy(after.accuracy)) return false;
  if (accuracyRank(after.accuracy) > accuracyRank(before.accuracy)) return false;
  const moved = after.startMs - before.startMs;
  const endMoved = after.endMs - before.endMs;
  return moved > JITTER_MS && Math.abs(endMoved - moved) <= JITTER_MS && after.startMs < before.endMs - JITTER_MS;
}

/**
 * Whether the counter of a window was reset between two observations. Jitter of a percent is no reset.
 *
 * @example isCounterReset(65, 1, null, null) // true
 * @example isCounterReset(40, 38, null, null) // false
 */
export function isCounterReset(
  previousPercent: number,
  currentPercent: number,
  before: Boundary | null,
  after: Boundary | null,
): boolean {
  if (isPlainReset(previousPercent, currentPercent)) return true;
  return before !== null && after !== null && isLowUsageReset(previousPercent, currentPercent, before, after);
}
