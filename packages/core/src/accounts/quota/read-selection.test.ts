import { describe, expect, test } from 'bun:test';
import { quotaWindowViewSchema } from '../../contract/quotas/snapshots.ts';
import { DAY, fiveHour, HOUR, observationAt, recorder, T0, weekly } from '../testing/quota.ts';
import { shownPart } from './cycle-view.ts';
import { windowViews } from './read-selection.ts';

const END = T0 + 3 * DAY;
const WEEK = 7 * DAY;

function views(r: ReturnType<typeof recorder>, nowMs: number, includeInactive = false) {
  const found = windowViews(r.state(), r.rows(), { provider: 'codex', nowMs, includeInactive });
  for (const view of found) expect(quotaWindowViewSchema.parse(view)).toEqual(view);
  return found;
}

describe('shown windows', () => {
  test('are sorted by length, each with its cycle and its source', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(10, END), fiveHour(20, T0 + HOUR)]));
    const [first, second] = views(r, T0 + 1);
    expect([first?.provider_window_id, second?.provider_window_id]).toEqual(['five-hour', 'weekly']);
    expect(second).toMatchObject({
      used_percent: 10,
      stale: false,
      availability: 'active',
      activation_generation: 1,
      cycle_start_ms: END - WEEK,
      cycle_end_ms: END,
      field_sources: { quota: { source: 'response_header', observed_at_ms: T0 } },
      current_cycle: { state: 'active', scheduled_end_ms: END, forecast_eligible: true },
    });
    expect(first?.current_cycle?.parent_cycle_id).toBe(second?.current_cycle?.id ?? 0);
  });

  test('have what is left where a provider tells only what is used', () => {
    const r = recorder();
    const told = { remaining_percent: 95 };
    r.see(observationAt(T0, [weekly(10, END), fiveHour(0, T0 + HOUR)]));
    expect(views(r, T0 + 1).map(({ remaining_percent: left }) => left)).toEqual([100, 90]);
    r.see(observationAt(T0 + 1, [weekly(null, END), fiveHour(4, T0 + HOUR, told)]));
    const [short, long] = views(r, T0 + 2);
    expect(short).toMatchObject({ used_percent: 4, ...told });
    expect(long).not.toHaveProperty('remaining_percent');
  });

  test('of the free allowance of xAI have the model as the key of their scope', () => {
    const free = {
      provider_window_id: 'included-free-rolling-24h',
      window_mode: 'rolling',
      model_scope_key: undefined,
      boundary_accuracy: 'estimated',
    } as const;
    const xai = { provider: 'xai', source: 'response_body', inventoryScope: 'xai:included-free' } as const;
    const r = recorder();
    r.see(observationAt(T0, [weekly(100, END, { ...free, model_scope_kind: 'models', model_ids: ['grok-x'] })], xai));
    r.see(observationAt(T0 + 1, [weekly(100, END, { ...free, model_scope_kind: 'all' })], xai));
    const found = windowViews(r.state(), r.rows(), { provider: 'xai', nowMs: T0 + 2, includeInactive: false });
    expect(found.map(({ model_scope_kind: kind, model_scope_key: key }) => [kind, key])).toEqual([
      ['models', 'grok-x'],
      ['all', undefined],
    ]);
  });

  test('a window that is over is stale, a later observation of it is not', () => {
    const r = recorder();
    r.see(observationAt(T0, [fiveHour(20, T0 + HOUR)]));
    expect(views(r, T0 + HOUR)).toMatchObject([{ stale: true }]);
    r.see(observationAt(T0 + 2 * HOUR, [fiveHour(3, T0 + 6 * HOUR)]));
    expect(views(r, T0 + 2 * HOUR)).toMatchObject([
      {
        stale: false,
        used_percent: 3,
        previous_cycle: { state: 'closed', end_reason: 'scheduled', forecast_eligible: true },
      },
    ]);
  });

  test('a previous cycle that ended long before the current one began is not shown', () => {
    const r = recorder();
    r.see(observationAt(T0, [fiveHour(20, T0 + HOUR)]));
    r.see(observationAt(T0 + DAY, [fiveHour(3, T0 + DAY + 4 * HOUR)]));
    expect(views(r, T0 + DAY)[0]?.previous_cycle).toBeUndefined();
  });

  test('cycles without length are skipped on the way to the previous one', () => {
    const r = recorder();
    const start = T0 + HOUR;
    r.see(observationAt(T0, [weekly(60, END)]));
    r.see(observationAt(start, [weekly(1, start + WEEK)]));
    const [{ current_cycle: first } = {}] = views(r, start);
    // Jumps to 100 % and back; each boundary begins before the cycle did.
    for (let jump = 1; jump <= 3; jump += 1) {
      r.see(observationAt(start + 2 * jump, [weekly(100, start + WEEK)]));
      r.see(observationAt(start + 2 * jump + 1, [weekly(1, start + WEEK - jump * 120_000)]));
    }
    const { cycles } = r.window('weekly');
    expect(cycles.map(({ actualStartMs, actualEndMs }) => (actualEndMs ?? 0) - actualStartMs).slice(1, -1)).toEqual([
      0, 0, 0,
    ]);
    const [{ current_cycle: current, previous_cycle: previous } = {}] = views(r, start + 10);
    expect(current).toMatchObject({ actual_start_ms: start, state: 'active' });
    expect(current?.id).not.toBe(first?.id ?? 0);
    expect(previous).toMatchObject({ id: Number(cycles[0]?.id), actual_end_ms: start, state: 'closed' });
    expect(previous?.actual_start_ms).toBeLessThan(start);
    // What is stored is enough to show it.
    expect(shownPart(cycles)).toEqual(cycles);
  });

  test('missing windows are stale, those that are gone appear only on request', () => {
    const r = recorder();
    const complete = { inventoryMode: 'complete', source: 'inspection' } as const;
    r.see(observationAt(T0, [weekly(10, END)]));
    r.see(observationAt(T0 + 1, [], complete));
    expect(views(r, T0 + 2)).toMatchObject([{ stale: true, availability: 'pending_absent', missing_since_ms: T0 + 1 }]);
    r.see(observationAt(T0 + 2, [], complete));
    expect(views(r, T0 + 2)).toEqual([]);
    expect(views(r, T0 + 2, true)).toMatchObject([{ availability: 'inactive', deactivated_at_ms: T0 + 1 }]);
  });

  test('the row of the newest observation counts, also with a worse boundary', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(10, END)]));
    r.see(observationAt(T0 + 1, [weekly(12, END, { boundary_accuracy: 'estimated' })]));
    const [view] = views(r, T0 + 2);
    expect(view).toMatchObject({ used_percent: 12, boundary_accuracy: 'exact', cycle_end_ms: END });
  });

  test('a derived boundary without a cycle takes a stable one from the other rows', () => {
    const r = recorder();
    const derived = { boundary_accuracy: 'derived' } as const;
    r.see(observationAt(T0, [weekly(10, END, derived)]));
    r.see(observationAt(T0 + 1, [weekly(10, END + 9_000, derived)]));
    const state = { ...r.state(), windows: r.state().windows.map((window) => ({ ...window, cycles: [] })) };
    const question = { provider: 'codex', nowMs: T0 + 2, includeInactive: false } as const;
    const [view] = windowViews(state, r.rows(), question);
    expect(view).toMatchObject({ cycle_end_ms: END, field_sources: { boundary: { observed_at_ms: T0 } } });
    const exact = r
      .rows()
      .map((row) =>
        row.id === 1
          ? { ...row, window: { ...row.window, cycle_end_ms: END + 4_000, boundary_accuracy: 'exact' as const } }
          : row,
      );
    expect(windowViews(state, exact, question)[0]).toMatchObject({
      cycle_end_ms: END + 4_000,
      boundary_accuracy: 'exact',
    });
  });

  test('plan and reset credits come from the newest row that has them', () => {
    const r = recorder();
    const credits = { reset_credits_available: 1, reset_credits: [{ id: 'c1' }], plan_type: 'plus' };
    r.see(observationAt(T0, [weekly(10, END, credits)], { source: 'api_query' }));
    r.see(observationAt(T0 + 1, [weekly(11, END)]));
    expect(views(r, T0 + 2)[0]).toMatchObject({
      ...credits,
      used_percent: 11,
      field_sources: { plan_type: { source: 'api_query' }, reset_credits: { observed_at_ms: T0 } },
    });
    r.see(observationAt(T0 + 2, [weekly(11, END, { reset_credits_available: 0 })], { source: 'api_query' }));
    expect(views(r, T0 + 3)[0]).toMatchObject({ reset_credits_available: 0, plan_type: 'plus' });
    expect(views(r, T0 + 3)[0]?.reset_credits).toBeUndefined();
    expect(views(r, END)[0]?.reset_credits_available).toBeUndefined();
  });

  test('fragments from a floating boundary are joined to one cycle', () => {
    const r = recorder();
    const low = { boundary_accuracy: 'derived' } as const;
    // A barely used account: in every answer the window starts now.
    r.see(observationAt(T0, [fiveHour(3, T0 + 5 * HOUR, low), weekly(4, T0 + WEEK, low)]));
    r.see(observationAt(T0 + HOUR, [weekly(1, T0 + HOUR + WEEK, low)]));
    expect(r.window('weekly').cycles).toHaveLength(2);
    const [short, view] = views(r, T0 + HOUR);
    expect(view?.current_cycle).toMatchObject({ actual_start_ms: T0, scheduled_end_ms: T0 + HOUR + WEEK });
    expect(view?.previous_cycle).toBeUndefined();
    expect(short?.current_cycle?.parent_cycle_id).toBe(view?.current_cycle?.id ?? 0);
  });

  test('a cycle after a counter reset is no fragment', () => {
    const r = recorder();
    r.see(observationAt(T0, [weekly(60, T0 + WEEK)]));
    r.see(observationAt(T0 + HOUR, [weekly(1, T0 + HOUR + WEEK)]));
    expect(views(r, T0 + HOUR)[0]).toMatchObject({
      current_cycle: { actual_start_ms: T0 + HOUR },
      previous_cycle: { end_reason: 'early_reset', forecast_eligible: false },
    });
  });
});
