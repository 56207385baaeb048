import type { QuotaCycle } from '../../contract/quotas/snapshots.ts';
import { isPlainReset, isReliableAccuracy, JITTER_MS } from './counter-reset.ts';
import type { CycleState, WindowState } from './lifecycle-state.ts';

/** A shown cycle: its fragments, cut by a floating boundary, are joined. */
interface ShownCycle extends CycleState {
  readonly fragmentIds: readonly string[];
}

/**
 * A boundary that moved exactly as far as the clock was generated for each answer. The counter was not reset, so both
 * are one cycle.
 */
function isFragment(before: CycleState, after: CycleState): boolean {
  if (before.endReason !== 'early_reset') return false;
  if (before.scheduledStartMs === null || before.scheduledEndMs === null) return false;
  if (after.scheduledStartMs === null || after.scheduledEndMs === null) return false;
  const { lastPercent } = before;
  if (lastPercent !== null && after.firstPercent !== null && isPlainReset(lastPercent, after.firstPercent))
    return false;
  const startMoved = after.scheduledStartMs - before.scheduledStartMs;
  const endMoved = after.scheduledEndMs - before.scheduledEndMs;
  const clockMoved = after.firstObservedMs - before.firstObservedMs;
  return Math.abs(endMoved - startMoved) <= JITTER_MS && Math.abs(clockMoved - startMoved) <= JITTER_MS;
}

/**
 * The cycles that are or may still be shown: the newest one, and two closed ones with all their fragments. When the
 * boundary of the newest one is corrected, it may turn out to be a fragment of the one before it.
 */
export function shownPart(cycles: readonly CycleState[]): readonly CycleState[] {
  let kept = 0;
  let last = cycles.at(-2);
  for (let index = cycles.length - 2; index > 0; index -= 1) {
    const before = cycles[index - 1];
    const first = cycles[index];
    if (before === undefined || first === undefined || last === undefined || isFragment(before, first)) continue;
    if (!isEmpty({ ...last, actualStartMs: first.actualStartMs })) kept += 1;
    if (kept === 2) return cycles.slice(index);
    last = before;
  }
  return cycles;
}

/** A closed cycle without length, as after a short jump to 100 % and back. */
function isEmpty({ actualStartMs, actualEndMs }: CycleState): boolean {
  return actualEndMs === actualStartMs;
}

function shownCycles(cycles: readonly CycleState[]): readonly ShownCycle[] {
  const chains: CycleState[][] = [];
  for (const cycle of cycles) {
    const chain = chains.at(-1);
    const before = chain?.at(-1);
    if (chain !== undefined && before !== undefined && isFragment(before, cycle)) chain.push(cycle);
    else chains.push([cycle]);
  }
  return chains.flatMap(joined);
}

/** The last fragment, with the start of the first one and the id of the most observed one. */
function joined(chain: readonly CycleState[]): readonly ShownCycle[] {
  const [first] = chain;
  const last = chain.at(-1);
  if (first === undefined || last === undefined) return [];
  const best = chain.reduce((most, cycle) => (cycle.observations > most.observations ? cycle : most));
  return [
    {
      ...last,
      id: best.id,
      actualStartMs: first.actualStartMs,
      parentCycleId: first.parentCycleId ?? last.parentCycleId,
      confirmed: chain.some(({ confirmed }) => confirmed),
      fragmentIds: chain.map(({ id }) => id),
    },
  ];
}

export interface WindowCycles {
  readonly current: QuotaCycle | null;
  /** Only when it ends where the current one starts. Cycles without length are skipped: they are no period. */
  readonly previous: QuotaCycle | null;
}

/** The shown cycles of every window of an account, by window id. Links to fragments lead to the joined cycle. */
export function cyclesOfWindows(windows: readonly WindowState[]): ReadonlyMap<string, WindowCycles> {
  const shown = new Map(windows.map((window) => [window.id, shownCycles(window.cycles)]));
  const joinedIds = new Map(
    [...shown.values()].flat().flatMap(({ id, fragmentIds }) => fragmentIds.map((fragment) => [fragment, id] as const)),
  );
  const linked = (cycle: ShownCycle): ShownCycle => ({
    ...cycle,
    parentCycleId: cycle.parentCycleId === null ? null : (joinedIds.get(cycle.parentCycleId) ?? cycle.parentCycleId),
  });
  return new Map([...shown].map(([id, cycles]) => [id, windowCycles(cycles.map(linked))]));
}

function windowCycles(cycles: readonly CycleState[]): WindowCycles {
  const current = cycles.at(-1);
  if (current === undefined || current.actualEndMs !== null) return { current: null, previous: null };
  const isProvisional = !current.confirmed && cycles.at(-2)?.endReason !== 'scheduled';
  const before = cycles.slice(0, -1).findLast((cycle) => !isEmpty(cycle)) ?? null;
  const isAdjacent = before?.actualEndMs != null && Math.abs(current.actualStartMs - before.actualEndMs) <= JITTER_MS;
  return {
    current: cycleView(current, isProvisional),
    previous: before !== null && isAdjacent ? cycleView(before, false) : null,
  };
}

function cycleView(cycle: CycleState, isProvisional: boolean): QuotaCycle {
  const isClosed = cycle.actualEndMs !== null;
  const state = isClosed ? 'closed' : isProvisional ? 'provisional' : 'active';
  const accuracy = isProvisional ? 'unknown' : cycle.accuracy;
  const isForecastable = isClosed
    ? cycle.endReason === 'scheduled'
    : state === 'active' && cycle.scheduledEndMs !== null;
  return {
    id: Number(cycle.id),
    activation_id: Number(cycle.activationId),
    state,
    ...(cycle.scheduledStartMs === null ? {} : { scheduled_start_ms: cycle.scheduledStartMs }),
    ...(cycle.scheduledEndMs === null ? {} : { scheduled_end_ms: cycle.scheduledEndMs }),
    actual_start_ms: cycle.actualStartMs,
    ...(cycle.actualEndMs === null ? {} : { actual_end_ms: cycle.actualEndMs }),
    ...(cycle.durationSeconds === null ? {} : { duration_seconds: cycle.durationSeconds }),
    boundary_accuracy: accuracy,
    ...(cycle.endReason === null ? {} : { end_reason: cycle.endReason }),
    ...(cycle.parentCycleId === null ? {} : { parent_cycle_id: Number(cycle.parentCycleId) }),
    forecast_eligible: isForecastable && isReliableAccuracy(accuracy),
  };
}
