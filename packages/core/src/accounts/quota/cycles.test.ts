import { describe, expect, test } from 'bun:test';
import { DAY, fiveHour, HOUR, observationAt, recorder, T0, weekly } from '../testing/quota.ts';

const END = T0 + 3 * DAY;
const WEEK = 7 * DAY;

function reasons(cycles: readonly { readonly endReason: string | null }[]) {
  return cycles.map(({ endReason }) => endReason);
}

describe('cycles', () => {
  test('L1: without a boundary the observation belongs to the current cycle', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(10, END)]));
    const { rows } = r.see(
      observationAt(T0 + HOUR, [{ ...weekly(12, END), cycle_end_ms: undefined, window_mode: 'unknown' } as never]),
    );
    const [cycle] = r.window('weekly').cycles;
    expect(rows[0]?.cycleId).toBe(cycle?.id ?? '');
    expect(cycle).toMatchObject({ lastPercent: 12, observations: 2, scheduledEndMs: END });
  });

  test('L2: a boundary that starts where the current one ends is the next cycle', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(90, END)]));
    r.see(observationAt(END + HOUR, [weekly(95, END + WEEK)]));
    expect(r.window('weekly').cycles).toMatchObject([
      { actualEndMs: END, endReason: 'scheduled' },
      { actualStartMs: END, scheduledEndMs: END + WEEK, endReason: null },
    ]);
  });

  test('L2: seconds of jitter do not turn a scheduled reset into an early one', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(90, END, { boundary_accuracy: 'derived' })]));
    r.see(observationAt(END + HOUR, [weekly(0, END + WEEK - 7_000, { boundary_accuracy: 'derived' })]));
    expect(reasons(r.window('weekly').cycles)).toEqual(['scheduled', null]);
    expect(r.window('weekly').cycles[1]?.actualStartMs).toBe(END);
  });

  test('L3: the generated boundary of an unused window changes nothing', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(65, END)]));
    const at = T0 + HOUR;
    const { rows } = r.see(observationAt(at, [weekly(0, at + WEEK)], { source: 'api_query' }));
    expect(r.window('weekly').cycles).toMatchObject([{ lastPercent: 65, scheduledEndMs: END, endReason: null }]);
    expect(rows[0]?.window).not.toHaveProperty('cycle_end_ms');
    expect(rows[0]?.window.boundary_accuracy).toBe('unknown');
    const fresh = recorder();
    fresh.see(observationAt(at, [weekly(0, at + WEEK)], { source: 'api_query' }));
    expect(fresh.window('weekly').cycles).toEqual([]);
  });

  test('L4: a window that was rolling for a while continues its cycle', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(10, END)]));
    r.see(observationAt(T0 + HOUR, [weekly(10, END, { window_mode: 'rolling' })]));
    expect(reasons(r.window('weekly').cycles)).toEqual(['mode_changed']);
    r.see(observationAt(T0 + 2 * HOUR, [weekly(11, END + 30_000)]));
    expect(r.window('weekly').cycles).toMatchObject([{ endReason: null, actualEndMs: null, lastPercent: 11 }]);
  });

  test('L5: an early reset starts a cycle where the new boundary starts', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(65, END)]));
    const start = T0 + 5 * HOUR;
    r.see(observationAt(start + HOUR, [weekly(1, start + WEEK)]));
    expect(r.window('weekly').cycles).toMatchObject([
      { endReason: 'early_reset', actualEndMs: start },
      { actualStartMs: start, lastPercent: 1 },
    ]);
  });

  test('L5: with the same boundary the cycle starts at the observation', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(60, END)]));
    r.see(observationAt(T0 + HOUR, [weekly(25, END)]));
    expect(r.window('weekly').cycles).toMatchObject([{ actualEndMs: T0 + HOUR }, { actualStartMs: T0 + HOUR }]);
  });

  test('L5: two counters that reset at once are a provider reset', () => {
    const r = recorder();
    r.see(observationAt(T0, [fiveHour(80, T0 + 4 * HOUR), weekly(65, END)]));
    r.see(observationAt(T0 + HOUR, [fiveHour(0, T0 + 4 * HOUR), weekly(0, END)]));
    expect(reasons(r.window('weekly').cycles)).toEqual(['provider_reset', null]);
    expect(reasons(r.window('five-hour').cycles)).toEqual(['provider_reset', null]);
  });

  test('L5 needs a reliable boundary', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(65, END)]));
    r.see(observationAt(T0 + HOUR, [weekly(1, END, { boundary_accuracy: 'estimated' })]));
    expect(reasons(r.window('weekly').cycles)).toEqual([null]);
  });

  test('L6 and L7: a more accurate boundary corrects the cycle, L8: any other does not', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(10, END, { boundary_accuracy: 'derived' })]));
    r.see(observationAt(T0 + 1, [weekly(10, END + 20_000, { boundary_accuracy: 'derived' })]));
    expect(r.window('weekly').cycles[0]?.scheduledEndMs).toBe(END);
    r.see(observationAt(T0 + 2, [weekly(10, END + 30_000, { boundary_accuracy: 'exact' })]));
    expect(r.window('weekly').cycles).toMatchObject([{ scheduledEndMs: END + 30_000, accuracy: 'exact' }]);
    r.see(observationAt(T0 + 3, [weekly(11, END + 5 * HOUR, { boundary_accuracy: 'derived' })]));
    expect(r.window('weekly').cycles).toMatchObject([{ scheduledEndMs: END + 30_000, lastPercent: 11 }]);
    const estimated = recorder();
    estimated.see(observationAt(T0, [weekly(10, END, { boundary_accuracy: 'estimated' })]));
    estimated.see(observationAt(T0 + 3, [weekly(11, END + 5 * HOUR, { boundary_accuracy: 'derived' })]));
    expect(estimated.window('weekly').cycles).toMatchObject([
      { scheduledEndMs: END + 5 * HOUR, actualStartMs: END + 5 * HOUR - WEEK, accuracy: 'derived' },
    ]);
  });

  test('a five-hour cycle is linked to the weekly one that it began in', () => {
    const r = recorder();
    r.see(observationAt(T0, [fiveHour(10, T0 + HOUR), weekly(10, END)]));
    expect(r.window('five-hour').cycles[0]?.parentCycleId).toBe(r.window('weekly').cycles[0]?.id ?? '');
  });
});
