import { currentCycle, type QuotaState, type WindowState } from './lifecycle-state.ts';

/** How often the windows of an observation were seen again without telling anything new. */
export interface Repeats {
  /** Ids of the windows as states know them, each with the percent it told last. */
  readonly percents: ReadonlyMap<string, number | null>;
  /** Since the state that is brought up to date. */
  readonly times: number;
  readonly lastMs: number;
}

/** The repeats of the windows that were seen last of all. */
export interface NewestRepeats extends Repeats {
  readonly authority: number;
  readonly observationId: string;
  readonly hash: string;
  /** As it was before the last one. */
  readonly previous: { readonly percents: ReadonlyMap<string, number | null>; readonly lastMs: number };
}

/**
 * What `observe` makes of a state when it is given every single one of the observations that are counted here. That they may
 * be counted is for the caller to know: they are partial and newer than any other of their inventory, and each tells of the
 * same windows with the same members as the one that the state knows, except for its id, its time, a percent that is not
 * lower than before, and a boundary that neither is more accurate nor begins another cycle. Such an observation opens,
 * closes and moves nothing.
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
