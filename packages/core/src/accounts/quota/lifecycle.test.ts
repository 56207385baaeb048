import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { INVENTORY_MODES, QUOTA_SOURCES } from '../../contract/quotas/snapshots.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { DAY, fiveHour, HOUR, observationAt, recorder, T0, weekly } from '../testing/quota.ts';
import type { QuotaState } from './lifecycle-state.ts';
import type { QuotaObservation } from './observation.ts';
import { windowKeyOf } from './scope.ts';

const END = T0 + 3 * DAY;
const complete = { inventoryMode: 'complete', source: 'inspection' } as const;

describe('windows', () => {
  test('one that two complete observations leave out is gone', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(10, END)]));
    r.see(observationAt(T0 + HOUR, [], complete));
    expect(r.window('weekly')).toMatchObject({ availability: 'pending_absent', missingSinceMs: T0 + HOUR });
    r.see(observationAt(T0 + 2 * HOUR, [], complete));
    expect(r.window('weekly')).toMatchObject({
      availability: 'inactive',
      deactivatedAtMs: T0 + HOUR,
      cycles: [{ endReason: 'window_removed', actualEndMs: T0 + HOUR }],
    });
    r.see(observationAt(T0 + 3 * HOUR, [weekly(11, END)]));
    expect(r.window('weekly')).toMatchObject({ availability: 'active', generation: 2, deactivatedAtMs: null });
    expect(r.window('weekly').cycles.at(-1)?.activationId).toBe(r.window('weekly').activationId);
  });

  test('one that returns before it counts as gone keeps its cycle', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(10, END)]));
    r.see(observationAt(T0 + HOUR, [], complete));
    r.see(observationAt(T0 + 2 * HOUR, [weekly(11, END)]));
    expect(r.window('weekly')).toMatchObject({ availability: 'active', generation: 1, missingSinceMs: null });
    expect(r.window('weekly').cycles).toHaveLength(1);
  });

  test('partial observations do not affect the windows they leave out', () => {
    const r = recorder();
    r.see(observationAt(T0, [fiveHour(1, T0 + HOUR), weekly(10, END)]));
    for (const hours of [1, 2, 3]) r.see(observationAt(T0 + hours * HOUR, [fiveHour(1, T0 + HOUR)]));
    expect(r.window('weekly').availability).toBe('active');
  });

  test('of an account with more and more windows the newest thousand are followed', () => {
    const r = recorder();
    const named = (from: number) =>
      Array.from({ length: 400 }, (_, index) => weekly(1, END, { provider_window_id: `w-${from + index}` }));
    for (const times of [0, 1, 2]) r.see(observationAt(T0 + times * HOUR, named(times * 400)));
    const ids = r.state().windows.map(({ windowId }) => windowId);
    expect(ids).toHaveLength(1_000);
    expect(ids).toContain('w-1199');
    expect(ids.filter((id) => Number(id.slice(2)) < 400)).toHaveLength(200);
  });

  test('a delta removes at once', () => {
    const r = recorder();
    const window = weekly(10, END);
    r.see(observationAt(T0, [window]));
    r.see(observationAt(T0 + 1, [], { inventoryMode: 'delta', removed: [windowKeyOf(window)] }));
    expect(r.window('weekly')).toMatchObject({ availability: 'inactive', deactivatedAtMs: T0 + 1 });
  });

  test('a five-hour window stays as long as its container', () => {
    const r = recorder();
    r.see(observationAt(T0, [fiveHour(1, T0 + HOUR), weekly(10, END)]));
    for (const hours of [1, 2]) r.see(observationAt(T0 + hours * HOUR, [weekly(10, END)], complete));
    expect(r.window('five-hour').availability).toBe('active');
    r.see(observationAt(T0 + 3 * HOUR, [], complete));
    expect(r.window('five-hour').availability).toBe('active');
    r.see(observationAt(T0 + 4 * HOUR, [], complete));
    expect(r.window('weekly').availability).toBe('inactive');
    expect(r.window('five-hour').availability).toBe('pending_absent');
    r.see(observationAt(T0 + 5 * HOUR, [], complete));
    expect(r.window('five-hour').availability).toBe('inactive');
  });

  test('a window of another inventory is stored without a change of its state', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(10, END)]));
    const { rows } = r.see(observationAt(T0 + HOUR, [weekly(90, END)], { inventoryScope: 'codex:other' }));
    expect(rows).toMatchObject([{ inLifecycle: false, cycleId: null, logicalWindowId: r.window('weekly').id }]);
    expect(r.window('weekly').lastSeenMs).toBe(T0);
    r.see(observationAt(T0 + 2 * HOUR, [], { ...complete, inventoryScope: 'codex:other' }));
    expect(r.window('weekly').availability).toBe('active');
  });

  test('an older observation is history only', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(10, END)]));
    const before = r.state();
    const { rows } = r.see(observationAt(T0 - 1, [weekly(5, END), fiveHour(1, T0 + HOUR)]));
    expect(r.state()).toEqual(before);
    expect(rows.map(({ inLifecycle }) => inLifecycle)).toEqual([false, false]);
  });

  test('a window continues under a new name', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(10, END, { provider_window_id: 'old-weekly-0' })]));
    const { id } = r.window('old-weekly-0');
    const named = weekly(11, END, { provider_window_id: 'new-weekly-0', provider_window_aliases: ['old-weekly-0'] });
    r.see(observationAt(T0 + HOUR, [named]));
    expect(r.state().windows.map((window) => [window.id, window.windowId])).toEqual([[id, 'new-weekly-0']]);
    expect(r.window('new-weekly-0').cycles).toHaveLength(1);
  });

  test('a position in an answer is no name of a window', () => {
    const r = recorder();
    const at = (slot: string) => ({ provider_window_aliases: [slot] });
    r.see(observationAt(T0, [fiveHour(10, T0 + HOUR, at('primary'))]));
    r.see(observationAt(T0 + 1, [weekly(3, END, at('primary'))]));
    expect(r.state().windows.map(({ windowId }) => windowId)).toEqual(['five-hour', 'weekly']);
  });

  test('an observation of the same time and higher rank displaces the earlier arrival', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(10, END)]));
    r.see(observationAt(T0 + HOUR, [weekly(60, END)]));
    const { displacedHash } = r.see(observationAt(T0 + HOUR, [weekly(25, END)], { source: 'inspection' }));
    expect(displacedHash).not.toBeNull();
    expect(r.window('weekly').cycles).toMatchObject([{ lastPercent: 25, observations: 2 }]);
    expect(r.rows()).toHaveLength(2);
  });
});

/** Ids by order of appearance, windows by key: independent of the order of arrival. */
function normalized(state: QuotaState): string {
  const names = new Map<string, string>();
  const sorted = {
    watermarks: Object.entries(state.watermarks)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([scope, { windowsBefore: _before, ...mark }]) => [scope, mark]),
    windows: [...state.windows].sort((left, right) => (left.key < right.key ? -1 : 1)),
  };
  return JSON.stringify(sorted, (member, value: unknown) => {
    if (!ID_MEMBERS.has(member) || typeof value !== 'string') return value;
    const name = names.get(value) ?? `name-${names.size}`;
    names.set(value, name);
    return name;
  });
}

const ID_MEMBERS: ReadonlySet<string> = new Set(['id', 'activationId', 'parentCycleId']);

const percents = fc.constantFrom(null, 0, 1, 3, 25, 60, 65, 100);
const accuracies = fc.constantFrom('unknown', 'estimated', 'derived', 'exact');
const ends = fc.constantFrom(END, END + 30_000, END + HOUR, END + 7 * DAY);
const windowArbitrary = fc
  .tuple(fc.constantFrom(weekly, fiveHour), percents, ends, accuracies)
  .map(([make, percent, end, boundary_accuracy]) => make(percent, end, { boundary_accuracy }));

function observationArbitrary(times: fc.Arbitrary<number>): fc.Arbitrary<QuotaObservation> {
  return fc
    .record({
      at: times,
      windows: fc.uniqueArray(windowArbitrary, { maxLength: 2, selector: ({ provider_window_id: id }) => id }),
      source: fc.constantFrom(...QUOTA_SOURCES),
      inventoryMode: fc.constantFrom(...INVENTORY_MODES),
      observationId: fc.constantFrom('', 'a', 'b'),
    })
    .map(({ at, windows, ...change }) => observationAt(at, windows, change));
}

describe('properties', () => {
  test('the order of observations of one time does not matter', () => {
    const earlier = fc.array(observationArbitrary(fc.constantFrom(T0, T0 + HOUR)), { maxLength: 4 });
    const equal = fc.array(observationArbitrary(fc.constant(T0 + 2 * HOUR)), { minLength: 2, maxLength: 5 });
    const permuted = equal.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(earlier, permuted, (before, [one, other]) => {
        const states = [one, other].map((order) => {
          const r = recorder();
          for (const observation of [...before, ...order]) r.see(observation);
          return {
            state: normalized(r.state()),
            rows: r
              .rows()
              .map(({ hash }) => hash)
              .sort(),
          };
        });
        expect(states[0]).toEqual(states[1] ?? { state: '', rows: [] });
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test('cycles of a window never overlap, only the last one is open, and rows point to cycles that exist', () => {
    const times = fc.integer({ min: 0, max: 40 }).map((steps) => T0 + steps * 6 * HOUR);
    fc.assert(
      fc.property(fc.array(observationArbitrary(times), { maxLength: 20 }), (observations) => {
        const r = recorder();
        for (const observation of observations) r.see(observation);
        for (const { cycles, availability } of r.state().windows) {
          for (const [index, cycle] of cycles.entries()) {
            const next = cycles[index + 1];
            if (cycle.actualEndMs === null) expect(next).toBeUndefined();
            else expect(cycle.actualEndMs).toBeGreaterThanOrEqual(cycle.actualStartMs);
            if (next !== undefined) expect(next.actualStartMs).toBeGreaterThanOrEqual(cycle.actualEndMs ?? 0);
          }
          if (availability === 'inactive') expect(cycles.at(-1)?.actualEndMs).not.toBeNull();
        }
        const known = new Set(r.state().windows.flatMap(({ cycles }) => cycles.map(({ id }) => id)));
        for (const { cycleId } of r.rows()) if (cycleId !== null) expect(known).toContain(cycleId);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test('the state is plain JSON', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(10, END), fiveHour(1, T0 + HOUR)]));
    expect(JSON.parse(JSON.stringify(r.state()))).toEqual(r.state());
  });
});
