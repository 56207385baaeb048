import { AppError } from '../../contract/errors.ts';
import type { SnapshotWindow, SnapshotWindowRequest } from '../../contract/quotas/snapshots.ts';

type BoundaryMembers = Pick<SnapshotWindow, 'cycle_start_ms' | 'cycle_end_ms' | 'duration_seconds'>;

function refuse(place: string, problem: string): never {
  throw new AppError('quota_snapshot_invalid', { message: `${place}: ${problem}` });
}

/**
 * Start, end and length of a window: any two give the third. A length that is no whole number of seconds is left out.
 *
 * @throws AppError 400 when the three contradict
 */
export function checkedBoundary(window: SnapshotWindowRequest, place: string): BoundaryMembers {
  const start = window.cycle_start_ms ?? null;
  const end = window.cycle_end_ms ?? null;
  const seconds = window.duration_seconds ?? null;
  if (start !== null && end !== null && start >= end) refuse(`${place}.cycle_end_ms`, 'must be after cycle_start_ms');
  if (start !== null && end !== null && seconds !== null && end - start !== seconds * 1000) {
    refuse(`${place}.duration_seconds`, 'contradicts cycle_start_ms and cycle_end_ms');
  }
  const derivedStart = start ?? (end !== null && seconds !== null ? end - seconds * 1000 : null);
  if (derivedStart !== null && derivedStart <= 0)
    refuse(`${place}.duration_seconds`, 'longer than the time before its end');
  const derivedEnd = end ?? (start !== null && seconds !== null ? start + seconds * 1000 : null);
  const whole = start !== null && end !== null && (end - start) % 1000 === 0 ? (end - start) / 1000 : null;
  const duration = seconds ?? whole;
  requireBoundary(window, place, derivedStart, derivedEnd);
  return {
    ...(derivedStart === null ? {} : { cycle_start_ms: derivedStart }),
    ...(derivedEnd === null ? {} : { cycle_end_ms: derivedEnd }),
    ...(duration === null ? {} : { duration_seconds: duration }),
  };
}

function requireBoundary(window: SnapshotWindowRequest, place: string, start: number | null, end: number | null): void {
  const mode = window.window_mode ?? 'unknown';
  if (mode === 'rolling' && (window.duration_seconds ?? null) === null) {
    refuse(`${place}.duration_seconds`, 'missing; a rolling window needs a length');
  }
  const hasCycles = mode === 'fixed' || mode === 'calendar';
  const claimsBoundary = window.boundary_accuracy === 'exact' || window.boundary_accuracy === 'derived';
  if (hasCycles && claimsBoundary && (start === null || end === null)) {
    refuse(`${place}.cycle_end_ms`, 'missing; a boundary of this accuracy needs an end and a start or length');
  }
}
