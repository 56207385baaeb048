import type { InventoryMode, QuotaSource, SnapshotWindow } from '../../contract/quotas/snapshots.ts';
import { SLOT_NAMES } from '../../contract/quotas/window.ts';
import { compareCodePoints } from '../../json/text.ts';
import { canonicalCodexWindowId } from './codex-scope.ts';
import { closed, isEarlyReset, movedCycles } from './cycles.ts';
import { currentCycle, type QuotaState, type Watermark, type WindowState } from './lifecycle-state.ts';
import type { QuotaObservation } from './observation.ts';
import { scopeOfWindow, windowKey, windowKeyOf } from './scope.ts';
import { codexContainerIds } from './subwindows.ts';

const MODE_AUTHORITY = { partial: 0, delta: 10, complete: 20 } as const satisfies Record<InventoryMode, number>;
const SOURCE_AUTHORITY = {
  response_header: 0,
  response_body: 1,
  api_query: 2,
  inspection: 3,
} as const satisfies Record<QuotaSource, number>;

/** Rank of an observation among those of the same time. */
export function authorityOf(mode: InventoryMode, source: QuotaSource): number {
  return MODE_AUTHORITY[mode] + SOURCE_AUTHORITY[source];
}

/** Where the row of one window of an observation belongs. */
export interface RowPlacement {
  /** As it is stored: a generated boundary is left out. */
  readonly window: SnapshotWindow;
  /** Null when the window was never part of the lifecycle. */
  readonly logicalWindowId: string | null;
  readonly generation: number | null;
  readonly cycleId: string | null;
  /** True when it took part in the lifecycle; other rows are history and are not read. */
  readonly inLifecycle: boolean;
}

export interface ObservationOutcome {
  readonly state: QuotaState;
  readonly rows: readonly RowPlacement[];
  /** Hash of an observation of the same time that no longer counts: its rows become history. */
  readonly displacedHash: string | null;
}

export interface LifecycleContext {
  /** Of `observationText`. */
  readonly hash: string;
  /** A number that was never given before, as decimal text. */
  readonly newId: () => string;
}

/**
 * Applies one observation to the state of its account. An observation older than the newest one of its inventory is
 * history only. Of several of the same time the one of the highest rank counts, in any order of arrival; an applied one
 * that is outranked is undone. The caller checks whether the same observation was stored before.
 */
export function observe(
  state: QuotaState,
  observation: QuotaObservation,
  context: LifecycleContext,
): ObservationOutcome {
  const { inventoryScope, inventoryMode, source, observedAtMs, observationId } = observation;
  const rank = {
    observedAtMs,
    authority: authorityOf(inventoryMode, source),
    observationId,
    hash: context.hash,
  };
  const mark = state.watermarks[inventoryScope] ?? null;
  if (mark !== null && compareRank(rank, mark) <= 0) {
    const known = byKeyOf(state.windows);
    return { state, rows: observation.windows.map((window) => historyRow(window, known)), displacedHash: null };
  }
  const isSameTime = mark !== null && mark.observedAtMs === observedAtMs;
  const isOwn = (window: WindowState): boolean => window.inventoryScope === inventoryScope;
  const before = isSameTime ? mark.windowsBefore : state.windows.filter(isOwn);
  const others = state.windows.filter((window) => !isOwn(window));
  const { windows, rows } = applyObservation(before, others, observation, context.newId);
  return {
    state: {
      watermarks: { ...state.watermarks, [inventoryScope]: { ...rank, windowsBefore: before } },
      windows: bounded([...others, ...windows]),
    },
    rows,
    displacedHash: isSameTime ? mark.hash : null,
  };
}

/** Windows of one account that are followed; those that were not seen for longest are forgotten. */
const MAX_WINDOWS = 1_000;

function bounded(windows: readonly WindowState[]): readonly WindowState[] {
  if (windows.length <= MAX_WINDOWS) return windows;
  const byAge = windows.toSorted((left, right) => right.lastSeenMs - left.lastSeenMs);
  const kept = new Set(byAge.slice(0, MAX_WINDOWS));
  return windows.filter((window) => kept.has(window));
}

type Rank = Omit<Watermark, 'windowsBefore'>;

function compareRank(left: Rank, right: Rank): number {
  return (
    left.observedAtMs - right.observedAtMs ||
    left.authority - right.authority ||
    compareCodePoints(left.observationId, right.observationId) ||
    compareCodePoints(left.hash, right.hash)
  );
}

function byKeyOf(windows: readonly WindowState[]): Map<string, WindowState> {
  return new Map(windows.map((window) => [window.key, window]));
}

function historyRow(window: SnapshotWindow, windows: ReadonlyMap<string, WindowState>): RowPlacement {
  const known = windows.get(windowKeyOf(window));
  return {
    window,
    logicalWindowId: known?.id ?? null,
    generation: known?.generation ?? null,
    cycleId: null,
    inLifecycle: false,
  };
}

interface Applied {
  readonly windows: readonly WindowState[];
  readonly rows: readonly RowPlacement[];
}

/** @param others windows of the account of other inventories */
function applyObservation(
  before: readonly WindowState[],
  others: readonly WindowState[],
  observation: QuotaObservation,
  newId: () => string,
): Applied {
  const { observedAtMs, inventoryMode, provider } = observation;
  const byKey = byKeyOf(before);
  const foreign = byKeyOf(others);
  const named = new Set(observation.windows.map(windowKeyOf));
  const reported = observation.windows.filter((window) => !foreign.has(windowKeyOf(window)));
  const seen = new Map(reported.map((window) => [window, seenWindow({ byKey, named, observation, newId }, window)]));
  const early = [...seen].filter(([observed, window]) => isEarlyReset(window, { provider, observed })).length;
  // A provider resets all counters of an account at once; a reset that the owner buys affects one.
  const resetReason = early >= 2 ? 'provider_reset' : 'early_reset';
  const rows = observation.windows.map((observed): RowPlacement => {
    const window = seen.get(observed);
    if (window === undefined) return historyRow(observed, foreign);
    const { cycles, cycleId, provisional } = movedCycles(window, { provider, observed, newId }, resetReason);
    byKey.set(window.key, { ...window, cycles });
    return {
      window: provisional ? withoutBoundary(observed) : observed,
      logicalWindowId: window.id,
      generation: window.generation,
      cycleId,
      inLifecycle: true,
    };
  });
  if (inventoryMode === 'complete') markAbsent(byKey, new Set(reported.map(windowKeyOf)), observation);
  for (const key of observation.removed) {
    const window = byKey.get(key);
    if (window !== undefined) byKey.set(key, deactivated(window, observedAtMs));
  }
  return { windows: withParents([...byKey.values()], provider), rows };
}

function withoutBoundary({ cycle_start_ms: _start, cycle_end_ms: _end, ...window }: SnapshotWindow): SnapshotWindow {
  return { ...window, boundary_accuracy: 'unknown' };
}

interface Seeing {
  readonly byKey: Map<string, WindowState>;
  /** Keys of all windows of the observation. */
  readonly named: ReadonlySet<string>;
  readonly observation: QuotaObservation;
  readonly newId: () => string;
}

/** The observed window, present from now on. */
function seenWindow({ byKey, named, observation, newId }: Seeing, observed: SnapshotWindow): WindowState {
  const key = windowKeyOf(observed);
  const known = byKey.get(key) ?? underOldName(byKey, named, observed, observation);
  const { observedAtMs } = observation;
  const told = {
    key,
    windowId: observed.provider_window_id,
    containerWindowId: observed.container_provider_window_id ?? known?.containerWindowId ?? '',
    mode: observed.window_mode === 'unknown' ? (known?.mode ?? 'unknown') : observed.window_mode,
    lastSeenMs: observedAtMs,
    availability: 'active',
    missingSinceMs: null,
    deactivatedAtMs: null,
  } as const;
  if (known === undefined) {
    return {
      ...told,
      id: newId(),
      scope: scopeOfWindow(observed),
      inventoryScope: observation.inventoryScope,
      generation: 1,
      activationId: newId(),
      firstSeenMs: observedAtMs,
      cycles: [],
    };
  }
  if (known.key !== key) byKey.delete(known.key);
  const returned = known.availability === 'inactive';
  return {
    ...known,
    ...told,
    generation: returned ? known.generation + 1 : known.generation,
    activationId: returned ? newId() : known.activationId,
  };
}

/** In one answer the weekly window is the second one, in the next the only one. */
const SLOTS: ReadonlySet<string> = new Set(SLOT_NAMES);

function underOldName(
  byKey: ReadonlyMap<string, WindowState>,
  named: ReadonlySet<string>,
  observed: SnapshotWindow,
  { provider }: QuotaObservation,
): WindowState | undefined {
  const scope = scopeOfWindow(observed);
  for (const alias of observed.provider_window_aliases ?? []) {
    if (SLOTS.has(alias)) continue;
    const id = provider === 'codex' ? canonicalCodexWindowId(alias, observed.window_kind ?? '') : alias;
    const key = windowKey(id, scope);
    const known = named.has(key) ? undefined : byKey.get(key);
    if (known !== undefined) return known;
  }
  return undefined;
}

/**
 * Windows that a complete observation leaves out are missing, and gone when a later one leaves them out too. A window
 * within another one stays as long as its container: answers leave it out while it is unused.
 */
function markAbsent(
  byKey: Map<string, WindowState>,
  reported: ReadonlySet<string>,
  { provider, observedAtMs }: QuotaObservation,
): void {
  const absent = [...byKey.values()].filter(({ key }) => !reported.has(key));
  const isInner = (window: WindowState): boolean =>
    provider === 'codex' && codexContainerIds(window.windowId).length > 0;
  // Containers first: their state decides about the windows within.
  for (const window of [...absent.filter((each) => !isInner(each)), ...absent.filter(isInner)]) {
    if (isInner(window) && containerOf(window, byKey, provider) !== null) continue;
    byKey.set(window.key, missing(window, observedAtMs));
  }
}

function missing(window: WindowState, atMs: number): WindowState {
  if (window.availability === 'active') return { ...window, availability: 'pending_absent', missingSinceMs: atMs };
  const since = window.missingSinceMs ?? atMs;
  return window.availability === 'pending_absent' && atMs > since ? deactivated(window, since) : window;
}

function deactivated(window: WindowState, atMs: number): WindowState {
  if (window.availability === 'inactive') return window;
  const cycles = closed(window.cycles, atMs, 'window_removed');
  return { ...window, availability: 'inactive', deactivatedAtMs: atMs, cycles };
}

/** The container of the given window, unless it is gone. */
function containerOf(
  window: WindowState,
  windows: ReadonlyMap<string, WindowState>,
  provider: QuotaObservation['provider'],
): WindowState | null {
  const ids = provider === 'codex' ? codexContainerIds(window.windowId) : [window.containerWindowId];
  for (const id of ids) {
    const found = id === '' ? undefined : windows.get(windowKey(id, window.scope));
    if (found !== undefined && found.availability !== 'inactive') return found;
  }
  return null;
}

/** Links a cycle to the container's cycle in which it began. */
function withParents(windows: readonly WindowState[], provider: QuotaObservation['provider']): readonly WindowState[] {
  const byKey = byKeyOf(windows);
  return windows.map((window) => {
    const cycle = currentCycle(window);
    if (cycle === null || cycle.parentCycleId !== null) return window;
    const container = containerOf(window, byKey, provider);
    const parent = container === null ? null : currentCycle(container);
    if (parent === null) return window;
    return { ...window, cycles: [...window.cycles.slice(0, -1), { ...cycle, parentCycleId: parent.id }] };
  });
}
