import type { Availability, BoundaryAccuracy, CycleEndReason, WindowMode } from '../../contract/quotas/snapshots.ts';
import type { Boundary } from './counter-reset.ts';
import type { SnapshotScope } from './scope.ts';

/** One run of a window from a reset to the next. Times in ms. */
export interface CycleState {
  readonly id: string;
  readonly activationId: string;
  readonly scheduledStartMs: number | null;
  readonly scheduledEndMs: number | null;
  readonly durationSeconds: number | null;
  readonly accuracy: BoundaryAccuracy;
  readonly actualStartMs: number;
  /** Null while it is the current one. */
  readonly actualEndMs: number | null;
  readonly endReason: CycleEndReason | null;
  readonly parentCycleId: string | null;
  readonly firstObservedMs: number;
  readonly observations: number;
  /** False while only answers of an unused window tell of it, whose boundary is made up anew for every question. */
  readonly confirmed: boolean;
  /** Percent used at its first and at its last observation that told one. */
  readonly firstPercent: number | null;
  readonly lastPercent: number | null;
}

/** A window as one thing through time, whatever source it was seen by. */
export interface WindowState {
  readonly id: string;
  /** `windowKey` of id and scope. */
  readonly key: string;
  readonly windowId: string;
  readonly scope: SnapshotScope;
  /** Only observations of this inventory move it. */
  readonly inventoryScope: string;
  readonly mode: WindowMode;
  readonly availability: Exclude<Availability, 'unknown'>;
  /** Counts how often it appeared after it had been gone. */
  readonly generation: number;
  readonly activationId: string;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  readonly missingSinceMs: number | null;
  readonly deactivatedAtMs: number | null;
  /** Id of the window it lies within, '' = none was told. */
  readonly containerWindowId: string;
  /** Oldest first; at most `MAX_CYCLES`. Only the last one can be current. */
  readonly cycles: readonly CycleState[];
}

/** Older cycles of a window are of no use to any answer. */
export const MAX_CYCLES = 32;

/** The observation that settled the newest time of an inventory. */
export interface Watermark {
  readonly observedAtMs: number;
  readonly authority: number;
  readonly observationId: string;
  readonly hash: string;
  /** The windows of the inventory before it: another observation of the same time and of higher rank starts from them. */
  readonly windowsBefore: readonly WindowState[];
}

/** All that is known of the windows of one account at one provider. Plain JSON. */
export interface QuotaState {
  /** By inventory scope. */
  readonly watermarks: Readonly<Record<string, Watermark>>;
  readonly windows: readonly WindowState[];
}

export const EMPTY_QUOTA_STATE: QuotaState = { watermarks: {}, windows: [] };

export function currentCycle(window: WindowState): CycleState | null {
  const last = window.cycles.at(-1);
  return last !== undefined && last.actualEndMs === null ? last : null;
}

export function boundaryOfCycle(cycle: CycleState): Boundary {
  return {
    startMs: cycle.scheduledStartMs,
    endMs: cycle.scheduledEndMs,
    durationSeconds: cycle.durationSeconds,
    accuracy: cycle.accuracy,
  };
}
