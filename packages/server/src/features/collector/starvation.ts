import type { ListedAuthFile } from '../../gateway/auth-file-list.ts';

type CountedFile = Pick<ListedAuthFile, 'authIndex' | 'requests'>;

/** Smallest number of counted requests that makes missing events significant. */
const NONE_RECEIVED_GROWTH = 20;
const PARTLY_RECEIVED_GROWTH = 50;
const PARTLY_RECEIVED_SHARE = 0.8;
const PARTLY_RECEIVED_READINGS = 3;
const RECOVERED_SHARE = 0.95;

export type StarvedReason = 'no_events' | 'partial';

export interface StarvationReading {
  readonly atMs: number;
  /**
   * Requests counted by the gateway since the previous reading, and how many of them arrived; null = nothing to compare.
   */
  readonly compared: { readonly growth: number; readonly received: number } | null;
}

export interface Starvation {
  /** Compares one list with the previous one. `received` counts per `auth_index` since then. */
  read(files: readonly CountedFile[], received: ReadonlyMap<string, number>, atMs: number): StarvationReading;
  /** The next reading only sets the baseline: events were not received for a while. */
  rebase(): void;
  state(): { readonly reason: StarvedReason; readonly sinceMs: number; readonly lost: number | null } | null;
}

/**
 * Detects from the gateway's own counters whether its events arrive here. The two counts need not match exactly (a repeated
 * attempt counts twice), so only large differences are significant, and a surplus of one account does not make up for another.
 */
export function createStarvation(restored: { reason: StarvedReason; sinceMs: number } | null): Starvation {
  let baseline: ReadonlyMap<string, number> | null = null;
  let previousAtMs = 0;
  let state: { reason: StarvedReason; sinceMs: number; lost: number | null } | null =
    restored === null ? null : { ...restored, lost: null };
  /** Consecutive readings with only a part of the events, their start, and the number of missing ones. */
  let partial = { readings: 0, sinceMs: 0, lost: 0 };

  function judge(growth: number, received: number): void {
    const missing = growth - received;
    if (state !== null) {
      state.lost = (state.lost ?? 0) + missing;
      if (growth > 0 && received >= growth * RECOVERED_SHARE) {
        recover();
        return;
      }
    }
    if (growth >= NONE_RECEIVED_GROWTH && received === 0) {
      starve('no_events', previousAtMs, missing);
    } else if (growth >= PARTLY_RECEIVED_GROWTH && received < growth * PARTLY_RECEIVED_SHARE) {
      if (partial.readings === 0) partial = { readings: 0, sinceMs: previousAtMs, lost: 0 };
      partial = { ...partial, readings: partial.readings + 1, lost: partial.lost + missing };
      if (partial.readings >= PARTLY_RECEIVED_READINGS) starve('partial', partial.sinceMs, partial.lost);
    } else if (growth >= PARTLY_RECEIVED_GROWTH) {
      partial = { readings: 0, sinceMs: 0, lost: 0 };
    }
  }

  function starve(reason: StarvedReason, sinceMs: number, lost: number): void {
    if (state === null) state = { reason, sinceMs, lost };
    else state.reason = reason;
  }

  function recover(): void {
    state = null;
    partial = { readings: 0, sinceMs: 0, lost: 0 };
  }

  return {
    read(files, received, atMs) {
      const counts = countsOf(files);
      const before = baseline;
      baseline = counts;
      let compared: StarvationReading['compared'] = null;
      if (before !== null) {
        compared = compare(before, counts, received);
        judge(compared.growth, compared.received);
      }
      previousAtMs = atMs;
      return { atMs, compared };
    },
    rebase() {
      baseline = null;
      partial = { readings: 0, sinceMs: 0, lost: 0 };
    },
    state: () => state,
  };
}

function compare(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  received: ReadonlyMap<string, number>,
): { growth: number; received: number } {
  let growth = 0;
  let arrived = 0;
  for (const [index, count] of after) {
    const old = before.get(index);
    // New, or counting from zero after a restart of the gateway: a baseline, nothing to compare.
    if (old === undefined || count < old) continue;
    growth += count - old;
    arrived += Math.min(count - old, received.get(index) ?? 0);
  }
  return { growth, received: arrived };
}

/** Requests per auth index; entries that share one count together. */
function countsOf(files: readonly CountedFile[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { authIndex, requests } of files) {
    if (authIndex !== '' && requests !== null) counts.set(authIndex, (counts.get(authIndex) ?? 0) + requests);
  }
  return counts;
}
