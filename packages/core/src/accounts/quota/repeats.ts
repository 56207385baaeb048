import { currentCycle, type QuotaState, type WindowState } from './lifecycle-state.ts';

/** How often the windows of an observation were seen again without a change. */
export interface Repeats {
  /** Window ids as in the state, each with its last reported percent. */
  readonly percents: ReadonlyMap<string, number | null>;
  /** Since the state was updated. */
  readonly times: number;
  readonly lastMs: number;
}

/** The repeats of the most recently seen windows. */
export interface NewestRepeats extends Repeats {
  readonly authority: number;
  readonly observationId: string;
  readonly hash: string;
  /** The state before the last repeat. */
  readonly previous: { readonly percents: ReadonlyMap<string, number | null>; readonly lastMs: number };
}

/**
 * The state that `observe` would return after every one of the counted observations. The caller checks that they can be
 * counted: they are partial and newer than any other of their inventory, and each has the same windows with the same
 * members as the state, except for id, time, a percent that is not lower than before, and a boundary that is not more
 * accurate and starts no other cycle. Such an observation opens, closes and changes no cycle.
 *
 * @param others repeats of windows that are not those of `newest`
 */
export function withRepeats(
  state: QuotaState,
  inventoryScope: string,
  others: readonly Repeats[],
  newest: NewestRepeats | null,
): QuotaState {
  const caughtUp = others.reduce(counted, state.windows);
  if (newest === null) return { ...state, windows: caughtUp };
  const { authority, observationId, hash, lastMs, previous } = newest;
  const before = counted(caughtUp, { ...previous, times: newest.times - 1 });
  const windowsBefore = before.filter((window) => window.inventoryScope === inventoryScope);
  return {
    watermarks: {
      ...state.watermarks,
      [inventoryScope]: { observedAtMs: lastMs, authority, observationId, hash, windowsBefore },
    },
    windows: counted(before, { ...newest, times: 1 }),
  };
}

function counted(
  windows: readonly WindowState[],
  { percents, times, lastMs }: Pick<Repeats, 'percents' | 'times' | 'lastMs'>,
): readonly WindowState[] {
  return windows.map((window) => {
    const percent = percents.get(window.id);
    if (percent === undefined) return window;
    const cycle = currentCycle(window);
    if (cycle === null) return { ...window, lastSeenMs: lastMs };
    const again = {
      ...cycle,
      observations: cycle.observations + times,
      firstPercent: cycle.firstPercent ?? percent,
      lastPercent: percent ?? cycle.lastPercent,
    };
    return { ...window, lastSeenMs: lastMs, cycles: [...window.cycles.slice(0, -1), again] };
  });
}
