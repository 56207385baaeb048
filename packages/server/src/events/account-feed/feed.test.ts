import { expect, test } from 'bun:test';
import type { AccountEffects } from './derive.ts';
import { createAccountFeed, type FeedDeps } from './feed.ts';

const effects = (first: number, last: number, parts: Partial<AccountEffects> = {}): AccountEffects => ({
  range: { firstEventId: first, lastEventId: last },
  hasMore: false,
  observations: [],
  cooldowns: [],
  failures: [],
  successes: [],
  withoutAuthFile: 0,
  unreadable: 0,
  ...parts,
});

function start(events: number, options: Partial<FeedDeps> = {}) {
  let next = 1;
  const log: string[] = [];
  const waits: number[] = [];
  const applied: AccountEffects[] = [];
  const feed = createAccountFeed({
    derive: async ({ maxEvents }) => (next > events ? null : effects(next, Math.min(events, next + maxEvents - 1))),
    apply: async (args) => {
      applied.push(args.effects);
      next = args.effects.range.lastEventId + 1;
      return true;
    },
    policy: async () => ({ cooldowns: true, accountActions: true, autoDisable: false }),
    onCooldowns() {},
    onFailures() {},
    onSuccesses() {},
    now: () => 0,
    elapsed: () => 0,
    log: { warn: (message) => log.push(message) },
    wait: async (ms) => {
      waits.push(ms);
    },
    ...options,
  });
  return { feed, log, waits, applied, done: () => next > events, take: (to: number) => (next = to + 1) };
}

async function settled(condition: () => boolean): Promise<void> {
  while (!condition()) await Bun.sleep(1);
}

test('every event is processed once, in order, in batches', async () => {
  const run = start(1_201);
  run.feed.wake();
  run.feed.wake();
  await settled(run.done);
  await run.feed.stop();
  expect(run.applied.map(({ range }) => [range.firstEventId, range.lastEventId])).toEqual([
    [1, 500],
    [501, 1000],
    [1001, 1201],
  ]);
});

test('while events wait, it rests after each batch as long as the batch took', async () => {
  let atMs = 0;
  let next = 1;
  const run = start(0, {
    elapsed: () => atMs,
    derive: async ({ maxEvents }) => {
      if (next > 1_200) return null;
      const last = Math.min(1_200, next + maxEvents - 1);
      return { ...effects(next, last), hasMore: last < 1_200 };
    },
    apply: async (args) => {
      atMs += args.effects.range.lastEventId - next;
      next = args.effects.range.lastEventId + 1;
      return true;
    },
  });
  run.feed.wake();
  await settled(() => next > 1_200);
  await run.feed.stop();
  expect(run.waits).toEqual([499, 499]);
});

test('a failure is retried with growing delays, and logged once', async () => {
  let failures = 3;
  const run = start(5, {
    policy: async () => {
      if (failures > 0) {
        failures -= 1;
        throw new Error('the disk is full');
      }
      return { cooldowns: true, accountActions: true, autoDisable: false };
    },
  });
  run.feed.wake();
  await settled(run.done);
  expect(run.waits).toEqual([1_000, 2_000, 4_000]);
  expect(run.log).toEqual(['account automation waits: the disk is full; retrying']);
  await run.feed.stop();
});

test('only an event that can never be applied is skipped', async () => {
  let next = 1;
  const stored: number[] = [];
  const run = start(0, {
    derive: async ({ maxEvents }) => {
      if (next > 4) return null;
      const range = effects(next, Math.min(4, next + maxEvents - 1));
      const hasBad = range.range.firstEventId <= 3 && range.range.lastEventId >= 3;
      return { ...range, observations: hasBad ? [{} as AccountEffects['observations'][number]] : [] };
    },
    apply: async (args) => {
      if (args.effects.observations.length > 0) throw new Error('cannot be stored');
      for (let id = args.effects.range.firstEventId; id <= args.effects.range.lastEventId; id += 1) stored.push(id);
      next = args.effects.range.lastEventId + 1;
      return true;
    },
  });
  run.feed.wake();
  await settled(() => next > 4);
  await run.feed.stop();
  expect(stored).toEqual([1, 2, 3, 4]);
  expect(run.log.at(-1)).toBe('account automation: skipped event 3, which cannot be used');
});

test('after a long failure of the database nothing is skipped', async () => {
  let failures = 20;
  const stored: AccountEffects[] = [];
  const run = start(0, {
    derive: async () =>
      stored.length > 0 ? null : effects(1, 1, { failures: [{} as AccountEffects['failures'][number]] }),
    apply: async (args) => {
      failures -= 1;
      if (failures >= 0) throw new Error('the disk is full');
      stored.push(args.effects);
      return true;
    },
  });
  run.feed.wake();
  await settled(() => stored.length > 0);
  await run.feed.stop();
  expect(stored.map(({ failures: reports }) => reports.length)).toEqual([1]);
});

test('workers are woken only for their effects, and not for a range that was already removed', async () => {
  const woken: string[] = [];
  let isNew = false;
  const run = start(2, {
    derive: async () =>
      run.done()
        ? null
        : effects(1, 2, {
            cooldowns: [{} as AccountEffects['cooldowns'][number]],
            failures: [{} as AccountEffects['failures'][number]],
          }),
    apply: async () => {
      if (isNew) run.take(2);
      const answer = isNew;
      isNew = true;
      return answer;
    },
    onCooldowns: () => woken.push('cooldowns'),
    onFailures: () => woken.push('failures'),
  });
  run.feed.wake();
  await settled(run.done);
  await run.feed.stop();
  expect(woken).toEqual(['cooldowns', 'failures']);
});
