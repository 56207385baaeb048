import { shownPart } from '@manager/core/accounts/quota/cycle-view';
import type { CycleState, QuotaState, Watermark, WindowState } from '@manager/core/accounts/quota/lifecycle-state';

/**
 * The state of an account as JSON. A watermark has the windows from before it, which mostly equal the current ones, with their
 * cycles: each is written once and referred to by its position. Cycles, of which there are many, are lists without names; those
 * that are no longer shown are left out.
 */
interface StoredState {
  readonly cycles: readonly StoredCycle[];
  readonly windows: readonly (Omit<WindowState, 'cycles'> & { readonly cycles: readonly number[] })[];
  readonly now: readonly number[];
  readonly watermarks: Readonly<Record<string, StoredWatermark>>;
}

type StoredWatermark = Omit<Watermark, 'windowsBefore'> & { readonly before: readonly number[] };

type StoredCycle = readonly [
  id: string,
  activationId: string,
  scheduledStartMs: number | null,
  scheduledEndMs: number | null,
  durationSeconds: number | null,
  accuracy: CycleState['accuracy'],
  actualStartMs: number,
  actualEndMs: number | null,
  endReason: CycleState['endReason'],
  parentCycleId: string | null,
  firstObservedMs: number,
  observations: number,
  confirmed: 0 | 1,
  firstPercent: number | null,
  lastPercent: number | null,
];

export function encodeState(state: QuotaState): string {
  const cycles = places<CycleState>();
  const windows = places<WindowState>();
  const now = state.windows.map(windows.of);
  const watermarks = Object.fromEntries(
    Object.entries(state.watermarks).map(([scope, { windowsBefore, ...mark }]) => [
      scope,
      { ...mark, before: windowsBefore.map(windows.of) },
    ]),
  );
  const stored = windows.all.map((window) => ({ ...window, cycles: shownPart(window.cycles).map(cycles.of) }));
  return JSON.stringify({ cycles: cycles.all.map(listed), windows: stored, now, watermarks } satisfies StoredState);
}

export function decodeState(text: string): QuotaState {
  const stored = JSON.parse(text) as StoredState;
  const cycles = stored.cycles.map(named);
  const windows = stored.windows.map((window): WindowState => ({ ...window, cycles: chosen(cycles, window.cycles) }));
  return {
    watermarks: Object.fromEntries(
      Object.entries(stored.watermarks).map(([scope, { before, ...mark }]) => [
        scope,
        { ...mark, windowsBefore: chosen(windows, before) },
      ]),
    ),
    windows: chosen(windows, stored.now),
  };
}

function chosen<Value>(values: readonly Value[], places: readonly number[]): readonly Value[] {
  return places.flatMap((place) => values[place] ?? []);
}

/** Gives each object a position, the same one when it repeats. */
function places<Value extends object>() {
  const all: Value[] = [];
  const known = new Map<Value, number>();
  return {
    all,
    of(this: void, value: Value): number {
      const place = known.get(value) ?? all.push(value) - 1;
      known.set(value, place);
      return place;
    },
  };
}

function listed(cycle: CycleState): StoredCycle {
  return [
    cycle.id,
    cycle.activationId,
    cycle.scheduledStartMs,
    cycle.scheduledEndMs,
    cycle.durationSeconds,
    cycle.accuracy,
    cycle.actualStartMs,
    cycle.actualEndMs,
    cycle.endReason,
    cycle.parentCycleId,
    cycle.firstObservedMs,
    cycle.observations,
    cycle.confirmed ? 1 : 0,
    cycle.firstPercent,
    cycle.lastPercent,
  ];
}

function named(list: StoredCycle): CycleState {
  return {
    id: list[0],
    activationId: list[1],
    scheduledStartMs: list[2],
    scheduledEndMs: list[3],
    durationSeconds: list[4],
    accuracy: list[5],
    actualStartMs: list[6],
    actualEndMs: list[7],
    endReason: list[8],
    parentCycleId: list[9],
    firstObservedMs: list[10],
    observations: list[11],
    confirmed: list[12] === 1,
    firstPercent: list[13],
    lastPercent: list[14],
  };
}
