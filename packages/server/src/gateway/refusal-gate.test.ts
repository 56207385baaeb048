import { expect, test } from 'bun:test';
import { createKeyRefusalGate, KEY_REFUSALS_SETTING } from './refusal-gate.ts';
import type { KeyRefusalGate } from './types.ts';

const HOUR_MS = 3_600_000;
const connection = { baseUrl: 'http://gateway:8317', managementKey: 'sim-wrong-key' };

function rig() {
  const rows = new Map<string, string>();
  const clock = { nowMs: 1_000_000 };
  const open = () =>
    createKeyRefusalGate({
      now: () => clock.nowMs,
      readSetting: async (key) => rows.get(key) ?? null,
      writeSetting: async (key, value) => {
        rows.set(key, value);
      },
    });
  return { rows, clock, open };
}

function attempt(gate: KeyRefusalGate, outcome: 'accepted' | 'refused' | 'unknown', explicit = false): boolean {
  const permit = gate.enter(connection, { explicit });
  if (permit.open) permit.report(outcome, 'invalid management key');
  return permit.open;
}

test('a refused key has three tries, then one per three hours', async () => {
  const { clock, open } = rig();
  const gate = await open();
  expect([1, 2, 3, 4, 5].map(() => attempt(gate, 'refused'))).toEqual([true, true, true, false, false]);
  expect(gate.snapshot()).toEqual({ tries: 3, lastAtMs: clock.nowMs, nextTryAtMs: clock.nowMs + 3 * HOUR_MS });
  clock.nowMs += 3 * HOUR_MS - 1;
  expect(attempt(gate, 'refused')).toBe(false);
  clock.nowMs += 1;
  expect([1, 2].map(() => attempt(gate, 'refused'))).toEqual([true, false]);
});

test('concurrent requests cannot pass the limit together', async () => {
  const gate = await rig().open();
  const permits = [1, 2, 3, 4].map(() => gate.enter(connection));
  expect(permits.map((permit) => permit.open)).toEqual([true, true, true, false]);
  for (const permit of permits) if (permit.open) permit.report('unknown');
  expect(attempt(gate, 'unknown')).toBe(true);
  expect(gate.snapshot()).toBeNull();
});

test('an accepted key has no limit of parallel calls, also after a restart', async () => {
  const { open } = rig();
  const first = await open();
  attempt(first, 'accepted');
  await first.saved();
  for (const gate of [first, await open()]) {
    expect(Array.from({ length: 20 }, () => gate.enter(connection).open)).not.toContain(false);
  }
});

test('a restart with the refused key makes one try', async () => {
  const { open } = rig();
  const first = await open();
  for (let count = 0; count < 3; count += 1) attempt(first, 'refused');
  await first.saved();
  const second = await open();
  expect([1, 2].map(() => attempt(second, 'refused'))).toEqual([true, false]);
  expect(second.snapshot()?.tries).toBe(4);
});

test('an explicit request is always allowed, and its success opens the gate', async () => {
  const gate = await rig().open();
  for (let count = 0; count < 3; count += 1) attempt(gate, 'refused');
  expect(attempt(gate, 'refused', true)).toBe(true);
  expect(attempt(gate, 'accepted')).toBe(false);
  expect(attempt(gate, 'accepted', true)).toBe(true);
  expect(gate.snapshot()).toBeNull();
  expect(attempt(gate, 'accepted')).toBe(true);
});

test('another key has its own tries, and does not reset those of the first', async () => {
  const gate = await rig().open();
  for (let count = 0; count < 3; count += 1) attempt(gate, 'refused');
  const other = gate.enter({ ...connection, managementKey: 'sim-right-key' });
  expect(other.open).toBe(true);
  if (other.open) other.report('accepted');
  expect(gate.snapshot()).toBeNull();
  expect(attempt(gate, 'refused')).toBe(false);
});

test('the stored row contains no key and no URL', async () => {
  const { rows, open } = rig();
  const gate = await open();
  attempt(gate, 'refused');
  await gate.saved();
  const stored = rows.get(KEY_REFUSALS_SETTING) ?? '';
  expect(stored).toContain('"tries":1');
  expect(stored).not.toContain('sim-wrong-key');
  expect(stored).not.toContain('gateway');
});

test('an unreadable row is ignored', async () => {
  const { rows, open } = rig();
  rows.set(KEY_REFUSALS_SETTING, '{"salt":');
  const gate = await open();
  expect(attempt(gate, 'unknown')).toBe(true);
});

test('a second report of one permit is ignored', async () => {
  const gate = await rig().open();
  const permit = gate.enter(connection);
  if (permit.open) {
    permit.report('refused');
    permit.report('refused');
  }
  expect(gate.snapshot()?.tries).toBe(1);
});
