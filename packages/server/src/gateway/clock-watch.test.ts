import { beforeEach, describe, expect, test } from 'bun:test';
import { type ClockWatch, createClockWatch } from './clock-watch.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let nowMs = 0;
let log: string[] = [];
let notes: { readonly ownMs: number; readonly gatewayMs: number }[] = [];
let wasBehindMs = 0;
let corrections = 0;
let broken = false;
let watch: ClockWatch;

beforeEach(() => {
  nowMs = Date.UTC(2026, 8, 1);
  log = [];
  notes = [];
  wasBehindMs = 0;
  corrections = 0;
  broken = false;
  watch = createClockWatch({
    now: () => nowMs,
    note: async (reading) => {
      if (broken) throw new Error('database is locked');
      notes.push(reading);
      return wasBehindMs;
    },
    onSetRight: () => {
      corrections += 1;
    },
    log: { info: (text) => void log.push(text), warn: (text) => void log.push(text) },
  });
});

/** Answers one second apart. */
async function hear(aheadMs: number, answers = 1): Promise<void> {
  for (let answer = 0; answer < answers; answer += 1) {
    nowMs += 1_000;
    watch.heard(nowMs + aheadMs);
    await Promise.resolve();
    await Promise.resolve();
  }
}

describe('clocks that differ', () => {
  test('are reported once, when several answers agree, and again after they agreed', async () => {
    await hear(30 * DAY_MS, 2);
    expect([watch.gatewayAheadMs(), log]).toEqual([null, []]);
    await hear(30 * DAY_MS, 5);
    expect(watch.gatewayAheadMs()).toBe(30 * DAY_MS);
    expect(log).toEqual([expect.stringContaining('the clock of the manager is 30 days behind that of the gateway')]);
    await hear(2_000, 3);
    expect(watch.gatewayAheadMs()).toBeNull();
    expect(log.slice(1)).toEqual(['the clocks of the manager and the gateway agree again']);
    await hear(-4 * MINUTE_MS, 3);
    expect(watch.gatewayAheadMs()).toBe(-4 * MINUTE_MS);
    expect(log.slice(2)).toEqual([expect.stringContaining('the clock of the manager is 4 min ahead of that')]);
  });

  test('by up to three minutes, or in a single answer, are no difference', async () => {
    await hear(3 * MINUTE_MS, 5);
    await hear(-2 * DAY_MS);
    await hear(0, 2);
    await hear(2 * DAY_MS, 2);
    expect([watch.gatewayAheadMs(), log]).toEqual([null, []]);
  });
});

describe('readings', () => {
  test('are kept once a minute, and at once when a clock has changed', async () => {
    await hear(0, 60);
    expect(notes).toHaveLength(1);
    await hear(0, 2);
    expect(notes).toHaveLength(2);
    await hear(DAY_MS, 2);
    expect(notes).toHaveLength(3);
    expect(notes[2]).toEqual({ ownMs: nowMs - 1_000, gatewayMs: nowMs - 1_000 + DAY_MS });
  });

  test('that cannot be kept are tried again with the next answer', async () => {
    broken = true;
    await hear(0, 2);
    broken = false;
    await hear(0, 2);
    expect(notes).toHaveLength(1);
  });

  test('that show that the clock of the manager was behind begin the correction', async () => {
    await hear(30 * DAY_MS);
    wasBehindMs = 30 * DAY_MS;
    await hear(0);
    expect(corrections).toBe(1);
    expect(log).toEqual([expect.stringContaining('the clock of the manager was 30 days behind until now')]);
  });
});
