import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  createQuotaRig,
  DAY,
  HOUR,
  NOW,
  type QuotaRig,
  sentEntry,
  sentFiveHour,
  sentWeekly,
  WEEK,
} from './testing/rig.ts';

const END = NOW + 3 * DAY;
const LATER = NOW + 30 * DAY;

let rig: QuotaRig;
beforeEach(() => {
  rig = createQuotaRig(() => LATER);
});
afterEach(() => rig.close());

const window = async (id: string, nowMs = NOW) =>
  (await rig.windows(nowMs)).find(({ provider_window_id }) => provider_window_id === id);

describe('inventories', () => {
  const complete = { source: 'inspection', mode: 'complete' } as const;

  test('a complete one removes windows at the second miss, a partial one never', async () => {
    await rig.send(sentEntry(NOW, [sentWeekly(10, END)]));
    await rig.send(sentEntry(NOW + 1, [sentFiveHour(1, NOW + HOUR)]));
    expect(await window('weekly')).toMatchObject({ availability: 'active' });
    await rig.send(sentEntry(NOW + HOUR, [], complete));
    expect(await window('weekly')).toMatchObject({
      availability: 'pending_absent',
      missing_since_ms: NOW + HOUR,
      stale: true,
    });
    await rig.send(sentEntry(NOW + 2 * HOUR, [], complete));
    expect(await window('weekly')).toMatchObject({ availability: 'inactive', deactivated_at_ms: NOW + HOUR });
    expect(await window('weekly')).not.toHaveProperty('current_cycle');
    expect((await rig.windows(NOW, { inactive: false })).map((view) => view.provider_window_id)).toEqual(['five-hour']);
  });

  test('a window that returns is a new generation', async () => {
    await rig.send(sentEntry(NOW, [sentWeekly(10, END)]));
    const before = await window('weekly');
    const removed = [{ provider_window_id: 'weekly', model_scope_kind: 'family', model_scope_key: 'codex_main' }];
    const delta = { source: 'api_query', mode: 'delta', removed } as const;
    expect((await rig.send(sentEntry(NOW + 1, [], delta))).items[0]?.inserted_count).toBe(0);
    expect(await window('weekly')).toMatchObject({ availability: 'inactive', deactivated_at_ms: NOW + 1 });
    await rig.send(sentEntry(NOW + 2, [sentWeekly(11, END)]));
    const after = await window('weekly');
    expect(after).toMatchObject({ availability: 'active', activation_generation: 2, first_seen_at_ms: NOW });
    expect(after?.logical_window_id).toBe(before?.logical_window_id ?? 0);
    expect(after?.current_cycle?.activation_id).not.toBe(before?.current_cycle?.activation_id ?? 0);
  });

  test('a window of another inventory is stored without a change of its state', async () => {
    await rig.send(sentEntry(NOW, [sentWeekly(10, END)]));
    const foreign = sentEntry(NOW + 1, [sentWeekly(90, END)], { scope: 'codex:other', source: 'api_query' });
    expect((await rig.send(foreign)).items[0]?.inserted_count).toBe(1);
    expect(await window('weekly')).toMatchObject({ used_percent: 10, last_seen_at_ms: NOW });
  });

  test('an older observation is history only', async () => {
    await rig.send(sentEntry(NOW, [sentWeekly(10, END)]));
    expect((await rig.send(sentEntry(NOW - 1, [sentWeekly(90, END)]))).items[0]?.inserted_count).toBe(1);
    expect(await window('weekly')).toMatchObject({ used_percent: 10, first_seen_at_ms: NOW });
  });

  test('the order of observations of one time does not matter', async () => {
    const observations = [
      { windows: [sentWeekly(10, END)], sent: { id: 'b' } },
      { windows: [sentWeekly(20, END), sentFiveHour(5, NOW + HOUR)], sent: { id: 'a' } },
      { windows: [sentWeekly(30, END)], sent: { source: 'api_query', id: 'c' } },
      { windows: [sentFiveHour(7, NOW + HOUR)], sent: { source: 'api_query', mode: 'complete', id: 'd' } },
    ];
    const orders = [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [1, 3, 0, 2],
      [2, 0, 3, 1],
    ];
    const answers: unknown[] = [];
    for (const [number, order] of orders.entries()) {
      const file = `file-${number}.json`;
      await rig.send(sentEntry(NOW - HOUR, [sentWeekly(9, END)], { file }));
      for (const index of order) {
        const { windows, sent } = observations[index] ?? { windows: [], sent: {} };
        await rig.send(sentEntry(NOW, windows, { ...sent, file }));
      }
      const views = await rig.windows(NOW, { file });
      answers.push(
        views.map(({ logical_window_id: _id, current_cycle: cycle, ...view }) => ({
          ...view,
          cycle: cycle === undefined ? null : [cycle.actual_start_ms, cycle.scheduled_end_ms, cycle.state],
        })),
      );
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject([
      { provider_window_id: 'five-hour', used_percent: 7 },
      { provider_window_id: 'weekly', used_percent: 9, availability: 'pending_absent' },
    ]);
  });
});

describe('cycles', () => {
  test('L1: an observation without a boundary belongs to the current one', async () => {
    await rig.send(sentEntry(NOW, [sentWeekly(10, END)]));
    const before = await window('weekly');
    await rig.send(sentEntry(NOW + HOUR, [sentWeekly(12, null)]));
    expect(await window('weekly')).toMatchObject({
      used_percent: 12,
      cycle_end_ms: END,
      current_cycle: { id: before?.current_cycle?.id ?? 0 },
    });
  });

  test('L2: a boundary that starts where the current one ends is the next one', async () => {
    await rig.send(sentEntry(NOW, [sentWeekly(90, END)]));
    await rig.send(sentEntry(END + HOUR, [sentWeekly(3, END + WEEK)]));
    expect(await window('weekly', END + HOUR)).toMatchObject({
      current_cycle: { actual_start_ms: END, scheduled_end_ms: END + WEEK, state: 'active', forecast_eligible: true },
      previous_cycle: { actual_end_ms: END, end_reason: 'scheduled', state: 'closed' },
    });
  });

  test('L3: the generated boundary of an unused window changes no cycle', async () => {
    await rig.send(sentEntry(NOW, [sentWeekly(65, END)]));
    const at = NOW + HOUR;
    await rig.send(sentEntry(at, [sentWeekly(0, at + WEEK)], { source: 'api_query' }));
    expect(await window('weekly', at)).toMatchObject({
      used_percent: 0,
      cycle_end_ms: END,
      current_cycle: { scheduled_end_ms: END },
    });
  });

  test('L4: after a time as a rolling window the cycle continues', async () => {
    await rig.send(sentEntry(NOW, [sentWeekly(10, END)]));
    const before = await window('weekly');
    await rig.send(sentEntry(NOW + 1, [sentWeekly(10, END, { window_mode: 'rolling' })]));
    expect(await window('weekly')).not.toHaveProperty('current_cycle');
    await rig.send(sentEntry(NOW + 2, [sentWeekly(11, END + 30_000)]));
    expect((await window('weekly'))?.current_cycle?.id).toBe(before?.current_cycle?.id ?? 0);
  });

  test('L5: an early reset starts a cycle, two at once are a provider reset', async () => {
    await rig.send(sentEntry(NOW, [sentFiveHour(80, NOW + 4 * HOUR), sentWeekly(65, END)]));
    await rig.send(sentEntry(NOW + HOUR, [sentFiveHour(81, NOW + 4 * HOUR), sentWeekly(20, END)]));
    expect((await window('weekly'))?.previous_cycle).toMatchObject({
      end_reason: 'early_reset',
      actual_end_ms: NOW + HOUR,
    });
    await rig.send(sentEntry(NOW + 2 * HOUR, [sentFiveHour(0, NOW + 4 * HOUR), sentWeekly(0, END)]));
    for (const id of ['weekly', 'five-hour']) {
      expect((await window(id))?.previous_cycle).toMatchObject({ end_reason: 'provider_reset' });
    }
    expect((await window('five-hour'))?.current_cycle?.parent_cycle_id).toBe(
      (await window('weekly'))?.current_cycle?.id ?? 0,
    );
  });

  test('L6 to L8: only a more accurate boundary corrects the current one', async () => {
    await rig.send(sentEntry(NOW, [sentWeekly(10, END, { boundary_accuracy: 'derived' })]));
    const end = async () => (await window('weekly'))?.current_cycle?.scheduled_end_ms;
    await rig.send(sentEntry(NOW + 1, [sentWeekly(10, END + 20_000, { boundary_accuracy: 'derived' })]));
    expect(await end()).toBe(END);
    await rig.send(sentEntry(NOW + 2, [sentWeekly(10, END + 30_000)]));
    expect(await end()).toBe(END + 30_000);
    await rig.send(sentEntry(NOW + 3, [sentWeekly(11, END + 5 * HOUR, { boundary_accuracy: 'derived' })]));
    expect(await end()).toBe(END + 30_000);
    expect(await window('weekly')).toMatchObject({ used_percent: 11, boundary_accuracy: 'exact' });
    const other = { file: 'b.json' };
    await rig.send(sentEntry(NOW, [sentWeekly(10, END, { boundary_accuracy: 'estimated' })], other));
    await rig.send(sentEntry(NOW + 1, [sentWeekly(10, END + 5 * HOUR)], other));
    expect((await rig.windows(NOW, other))[0]).toMatchObject({
      cycle_end_ms: END + 5 * HOUR,
      boundary_accuracy: 'exact',
    });
  });
});

test('ids are numbers, unique in an account, and the same after a restart', async () => {
  await rig.send(sentEntry(NOW, [sentFiveHour(80, NOW + 4 * HOUR), sentWeekly(65, END)]));
  await rig.send(sentEntry(NOW + HOUR, [sentFiveHour(0, NOW + 4 * HOUR), sentWeekly(1, END)]));
  const before = await rig.windows(NOW + HOUR);
  const ids = before.flatMap(({ logical_window_id, current_cycle: now, previous_cycle: last }) => [
    logical_window_id,
    ...[now, last].flatMap((cycle) => (cycle === undefined ? [] : [cycle.id])),
  ]);
  expect(ids).toHaveLength(6);
  expect(new Set(ids).size).toBe(6);
  for (const view of before) {
    const { current_cycle: now, previous_cycle: last } = view;
    for (const id of [view.logical_window_id, now?.id, now?.activation_id, last?.id]) {
      expect(Number.isSafeInteger(id) && Number(id) > 0).toBe(true);
    }
    expect(last?.activation_id).toBe(now?.activation_id ?? 0);
  }
  const [short, long] = before;
  expect(short?.current_cycle?.parent_cycle_id).toBe(long?.current_cycle?.id ?? 0);
  expect(await rig.windows(NOW + HOUR)).toEqual(before);
  await rig.restart();
  expect(await rig.windows(NOW + HOUR)).toEqual(before);
  await rig.send(sentEntry(NOW + 2 * HOUR, [sentWeekly(2, END)], { file: 'b.json' }));
  const other = (await rig.windows(NOW + 2 * HOUR, { file: 'b.json' }))[0]?.logical_window_id ?? 0;
  expect(other).toBeGreaterThan(Math.max(...ids));
});

test('a short jump to 100 % and back does not hide the previous cycle', async () => {
  await rig.send(sentEntry(NOW, [sentWeekly(60, END)]));
  const start = NOW + HOUR;
  await rig.send(sentEntry(start, [sentWeekly(1, start + WEEK)]));
  const first = (await window('weekly', start))?.previous_cycle;
  for (let jump = 1; jump <= 5; jump += 1) {
    await rig.send(sentEntry(start + 2 * jump, [sentWeekly(100, start + WEEK)]));
    await rig.send(sentEntry(start + 2 * jump + 1, [sentWeekly(1, start + WEEK - jump * 120_000)]));
    expect((await window('weekly', start))?.previous_cycle).toEqual(first);
  }
  expect(first).toMatchObject({ actual_end_ms: start, state: 'closed' });
});

test('a boundary that moves with the clock is one cycle, however many were stored', async () => {
  await rig.send(sentEntry(NOW, [sentWeekly(1, NOW + WEEK)]));
  for (let hours = 1; hours < 6; hours += 1) {
    const at = NOW + hours * HOUR;
    await rig.send(sentEntry(at, [sentWeekly(1 - hours / 10, at + WEEK)]));
  }
  expect(await window('weekly', NOW + 5 * HOUR)).toMatchObject({
    used_percent: 0.5,
    current_cycle: { actual_start_ms: NOW, scheduled_end_ms: NOW + 5 * HOUR + WEEK },
  });
  expect(await window('weekly', NOW + 5 * HOUR)).not.toHaveProperty('previous_cycle');
});
