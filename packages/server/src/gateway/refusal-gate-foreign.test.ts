import { expect, test } from 'bun:test';
import { createKeyRefusalGate } from './refusal-gate.ts';

const MINUTE_MS = 60_000;
const connection = { baseUrl: 'http://gateway:8317', managementKey: 'sim-key' };

async function rig() {
  const clock = { nowMs: 10_000_000_000 };
  const gate = await createKeyRefusalGate({
    now: () => clock.nowMs,
    readSetting: async () => null,
    writeSetting: async () => {},
  });
  const saved = (outcome: 'accepted' | 'refused', detail = '') => {
    const permit = gate.enter(connection);
    if (permit.open) permit.report(outcome, detail);
    return permit.open;
  };
  const foreign = (outcome: 'refused' | 'unknown' | 'accepted' = 'refused') => {
    const permit = gate.enterForeign();
    if (permit.open) permit.report(outcome);
    return permit.open;
  };
  return { clock, gate, saved, foreign };
}

test('other callers at our address have three refusals, until the gateway accepts the saved key again', async () => {
  const { saved, foreign } = await rig();
  saved('accepted');
  expect([1, 2, 3, 4].map(() => foreign())).toEqual([true, true, true, false]);
  saved('accepted');
  expect(foreign('unknown')).toBe(true);
  expect([1, 2, 3, 4].map(() => foreign())).toEqual([true, true, true, false]);
});

test('their concurrent requests cannot pass the limit together, and never block the saved key', async () => {
  const { gate, saved } = await rig();
  saved('accepted');
  const open = Array.from({ length: 9 }, () => gate.enterForeign().open);
  expect(open.filter((one) => one)).toHaveLength(3);
  expect(saved('accepted')).toBe(true);
});

test('with a refused saved key the refusals add up to less than a ban', async () => {
  const { saved, foreign } = await rig();
  expect([1, 2, 3].map(() => saved('refused'))).toEqual([true, true, true]);
  expect([1, 2].map(() => foreign())).toEqual([true, false]);
});

test('three hours without a refusal clear the count, as at the gateway', async () => {
  const { clock, foreign } = await rig();
  for (let i = 0; i < 3; i += 1) foreign();
  clock.nowMs += 3 * 60 * MINUTE_MS - 1;
  expect(foreign()).toBe(false);
  clock.nowMs += 1;
  expect(foreign()).toBe(true);
});

test('after a ban the next try is at its end, not hours later', async () => {
  const { clock, gate, saved } = await rig();
  const ban = 'IP banned due to too many failed attempts. Try again in 29m58s';
  for (let i = 0; i < 3; i += 1) saved('refused', ban);
  expect(gate.snapshot()?.nextTryAtMs).toBe(clock.nowMs + 30 * MINUTE_MS + 3000);
  expect(saved('accepted')).toBe(false);
  clock.nowMs += 30 * MINUTE_MS + 3000;
  expect(saved('accepted')).toBe(true);
  expect(gate.snapshot()).toBeNull();
});
