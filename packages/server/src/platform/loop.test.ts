import { beforeEach, describe, expect, test } from 'bun:test';
import { createLoop, type Loop, type LoopDeps } from './loop.ts';

let journal: string[];
/** What rounds return or throw, one after the other; then they return null. */
let outcomes: (number | null | Error)[];
/** Pauses end at once, except the last of this many. */
let rests: number;
let resting: PromiseWithResolvers<void>;

beforeEach(() => {
  journal = [];
  outcomes = [];
  rests = Number.POSITIVE_INFINITY;
  resting = Promise.withResolvers();
});

function start(deps: Partial<LoopDeps> = {}): Loop {
  const loop = createLoop({
    async round() {
      journal.push('round');
      const outcome = outcomes.shift();
      if (outcome instanceof Error) throw outcome;
      if (outcomes.length === 0) resting.resolve();
      return outcome ?? null;
    },
    failed(error, count) {
      journal.push(`failed ${count}: ${error instanceof Error ? error.message : ''}`);
      return 7;
    },
    wait(ms, signal) {
      journal.push(`rest ${ms}`);
      rests -= 1;
      if (rests > 0) return Promise.resolve();
      resting.resolve();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
    ...deps,
  });
  loop.start();
  return loop;
}

test('rounds follow each other with their pauses', async () => {
  outcomes = [10, 20, null];
  const loop = start({ firstRestMs: 5 });
  loop.start();
  await resting.promise;
  await loop.stop();
  expect(journal).toEqual(['rest 5', 'round', 'rest 10', 'round', 'rest 20', 'round']);
});

test('equal failures in a row are counted, a success ends the row', async () => {
  const full = () => new Error('disk full');
  outcomes = [full(), full(), new Error('locked'), full(), 1, full(), null];
  const loop = start();
  await resting.promise;
  await loop.stop();
  expect(journal.filter((line) => line.startsWith('failed'))).toEqual([
    'failed 1: disk full',
    'failed 2: disk full',
    'failed 1: locked',
    'failed 1: disk full',
    'failed 1: disk full',
  ]);
  expect(journal.filter((line) => line === 'rest 7')).toHaveLength(5);
});

test('failures with the same text and other codes are not equal', async () => {
  const withCode = (code: string) => Object.assign(new Error('failed'), { code });
  outcomes = [withCode('a'), withCode('b'), null];
  const loop = start();
  await resting.promise;
  await loop.stop();
  expect(journal.filter((line) => line.startsWith('failed'))).toEqual(['failed 1: failed', 'failed 1: failed']);
});

describe('a wake', () => {
  test('ends a pause, however long', async () => {
    outcomes = [null, 1_000, null];
    rests = 1;
    const loop = start();
    while (journal.length < 1) await Bun.sleep(0);
    loop.wake();
    await resting.promise;
    resting = Promise.withResolvers();
    loop.wake();
    await resting.promise;
    await loop.stop();
    expect(journal).toEqual(['round', 'round', 'rest 1000', 'round']);
  });

  test('during a round makes the next one follow at once', async () => {
    const loop: Loop = start({
      async round() {
        journal.push('round');
        // The first one starts inside `start`.
        await Bun.sleep(0);
        if (journal.length === 1) loop.wake();
        else resting.resolve();
        return null;
      },
    });
    await resting.promise;
    await loop.stop();
    expect(journal).toEqual(['round', 'round']);
  });

  test.each([true, false])('after a failure, with full pauses: %p', async (restsInFull) => {
    outcomes = [new Error('disk full'), null];
    rests = 1;
    const loop = start({ restsInFull });
    await resting.promise;
    loop.wake();
    for (let turn = 0; turn < 5; turn += 1) await Bun.sleep(0);
    await loop.stop();
    expect(journal.slice(2)).toEqual(restsInFull ? ['rest 7'] : ['rest 7', 'round']);
  });
});

describe('a stop', () => {
  test('ends a pause at once', async () => {
    outcomes = [1_000, null];
    rests = 1;
    const loop = start();
    await resting.promise;
    await loop.stop();
    expect(journal).toEqual(['round', 'rest 1000']);
  });

  test('aborts the current round and waits for it; its failure is then ignored', async () => {
    const ended = Promise.withResolvers<number>();
    const loop = start({ round: () => ended.promise });
    await Bun.sleep(0);
    let isStopped = false;
    const stopped = loop.stop(new Error('shutdown')).then(() => {
      isStopped = true;
    });
    await Bun.sleep(0);
    expect(isStopped).toBe(false);
    expect(loop.stopping.reason).toEqual(new Error('shutdown'));
    ended.reject(new Error('aborted'));
    await stopped;
    expect(journal).toEqual([]);
  });

  test('before the start prevents all work', async () => {
    const loop = createLoop({ round: () => Promise.reject(new Error('not asked')), failed: () => 0 });
    await loop.stop();
    loop.start();
    await loop.stop();
  });

  test('happens silently when the workers of the database are closed', async () => {
    outcomes = [Object.assign(new Error('shutting down'), { code: 'WORKER_CLOSED' }), 1];
    const loop = start();
    while (!loop.stopping.aborted) await Bun.sleep(0);
    await loop.stop();
    expect(journal).toEqual(['round']);
  });
});
