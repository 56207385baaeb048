import { expect, test } from 'bun:test';
import { createGapKeeper } from './gap-keeper.ts';
import { createListening } from './listening.ts';
import type { SaveGapArgs } from './store.ts';

const SECOND = 1_000;

function rig(heardUntilMs: number, retentionMs = 60 * SECOND) {
  const saved: SaveGapArgs[] = [];
  const clock = { nowMs: heardUntilMs };
  const gaps = createGapKeeper({
    backoffMs: [1],
    logger: { info() {}, warn() {}, error() {} },
    store: {
      saveGap: async (gap) => {
        const id = gap.id ?? saved.length + 1;
        saved[id - 1] = { ...gap, id };
        return { id };
      },
      begin: () => Promise.reject(new Error('unused')),
      heartbeat: async () => {},
      recordDeadLetters: async () => ({ droppedDeadLetters: 0 }),
      gapSummary: async () => ({ count: 0, open: [], last: null }),
    },
  });
  const listening = createListening({ gaps, now: () => clock.nowMs, heardUntilMs, retentionMs, onAway: () => {} });
  const away = async () => {
    await gaps.flush();
    return saved.map((gap) => [gap.fromMs, gap.toMs]);
  };
  return { listening, clock, away };
}

test('a subscription after 100 s of silence: events older than the retention at the drain are lost', async () => {
  const { listening, away } = rig(0);
  listening.onRetention(60 * SECOND);
  listening.onSubscribed(100 * SECOND);
  listening.onPop(100_010, 100_020, true);
  listening.onPop(100_030, 100_040, false);
  expect(await away()).toEqual([[0, 40_040]]);
  expect(listening.heardUntilMs()).toBeNull();
});

test('within the retention nothing is lost', async () => {
  const { listening, away } = rig(0);
  listening.onRetention(60 * SECOND);
  listening.onSubscribed(50 * SECOND);
  listening.onPop(50_010, 50_020, false);
  expect(await away()).toEqual([]);
});

test('pops that keep up lose nothing, however long they run', async () => {
  const { listening, away } = rig(0);
  listening.onRetention(60 * SECOND);
  for (let atMs = 0; atMs < 300 * SECOND; atMs += SECOND) listening.onPop(atMs, atMs + 5, false);
  expect(await away()).toEqual([]);
  expect(listening.heardUntilMs()).toBe(299 * SECOND);
});

test('a backlog that lasts longer than the retention loses its oldest events: one growing gap', async () => {
  const { listening, away } = rig(0);
  listening.onRetention(60 * SECOND);
  for (let atMs = 0; atMs <= 100 * SECOND; atMs += SECOND) listening.onPop(atMs, atMs, true);
  listening.onPop(101 * SECOND, 101 * SECOND, false);
  expect(await away()).toEqual([[0, 41 * SECOND]]);
});

test('pops before the retention is known are evaluated once it is read', async () => {
  const { listening, away } = rig(0, 3_600 * SECOND);
  listening.onPop(100 * SECOND, 100 * SECOND, false);
  expect(await away()).toEqual([]);
  expect(listening.heardUntilMs()).toBe(0);
  listening.onRetention(30 * SECOND);
  expect(await away()).toEqual([[0, 70 * SECOND]]);
  expect(listening.heardUntilMs()).toBe(100 * SECOND);
});

test('silence beyond the retention opens a gap, and the drain ends it', async () => {
  const { listening, clock, away } = rig(0);
  listening.onRetention(60 * SECOND);
  clock.nowMs = 60 * SECOND;
  listening.tick();
  expect(await away()).toEqual([]);
  clock.nowMs = 61 * SECOND;
  listening.tick();
  listening.tick();
  expect(await away()).toEqual([[0, null]]);
  listening.onSubscribed(200 * SECOND);
  listening.onPop(200 * SECOND, 200 * SECOND, false);
  expect(await away()).toEqual([[0, 140 * SECOND]]);
});

test('a queue that no transport can read is lost up to the subscription', async () => {
  const { listening, away } = rig(0);
  listening.onRetention(60 * SECOND);
  listening.onSubscribed(5 * SECOND);
  listening.onUndrainable();
  expect(await away()).toEqual([[0, 5 * SECOND]]);
  expect(listening.heardUntilMs()).toBeNull();
});
