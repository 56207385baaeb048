import type { Availability, BoundaryAccuracy, CycleEndReason, WindowMode } from '../../contract/quotas/snapshots.ts';
import type { Boundary } from './counter-reset.ts';
import type { SnapshotScope } from './scope.ts';

/**
 * One period of a window from a reset to the next. Times in ms. Ids of cycles, activations and windows are numbers, as decimal
 * text: each is given once and stays.
 */
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
  /** False while only answers about an unused window report it: each answer has a new boundary. */
  readonly confirmed: boolean;
  /** Percent used at its first and at its last observation with a percent. */
  readonly firstPercent: number | null;
  readonly lastPercent: number | null;
}

/** A window over time, from all sources. */
export interface WindowState {
  readonly id: string;
  /** `windowKey` of id and scope. */
  readonly key: string;
  readonly windowId: string;
  readonly scope: SnapshotScope;
  /** Only observations of this inventory update it. */
  readonly inventoryScope: string;
  readonly mode: WindowMode;
  readonly availability: Exclude<Availability, 'unknown'>;
  /** Incremented each time it appears again. */
  readonly generation: number;
  readonly activationId: string;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  readonly missingSinceMs: number | null;
  readonly deactivatedAtMs: number | null;
  /** Id of the containing window; '' = unknown. */
  readonly containerWindowId: string;
  /** Oldest first; at most `MAX_CYCLES`. Only the last one can be current. */
  readonly cycles: readonly CycleState[];
}

/** No answer needs older cycles of a window. */
export const MAX_CYCLES = 32;

/** The newest observation of an inventory. */
export interface Watermark {
  readonly observedAtMs: number;
  readonly authority: number;
  readonly observationId: string;
  readonly hash: string;
  /** The windows of the inventory before it: another observation of the same time and higher rank starts from them. */
  readonly windowsBefore: readonly WindowState[];
}

/** All known windows of one account at one provider. Plain JSON. */
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
