import type { FieldSources, QuotaCycle, QuotaWindowView, SnapshotWindow } from '../../contract/quotas/snapshots.ts';
import { compareCodePoints } from '../../json/text.ts';
import type { QuotaProvider } from '../provider.ts';
import { isReliableAccuracy, JITTER_MS } from './counter-reset.ts';
import { cyclesOfWindows, type WindowCycles } from './cycle-view.ts';
import type { QuotaState, WindowState } from './lifecycle-state.ts';
import { XAI_FREE_WINDOW_ID } from './observation.ts';

/** How many rows per window and source an answer uses, the newest ones. */
export const ROWS_PER_SOURCE = 8;
/** The most stored rows that one answer reads for an account. */
export const MAX_CANDIDATE_ROWS = 2_000;

/** A stored observation of one window that took part in the lifecycle. */
export interface SnapshotRow {
  readonly id: number;
  readonly logicalWindowId: string;
  readonly window: SnapshotWindow;
}

export interface ReadQuestion {
  readonly provider: QuotaProvider;
  readonly nowMs: number;
  readonly includeInactive: boolean;
}

/**
 * The known windows of one account.
 *
 * @param rows per window and source the newest `ROWS_PER_SOURCE` rows that count
 */
export function windowViews(
  state: QuotaState,
  rows: readonly SnapshotRow[],
  question: ReadQuestion,
): QuotaWindowView[] {
  const cycles = cyclesOfWindows(state.windows);
  const views = state.windows
    .filter(({ availability }) => question.includeInactive || availability !== 'inactive')
    .flatMap((window) => {
      const own = rows.filter(({ logicalWindowId }) => logicalWindowId === window.id);
      return viewOf(window, own, cycles.get(window.id) ?? { current: null, previous: null }, question) ?? [];
    });
  return views.sort(
    (left, right) =>
      sortLength(left) - sortLength(right) ||
      compareCodePoints(left.provider_window_id, right.provider_window_id) ||
      left.logical_window_id - right.logical_window_id,
  );
}

/** Windows without a length come last. */
function sortLength({ window_mode: mode, duration_seconds: seconds }: QuotaWindowView): number {
  return mode === 'unknown' || mode === 'non_window'
    ? Number.MAX_SAFE_INTEGER
    : (seconds ?? Number.MAX_SAFE_INTEGER - 1);
}

function isOver(window: SnapshotWindow, nowMs: number): boolean {
  const { window_mode: mode, cycle_end_ms: end, duration_seconds: seconds } = window;
  if (mode === 'fixed' || mode === 'calendar') return end !== undefined && end <= nowMs;
  return mode === 'rolling' && seconds !== undefined && window.observed_at_ms + seconds * 1000 < nowMs;
}

function boundaryRank(window: SnapshotWindow): number {
  const isComplete = window.cycle_start_ms !== undefined && window.cycle_end_ms !== undefined;
  return (isComplete ? 2 : 0) + (isReliableAccuracy(window.boundary_accuracy) ? 1 : 0);
}

/** The row that represents the window: of its newest observation, with the best boundary. */
function chosenRow(window: WindowState, rows: readonly SnapshotRow[], nowMs: number): SnapshotRow | null {
  const order = (row: SnapshotRow): readonly number[] => [
    row.window.observed_at_ms === window.lastSeenMs ? 1 : 0,
    (isOver(row.window, nowMs) ? 0 : 4) + boundaryRank(row.window),
    row.window.observed_at_ms,
    row.id,
  ];
  const [best = null] = [...rows].sort((left, right) => compareLists(order(right), order(left)));
  return best;
}

function compareLists(left: readonly number[], right: readonly number[]): number {
  for (const [index, value] of left.entries()) {
    const difference = value - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * The row whose boundary counts. Boundaries derived from seconds jitter with every answer: a stable one of the same
 * cycle is preferred, the newest exact one, else the one with the earliest start.
 */
function boundaryRow(chosen: SnapshotRow, rows: readonly SnapshotRow[]): SnapshotRow {
  const own = chosen.window;
  if (own.source !== 'response_header' || own.window_mode !== 'fixed' || own.boundary_accuracy !== 'derived')
    return chosen;
  const ownEnd = own.cycle_end_ms;
  if (ownEnd === undefined) return chosen;
  const same = rows.filter(
    ({ window: { cycle_end_ms: end, cycle_start_ms: start, duration_seconds: seconds } }) =>
      end !== undefined &&
      start !== undefined &&
      seconds === own.duration_seconds &&
      Math.abs(end - ownEnd) <= JITTER_MS,
  );
  const newestFirst = [...same].sort((a, b) => b.window.observed_at_ms - a.window.observed_at_ms || b.id - a.id);
  const exact = newestFirst.find(({ window }) => window.boundary_accuracy === 'exact');
  const derived = same.filter(({ window }) => window.boundary_accuracy === 'derived');
  const [earliest] = derived.sort((a, b) => startOf(a) - startOf(b) || a.id - b.id);
  return exact ?? earliest ?? chosen;
}

function startOf({ window }: SnapshotRow): number {
  return window.cycle_start_ms ?? Number.MAX_SAFE_INTEGER;
}

type BoundaryMembers = Pick<
  SnapshotWindow,
  'boundary_accuracy' | 'cycle_start_ms' | 'cycle_end_ms' | 'duration_seconds'
>;

function boundaryMembers(window: SnapshotWindow, cycle: QuotaCycle | null): BoundaryMembers {
  if (cycle === null) {
    const { boundary_accuracy, cycle_start_ms: start, cycle_end_ms: end, duration_seconds: seconds } = window;
    return { boundary_accuracy, ...times(start, end, seconds) };
  }
  return {
    boundary_accuracy: cycle.boundary_accuracy,
    ...times(cycle.actual_start_ms, cycle.scheduled_end_ms, cycle.duration_seconds ?? window.duration_seconds),
  };
}

function times(start: number | undefined, end: number | undefined, seconds: number | undefined) {
  return {
    ...(start === undefined ? {} : { cycle_start_ms: start }),
    ...(end === undefined ? {} : { cycle_end_ms: end }),
    ...(seconds === undefined ? {} : { duration_seconds: seconds }),
  };
}

type PlanMembers = Pick<SnapshotWindow, 'plan_type' | 'reset_credits_available' | 'reset_credits'>;

/**
 * Codex does not send plan and reset credits with every answer: they come from the newest row that has them and is not over.
 */
function planMembers(
  chosen: SnapshotRow,
  rows: readonly SnapshotRow[],
  { provider, nowMs }: ReadQuestion,
  isStale: boolean,
): { readonly members: PlanMembers; readonly sources: FieldSources } {
  const given = provider === 'codex' ? rows : [chosen];
  const newestFirst = [...given].sort((a, b) => b.window.observed_at_ms - a.window.observed_at_ms || b.id - a.id);
  const fresh = newestFirst.filter(({ window }) => !isOver(window, nowMs));
  const plan = [...fresh, chosen].find(({ window }) => window.plan_type !== undefined)?.window;
  const countRow = isStale
    ? undefined
    : fresh.find(({ window }) => window.reset_credits_available !== undefined)?.window;
  const listRow = isStale ? undefined : fresh.find(({ window }) => window.reset_credits !== undefined)?.window;
  const isUsedUp = countRow?.reset_credits_available === 0 && countRow.observed_at_ms >= (listRow?.observed_at_ms ?? 0);
  const list = isUsedUp ? undefined : listRow;
  return {
    members: {
      ...(plan?.plan_type === undefined ? {} : { plan_type: plan.plan_type }),
      ...(countRow?.reset_credits_available === undefined
        ? {}
        : { reset_credits_available: countRow.reset_credits_available }),
      ...(list?.reset_credits === undefined ? {} : { reset_credits: list.reset_credits }),
    },
    sources: {
      ...(plan === undefined ? {} : { plan_type: sourceOf(plan) }),
      ...(countRow === undefined ? {} : { reset_credits_available: sourceOf(countRow) }),
      ...(list === undefined ? {} : { reset_credits: sourceOf(list) }),
    },
  };
}

/**
 * Members that follow from others, and that clients expect. The scope key is not stored: a window with another key would be
 * another window.
 */
function impliedMembers(
  window: Pick<
    SnapshotWindow,
    'used_percent' | 'remaining_percent' | 'model_scope_key' | 'model_ids' | 'provider_window_id'
  >,
  provider: QuotaProvider,
): Pick<SnapshotWindow, 'remaining_percent' | 'model_scope_key'> {
  const { used_percent: used, remaining_percent: remaining, model_scope_key: key, model_ids: [model] = [] } = window;
  const isFreeXai = provider === 'xai' && window.provider_window_id === XAI_FREE_WINDOW_ID;
  return {
    ...(remaining === undefined && used !== undefined ? { remaining_percent: 100 - used } : {}),
    ...(isFreeXai && key === undefined && model !== undefined ? { model_scope_key: model } : {}),
  };
}

function sourceOf({ source, observed_at_ms }: SnapshotWindow) {
  return { source, observed_at_ms };
}

function viewOf(
  window: WindowState,
  rows: readonly SnapshotRow[],
  { current, previous }: WindowCycles,
  question: ReadQuestion,
): QuotaWindowView | null {
  const chosen = chosenRow(window, rows, question.nowMs);
  if (chosen === null) return null;
  const {
    plan_type: _plan,
    reset_credits: _credits,
    reset_credits_available: _available,
    cycle_start_ms: _start,
    cycle_end_ms: _end,
    duration_seconds: _seconds,
    ...own
  } = chosen.window;
  const stable = boundaryRow(chosen, rows);
  const shown: SnapshotWindow = {
    ...own,
    ...impliedMembers(own, question.provider),
    ...boundaryMembers(stable.window, current),
  };
  const isStale = window.availability !== 'active' || isOver(shown, question.nowMs);
  const plan = planMembers(chosen, rows, question, isStale);
  return {
    ...shown,
    ...plan.members,
    stale: isStale,
    field_sources: { quota: sourceOf(chosen.window), boundary: sourceOf(stable.window), ...plan.sources },
    logical_window_id: Number(window.id),
    activation_generation: window.generation,
    availability: window.availability,
    first_seen_at_ms: window.firstSeenMs,
    last_seen_at_ms: window.lastSeenMs,
    ...(window.missingSinceMs === null ? {} : { missing_since_ms: window.missingSinceMs }),
    ...(window.deactivatedAtMs === null ? {} : { deactivated_at_ms: window.deactivatedAtMs }),
    ...(current === null ? {} : { current_cycle: current }),
    ...(previous === null ? {} : { previous_cycle: previous }),
  };
}
