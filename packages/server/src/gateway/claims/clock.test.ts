import { expect, test } from 'bun:test';
import { createClaimClock } from './clock.ts';

const HOUR_MS = 3_600_000;

function setUp(options: { readonly offMs?: number } = {}) {
  const clock = { trueMs: 1_800_000_000_000, offMs: options.offMs ?? 0, theirsOffMs: 0, isHeard: true };
  const made = createClaimClock({
    now: () => clock.trueMs + clock.offMs,
    elapsed: () => clock.trueMs,
    gatewayNow: () => (clock.isHeard ? clock.trueMs + clock.theirsOffMs : null),
  });
  return { clock, made };
}

test('a normal clock is right, also after small steps and when it is set back', () => {
  const { clock, made } = setUp();
  for (const offMs of [0, 59_000, -HOUR_MS, 0]) {
    clock.trueMs += HOUR_MS;
    clock.offMs = offMs;
    expect([made.isInDoubt(), made.aheadMs()]).toEqual([false, 0]);
  }
});

test('set forward, it is ahead by the difference to the gateway, and at most by the step', () => {
  const { clock, made } = setUp();
  clock.offMs = HOUR_MS;
  expect([made.isInDoubt(), made.aheadMs()]).toEqual([true, HOUR_MS]);
  clock.theirsOffMs = -24 * HOUR_MS;
  expect(made.aheadMs()).toBe(HOUR_MS);
  clock.theirsOffMs = 0;
  clock.offMs = 0;
  expect([made.isInDoubt(), made.aheadMs()]).toEqual([false, 0]);
});

test('corrected, it is right: the gateway agrees', () => {
  const { clock, made } = setUp({ offMs: -HOUR_MS });
  clock.offMs = 0;
  clock.theirsOffMs = -2_000;
  expect([made.isInDoubt(), made.aheadMs(), made.isInDoubt()]).toEqual([true, 0, false]);
});

test('without a second clock the local one is trusted', () => {
  const { clock, made } = setUp();
  clock.offMs = HOUR_MS;
  clock.isHeard = false;
  expect(made.aheadMs()).toBe(0);
});
