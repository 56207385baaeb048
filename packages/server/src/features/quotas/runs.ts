import { JITTER_MS } from '@manager/core/accounts/quota/counter-reset';
import { authorityOf } from '@manager/core/accounts/quota/lifecycle';
import { currentCycle, type QuotaState, type WindowState } from '@manager/core/accounts/quota/lifecycle-state';
import { withRepeats } from '@manager/core/accounts/quota/repeats';
import type { InventoryMode, QuotaSource, SnapshotWindow } from '@manager/core/contract/quotas/snapshots';
import { compareCodePoints } from '@manager/core/json/text';
import { sha256Hex } from '../../platform/sha256.ts';
import { type EndRange, endRange, isSamePercent, isWithin, type WindowMembers } from './window-members.ts';

/**
 * Runs: observations of the same windows that said the same one after the other. Of such a run only the first observation
 * moves state and rows; of the others the account remembers the newest, and how many they were.
 *
 * An observation repeats a run when it is newer than everything of its inventory, its windows have the same members, each
 * percent is the same whole percent and not lower, and each end is the same end (of derived ones: within a minute of that of
 * the row). By the rules of the lifecycle such an observation only counts: it opens, closes and corrects nothing. So state and
 * rows with the runs added say what they would say if each observation had been applied and stored for itself.
 */
export interface Runs {
  readonly source: QuotaSource;
  readonly inventoryScope: string;
  /** The newest observation of the inventory belongs to one of the runs. */
  readonly newestMs: number;
  /** Of windows that are different ones: requests for some models count windows of their own. */
  readonly runs: readonly Run[];
}

/** One observation of a run. Percents are in the order of its windows. */
export interface Told {
  readonly atMs: number;
  readonly id: string;
  readonly percents: readonly (number | null)[];
}

export interface Run {
  /** Digest of what its observations have in common. */
  readonly content: string;
  readonly sinceMs: number;
  readonly last: Told;
  readonly previous: Told | null;
  /** Observations that state and rows do not know of. */
  readonly times: number;
  /** In the order of the observation; null = the window belongs to another inventory. */
  readonly windows: readonly (RunWindow | null)[];
}

export interface RunWindow {
  /** Of the window, as states know it. */
  readonly id: string;
  readonly row: number;
  readonly ends: EndRange;
  /** What the row said before the first observation of the run; null = the row was made by it. */
  readonly before: RowEnd | null;
}

/** What a row says of the newest observation it stands for. */
export interface RowEnd {
  readonly atMs: number;
  readonly id: string;
  readonly usedPercent: number | null;
  readonly startMs: number | null;
  readonly endMs: number | null;
  readonly rest: string | null;
}

/** A new observation, as runs see it. */
export interface Telling {
  readonly content: string;
  readonly source: QuotaSource;
  readonly inventoryScope: string;
  readonly atMs: number;
  readonly id: string;
  readonly windows: readonly Pick<WindowMembers, 'usedPercent' | 'endMs'>[];
}

/** `new`: state and rows have to be looked at. `known`: everything that it says is known. */
export type Repetition = 'new' | 'known' | Runs;

export function repetition(known: Runs | null, telling: Telling): Repetition {
  if (known === null || !isOf(known, telling)) return 'new';
  const run = known.runs.find(({ content }) => content === telling.content);
  if (run === undefined || !isRepeated(run, telling)) return 'new';
  const { atMs } = telling;
  if (atMs < known.newestMs) return atMs >= run.sinceMs ? 'known' : 'new';
  const percents = telling.windows.map(({ usedPercent }) => usedPercent);
  const last = { atMs, id: telling.id, percents };
  if (atMs === known.newestMs) {
    // Of observations of the same time the one of the higher id counts.
    if (run.last.atMs !== atMs || percents.some((percent, index) => percent !== run.last.percents[index])) return 'new';
    const order = compareCodePoints(telling.id, run.last.id);
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

function isRepeated(run: Run, { windows }: Telling): boolean {
  return windows.every(({ usedPercent, endMs }, index) => {
    const window = run.windows[index] ?? null;
    if (!isSamePercent(run.last.percents[index] ?? null, usedPercent)) return false;
    return window === null || isWithin(window.ends, endMs);
  });
}

/** The runs with a new one in place of those of the same content. */
function withRun(known: Runs, run: Run): Runs {
  const others = known.runs.filter(({ content }) => content !== run.content);
  return { ...known, runs: [...others, run] };
}

/** The run of the newest observation. */
export function newestRun({ runs, newestMs }: Runs): Run | null {
  return runs.find(({ last }) => last.atMs === newestMs) ?? null;
}

/** Names an observation of a run; what `observe` calls its hash. */
export function hashOfTold(content: string, { atMs, id, percents }: Told): string {
  return sha256Hex(JSON.stringify([content, atMs, id, percents])).slice(0, 32);
}

/** Runs are made of partial observations of events. */
export function isRunSource(source: QuotaSource, mode: InventoryMode): boolean {
  return mode === 'partial' && (source === 'response_header' || source === 'response_body');
}

/** The state with everything that was only counted. */
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
    hash: hashOfTold(newest.content, last),
    previous:
      previous === null
        ? { lastMs: last.atMs, percents: new Map() }
        : { lastMs: previous.atMs, percents: percentsOf(newest, previous) },
  });
}

function repeatsOf(run: Run) {
  return { percents: percentsOf(run, run.last), times: run.times, lastMs: run.last.atMs };
}

function percentsOf(run: Run, told: Told): ReadonlyMap<string, number | null> {
  return new Map(
    run.windows.flatMap((window, index) =>
      window === null ? [] : [[window.id, told.percents[index] ?? null] as const],
    ),
  );
}

/** The same runs once state and rows know of them. */
export function withoutRepeats(known: Runs): Runs {
  return { ...known, runs: known.runs.map((run) => (run.times === 0 ? run : { ...run, times: 0 })) };
}

/**
 * Ends that later observations of a run may tell: the same end as its row, and none with which the next cycle begins.
 *
 * @param rowEndMs of the row that stands for the run
 * @param state of the window once the first observation of the run was applied
 */
export function endsOf(observed: SnapshotWindow, rowEndMs: number | null, state: WindowState | null): EndRange {
  const ends = endRange(rowEndMs, observed.boundary_accuracy === 'derived');
  const cycle = state === null ? null : currentCycle(state);
  const { duration_seconds: seconds } = observed;
  if (ends.to === null || seconds === undefined || cycle === null || cycle.scheduledEndMs === null) return ends;
  const nextCycleEndsMs = cycle.scheduledEndMs - JITTER_MS + seconds * 1000;
  return { ...ends, to: Math.min(ends.to, nextCycleEndsMs - 1) };
}

/** The runs of an account with a new one. Those that tell of one of the same windows are over. */
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

/** Of an account; the oldest is forgotten, which costs time and nothing else. */
const MAX_RUNS = 8;
