import { JITTER_MS } from '@manager/core/accounts/quota/counter-reset';
import { authorityOf } from '@manager/core/accounts/quota/lifecycle';
import { currentCycle, type QuotaState, type WindowState } from '@manager/core/accounts/quota/lifecycle-state';
import { withRepeats } from '@manager/core/accounts/quota/repeats';
import type { InventoryMode, QuotaSource, SnapshotWindow } from '@manager/core/contract/quotas/snapshots';
import { compareCodePoints } from '@manager/core/json/text';
import { sha256Hex } from '../../platform/sha256.ts';
import { type EndRange, endRange, isSamePercent, isWithin, type WindowMembers } from './window-members.ts';

/**
 * Runs: consecutive equal observations of the same windows. Only the first observation of a run changes state and rows; of the
 * others the account stores the newest, and their number.
 *
 * An observation repeats a run when it is newer than everything of its inventory, its windows have the same members, each
 * percent is the same whole percent and not lower, and each end is the same end (a derived one: within a minute of the row's).
 * By the rules of the lifecycle such an observation only counts: it opens, closes and corrects nothing. So state and rows with
 * the runs added equal those after applying and storing each observation.
 */
export interface Runs {
  readonly source: QuotaSource;
  readonly inventoryScope: string;
  /** The newest observation of the inventory belongs to one of the runs. */
  readonly newestMs: number;
  /** Of distinct windows: requests for some models count separate windows. */
  readonly runs: readonly Run[];
}

/** One observation of a run. Percents are in the order of its windows. */
export interface RunObservation {
  readonly atMs: number;
  readonly id: string;
  readonly percents: readonly (number | null)[];
}

export interface Run {
  /** Digest of the common content of its observations. */
  readonly content: string;
  readonly sinceMs: number;
  readonly last: RunObservation;
  readonly previous: RunObservation | null;
  /** Observations that are not in state and rows yet. */
  readonly times: number;
  /** In the order of the observation; null = the window belongs to another inventory. */
  readonly windows: readonly (RunWindow | null)[];
}

export interface RunWindow {
  /** Of the window, as in the state. */
  readonly id: string;
  readonly row: number;
  readonly ends: EndRange;
  /** The row before the first observation of the run; null = the run created the row. */
  readonly before: RowEnd | null;
}

/** The values of a row from its newest observation. */
export interface RowEnd {
  readonly atMs: number;
  readonly id: string;
  readonly usedPercent: number | null;
  readonly startMs: number | null;
  readonly endMs: number | null;
  readonly rareMembers: string | null;
}

/** A new observation, in the form for runs. */
export interface NewObservation {
  readonly content: string;
  readonly source: QuotaSource;
  readonly inventoryScope: string;
  readonly atMs: number;
  readonly id: string;
  readonly windows: readonly Pick<WindowMembers, 'usedPercent' | 'endMs'>[];
}

/** `new`: state and rows must be updated. `known`: it contains nothing new. */
export type Repetition = 'new' | 'known' | Runs;

export function repetition(known: Runs | null, observed: NewObservation): Repetition {
  if (known === null || !isOf(known, observed)) return 'new';
  const run = known.runs.find(({ content }) => content === observed.content);
  if (run === undefined || !isRepeated(run, observed)) return 'new';
  const { atMs } = observed;
  if (atMs < known.newestMs) return atMs >= run.sinceMs ? 'known' : 'new';
  const percents = observed.windows.map(({ usedPercent }) => usedPercent);
  const last = { atMs, id: observed.id, percents };
  if (atMs === known.newestMs) {
    // Of observations of the same time the one with the higher id counts.
    if (run.last.atMs !== atMs || percents.some((percent, index) => percent !== run.last.percents[index])) return 'new';
    const order = compareCodePoints(observed.id, run.last.id);
    if (order <= 0) return 'known';
    return run.times === 0 ? 'new' : withRun(known, { ...run, last });
  }
  const isFalling = percents.some((percent, index) => (percent ?? 0) < (run.last.percents[index] ?? 0));
  if (isFalling) return 'new';
  return { ...withRun(known, { ...run, last, previous: run.last, times: run.times + 1 }), newestMs: atMs };
}

/** Whether the runs are of that source and inventory; others are not counted. */
export function isOf(known: Runs, { source, inventoryScope }: Pick<Runs, 'source' | 'inventoryScope'>): boolean {
  return known.source === source && known.inventoryScope === inventoryScope;
}

function isRepeated(run: Run, { windows }: NewObservation): boolean {
  return windows.every(({ usedPercent, endMs }, index) => {
    const window = run.windows[index] ?? null;
    if (!isSamePercent(run.last.percents[index] ?? null, usedPercent)) return false;
    return window === null || isWithin(window.ends, endMs);
  });
}

/** Replaces the run with the same content. */
function withRun(known: Runs, run: Run): Runs {
  const others = known.runs.filter(({ content }) => content !== run.content);
  return { ...known, runs: [...others, run] };
}

/** The run of the newest observation. */
export function newestRun({ runs, newestMs }: Runs): Run | null {
  return runs.find(({ last }) => last.atMs === newestMs) ?? null;
}

/** Identifies an observation of a run; the hash for `observe`. */
export function runObservationHash(content: string, { atMs, id, percents }: RunObservation): string {
  return sha256Hex(JSON.stringify([content, atMs, id, percents])).slice(0, 32);
}

/** Runs consist of partial observations of events. */
export function isRunSource(source: QuotaSource, mode: InventoryMode): boolean {
  return mode === 'partial' && (source === 'response_header' || source === 'response_body');
}

/** The state including everything that was only counted. */
export function caughtUp(state: QuotaState, known: Runs | null): QuotaState {
  if (known === null || known.runs.every(({ times }) => times === 0)) return state;
  const newest = newestRun(known);
  const others = known.runs.filter((run) => run !== newest && run.times > 0).map(repeatsOf);
  if (newest === null || newest.times === 0) return withRepeats(state, known.inventoryScope, others, null);
  const { last, previous } = newest;
  return withRepeats(state, known.inventoryScope, others, {
    ...repeatsOf(newest),
    authority: authorityOf('partial', known.source),
    observationId: last.id,
    hash: runObservationHash(newest.content, last),
    previous:
      previous === null
        ? { lastMs: last.atMs, percents: new Map() }
        : { lastMs: previous.atMs, percents: percentsOf(newest, previous) },
  });
}

function repeatsOf(run: Run) {
  return { percents: percentsOf(run, run.last), times: run.times, lastMs: run.last.atMs };
}

function percentsOf(run: Run, observation: RunObservation): ReadonlyMap<string, number | null> {
  return new Map(
    run.windows.flatMap((window, index) =>
      window === null ? [] : [[window.id, observation.percents[index] ?? null] as const],
    ),
  );
}

/** The same runs after state and rows were updated. */
export function withoutRepeats(known: Runs): Runs {
  return { ...known, runs: known.runs.map((run) => (run.times === 0 ? run : { ...run, times: 0 })) };
}

/**
 * Ends that a repeated observation may have: the end of its row, but none that starts the next cycle.
 *
 * @param rowEndMs of the row of the run
 * @param state of the window after the first observation of the run
 */
export function endsOf(observed: SnapshotWindow, rowEndMs: number | null, state: WindowState | null): EndRange {
  const ends = endRange(rowEndMs, observed.boundary_accuracy === 'derived');
  const cycle = state === null ? null : currentCycle(state);
  const { duration_seconds: seconds } = observed;
  if (ends.to === null || seconds === undefined || cycle === null || cycle.scheduledEndMs === null) return ends;
  const nextCycleEndsMs = cycle.scheduledEndMs - JITTER_MS + seconds * 1000;
  return { ...ends, to: Math.min(ends.to, nextCycleEndsMs - 1) };
}

/** The runs of an account with a new one. Runs with one of the same windows are over. */
export function withNewRun(known: Runs | null, run: Run, of: Pick<Runs, 'source' | 'inventoryScope'>): Runs {
  const { source, inventoryScope } = of;
  const ids = new Set(run.windows.map((window) => window?.id));
  const others =
    known !== null && isOf(known, of)
      ? known.runs.filter(
          ({ content, windows }) =>
            content !== run.content && !windows.some((window) => window !== null && ids.has(window.id)),
        )
      : [];
  return { source, inventoryScope, newestMs: run.last.atMs, runs: [...others, run].slice(-MAX_RUNS) };
}

/** Per account; the oldest is dropped, which only costs time. */
const MAX_RUNS = 8;
