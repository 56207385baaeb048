import type { CycleEndReason, SnapshotWindow } from '../../contract/quotas/snapshots.ts';
import type { QuotaProvider } from '../provider.ts';
import { accuracyRank, type Boundary, isCounterReset, isReliableAccuracy, JITTER_MS } from './counter-reset.ts';
import { boundaryOfCycle, type CycleState, currentCycle, MAX_CYCLES, type WindowState } from './lifecycle-state.ts';

/** What changes cycles: one window of one observation. */
export interface CycleEvidence {
  readonly provider: QuotaProvider;
  readonly observed: SnapshotWindow;
  readonly newId: () => string;
}

export interface CycleOutcome {
  readonly cycles: readonly CycleState[];
  /** The cycle that the observation belongs to. */
  readonly cycleId: string | null;
  /** The boundary is not real: for an unused window each answer has a new one. */
  readonly provisional: boolean;
}

/** Start, end and length in an observation; `null` without an end. */
export function observedBoundary(window: SnapshotWindow): Boundary | null {
  if (window.window_mode !== 'fixed' && window.window_mode !== 'calendar') return null;
  const end = window.cycle_end_ms;
  if (end === undefined) return null;
  const start = window.cycle_start_ms ?? null;
  const length = window.duration_seconds ?? (start === null ? null : Math.round((end - start) / 1000));
  return { startMs: start, endMs: end, durationSeconds: length, accuracy: window.boundary_accuracy };
}

/** Percent used, from any form in which the provider states it; `null` = missing. */
export function observedPercent(window: SnapshotWindow): number | null {
  if (window.used_percent !== undefined) return window.used_percent;
  if (window.remaining_percent !== undefined) return 100 - window.remaining_percent;
  const { used_value: used, limit_value: limit } = window;
  return used === undefined || limit === undefined || limit <= 0 ? null : Math.min((used / limit) * 100, 100);
}

function isReliable(boundary: Boundary, window: SnapshotWindow): boolean {
  return isReliableAccuracy(boundary.accuracy) && boundary.startMs !== null && window.source !== 'response_body';
}

function isSame(left: Boundary, right: Boundary): boolean {
  if (left.endMs === null || right.endMs === null || left.durationSeconds !== right.durationSeconds) return false;
  return Math.abs(left.endMs - right.endMs) <= JITTER_MS;
}

/** A new boundary that starts where the current cycle ends, or later. */
function isSuccession(active: CycleState, boundary: Boundary): boolean {
  if (active.scheduledEndMs === null || boundary.startMs === null) return false;
  // Derived boundaries of one reset differ by seconds.
  return boundary.startMs >= active.scheduledEndMs - JITTER_MS;
}

/** The counter was reset before the current cycle ended. */
export function isEarlyReset(window: WindowState, evidence: Pick<CycleEvidence, 'provider' | 'observed'>): boolean {
  const active = currentCycle(window);
  const boundary = observedBoundary(evidence.observed);
  if (active === null || boundary === null || !isReliable(boundary, evidence.observed)) return false;
  if (isSuccession(active, boundary) || isProvisional(evidence)) return false;
  const percent = observedPercent(evidence.observed);
  if (active.lastPercent === null || percent === null) return false;
  return isCounterReset(active.lastPercent, percent, boundaryOfCycle(active), boundary);
}

function isProvisional({ provider, observed }: Pick<CycleEvidence, 'provider' | 'observed'>): boolean {
  if (provider !== 'codex' || observed.source !== 'api_query' || observedPercent(observed) !== 0) return false;
  const start = observed.cycle_start_ms;
  return start !== undefined && Math.abs(start - observed.observed_at_ms) <= JITTER_MS;
}

/**
 * Updates the cycles of a window by one observation of it.
 *
 * @param resetReason why a cycle ends whose counter was reset early
 */
export function movedCycles(window: WindowState, evidence: CycleEvidence, resetReason: CycleEndReason): CycleOutcome {
  const { observed } = evidence;
  const active = currentCycle(window);
  if (observed.window_mode === 'rolling' || observed.window_mode === 'non_window') {
    if (active === null) return { cycles: window.cycles, cycleId: null, provisional: false };
    return {
      cycles: closed(window.cycles, observed.observed_at_ms, 'mode_changed'),
      cycleId: null,
      provisional: false,
    };
  }
  const boundary = observedBoundary(observed);
  if (boundary === null) return attached(window, evidence, null);
  const provisional = isProvisional(evidence);
  if (active !== null && isReliable(boundary, observed) && isSuccession(active, boundary)) {
    const end = active.scheduledEndMs ?? observed.observed_at_ms;
    const start = Math.max(boundary.startMs ?? end, end);
    return opened({ ...window, cycles: closed(window.cycles, end, 'scheduled') }, evidence, boundary, start);
  }
  if (provisional) return { ...attached(window, evidence, null), provisional };
  if (active === null)
    return reopened(window, evidence, boundary) ?? opened(window, evidence, boundary, boundary.startMs);
  if (isEarlyReset(window, evidence)) {
    const isUnmoved = isSame(boundaryOfCycle(active), boundary);
    const stated = isUnmoved ? observed.observed_at_ms : (boundary.startMs ?? observed.observed_at_ms);
    const transition = Math.max(Math.min(stated, observed.observed_at_ms), active.actualStartMs);
    const cycles = closed(window.cycles, transition, resetReason);
    return opened({ ...window, cycles }, evidence, boundary, transition);
  }
  return attached(window, evidence, boundary);
}

/** Ends the current cycle. */
export function closed(cycles: readonly CycleState[], endMs: number, reason: CycleEndReason): readonly CycleState[] {
  return cycles.map((cycle) =>
    cycle.actualEndMs === null
      ? { ...cycle, actualEndMs: Math.max(endMs, cycle.actualStartMs), endReason: reason }
      : cycle,
  );
}

function opened(
  window: WindowState,
  evidence: CycleEvidence,
  boundary: Boundary,
  startMs: number | null,
): CycleOutcome {
  const { observed } = evidence;
  const percent = observedPercent(observed);
  const previousEnd = window.cycles.at(-1)?.actualEndMs ?? 0;
  const cycle: CycleState = {
    id: evidence.newId(),
    activationId: window.activationId,
    scheduledStartMs: boundary.startMs,
    scheduledEndMs: boundary.endMs,
    durationSeconds: boundary.durationSeconds,
    accuracy: boundary.accuracy,
    // Cycles of one window never overlap.
    actualStartMs: Math.max(startMs ?? observed.observed_at_ms, previousEnd),
    actualEndMs: null,
    endReason: null,
    parentCycleId: null,
    firstObservedMs: observed.observed_at_ms,
    observations: 1,
    confirmed: !isProvisional(evidence),
    firstPercent: percent,
    lastPercent: percent,
  };
  const cycles = [...window.cycles, cycle].slice(-MAX_CYCLES);
  return { cycles, cycleId: cycle.id, provisional: false };
}

/** A window without a boundary for a while continues its cycle. */
function reopened(window: WindowState, evidence: CycleEvidence, boundary: Boundary): CycleOutcome | null {
  const last = window.cycles.at(-1);
  if (last === undefined || last.endReason !== 'mode_changed' || !isSame(boundaryOfCycle(last), boundary)) return null;
  const cycles = [...window.cycles.slice(0, -1), { ...last, actualEndMs: null, endReason: null }];
  return attached({ ...window, cycles }, evidence, boundary);
}

/** The observation belongs to the current cycle; a more accurate boundary replaces the known one. */
function attached(window: WindowState, evidence: CycleEvidence, boundary: Boundary | null): CycleOutcome {
  const active = currentCycle(window);
  if (active === null) return { cycles: window.cycles, cycleId: null, provisional: false };
  const provisional = isProvisional(evidence);
  // An answer about an unused window is inconclusive for the cycle, its percent included.
  const percent = provisional ? null : observedPercent(evidence.observed);
  const counted: CycleState = {
    ...active,
    observations: active.observations + 1,
    confirmed: active.confirmed || !provisional,
    firstPercent: active.firstPercent ?? percent,
    lastPercent: percent ?? active.lastPercent,
  };
  const isBetter = boundary !== null && accuracyRank(boundary.accuracy) > accuracyRank(active.accuracy);
  const previousEnd = window.cycles.at(-2)?.actualEndMs ?? 0;
  const cycle = isBetter ? corrected(counted, boundary, previousEnd) : counted;
  return { cycles: [...window.cycles.slice(0, -1), cycle], cycleId: cycle.id, provisional };
}

function corrected(cycle: CycleState, boundary: Boundary, previousEndMs: number): CycleState {
  const followsSchedule = cycle.actualStartMs === cycle.scheduledStartMs && boundary.startMs !== null;
  return {
    ...cycle,
    scheduledStartMs: boundary.startMs,
    scheduledEndMs: boundary.endMs,
    durationSeconds: boundary.durationSeconds,
    accuracy: boundary.accuracy,
    actualStartMs: followsSchedule ? Math.max(boundary.startMs ?? 0, previousEndMs) : cycle.actualStartMs,
  };
}
