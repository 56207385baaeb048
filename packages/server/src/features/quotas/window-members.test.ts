import { expect, test } from 'bun:test';
import type { SnapshotWindow } from '@manager/core/contract/quotas/snapshots';
import fc from 'fast-check';
import { joinWindow, splitWindow } from './window-members.ts';

const T0 = 1_700_000_000_000;
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

/**
 * Start, end and length of checked windows: any two give the third, unless the length is no whole number of seconds.
 */
const boundary = fc.constantFrom<Partial<SnapshotWindow>>(
  {},
  { duration_seconds: 18_000 },
  { cycle_end_ms: T0 },
  { cycle_start_ms: T0 },
  { cycle_start_ms: T0 - 18_000_000, cycle_end_ms: T0, duration_seconds: 18_000 },
  { cycle_start_ms: T0 - 1_234, cycle_end_ms: T0 },
);

const rest = fc.record({
  window_kind: optional(fc.constantFrom('weekly', 'five_hour')),
  model_ids: optional(fc.array(fc.string(), { minLength: 1, maxLength: 2 })),
  source_observation_id: optional(fc.constantFrom('run:1:result:2', 'ä')),
  used_percent: optional(fc.double({ min: 0, max: 100, noNaN: true })),
  remaining_percent: optional(fc.integer({ min: 0, max: 100 })),
  used_value: optional(fc.constantFrom(0, 1.5)),
  limit_value: optional(fc.constantFrom(0, 2e15)),
  reset_credits_available: optional(fc.constantFrom(0, 3)),
  reset_credits: optional(fc.constantFrom([], [{ id: 'c' }, { id: 'd', expires_at_ms: T0 }])),
  plan_type: optional(fc.constantFrom('plus')),
});

function without(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

test('a window that is split can be joined again', () => {
  fc.assert(
    fc.property(boundary, rest, (ends, members) => {
      const window = {
        provider_window_id: 'weekly',
        window_mode: 'fixed',
        model_scope_kind: 'family',
        source: 'inspection',
        observed_at_ms: T0,
        boundary_accuracy: 'exact',
        ...ends,
        ...without(members),
      } as SnapshotWindow;
      const again = joinWindow(splitWindow(window), { observedAtMs: T0, id: window.source_observation_id ?? '' });
      // The column stores −0 as 0.
      expect(JSON.parse(JSON.stringify(again))).toEqual(JSON.parse(JSON.stringify(window)));
    }),
  );
});

test('observations that differ only in time, id, percent and boundary have one shape', () => {
  const window: SnapshotWindow = {
    provider_window_id: 'weekly',
    window_mode: 'fixed',
    model_scope_kind: 'all',
    source: 'response_header',
    observed_at_ms: T0,
    boundary_accuracy: 'derived',
    cycle_start_ms: T0 - 18_000_000,
    cycle_end_ms: T0,
    duration_seconds: 18_000,
    used_percent: 5,
  };
  const other = {
    ...window,
    observed_at_ms: T0 + 1,
    source_observation_id: 'x',
    cycle_start_ms: T0 - 1,
    used_percent: 6,
  };
  expect(splitWindow(other).shape).toBe(splitWindow(window).shape);
  expect(splitWindow({ ...window, plan_type: 'pro' }).shape).not.toBe(splitWindow(window).shape);
});
