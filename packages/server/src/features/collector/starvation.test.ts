import { expect, test } from 'bun:test';
import { createStarvation, type StarvedReason } from './starvation.ts';

const files = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([authIndex, requests]) => ({ authIndex, requests }));

/** Feeds readings of one account: requests counted by the gateway, and events received, since the previous reading. */
function feed(readings: readonly (readonly [growth: number, received: number])[]) {
  const starvation = createStarvation(null);
  let total = 100;
  starvation.read(files({ a: total }), new Map(), 0);
  const states = readings.map(([growth, received], index) => {
    total += growth;
    starvation.read(files({ a: total }), new Map([['a', received]]), (index + 1) * 1000);
    return starvation.state()?.reason ?? null;
  });
  return { states, state: starvation.state() };
}

test.each([
  ['nothing received of 20', [[20, 0]], ['no_events']],
  ['nothing received of 19 says too little', [[19, 0]], [null]],
  ['an idle upstream', [[0, 0]], [null]],
  ['everything received', [[500, 500]], [null]],
  [
    'a part in three readings in a row',
    [
      [50, 39],
      [50, 39],
      [50, 39],
    ],
    [null, null, 'partial'],
  ],
  [
    '80 % is enough',
    [
      [50, 40],
      [50, 40],
      [50, 40],
    ],
    [null, null, null],
  ],
  [
    'a good reading in between begins anew',
    [
      [50, 39],
      [50, 50],
      [50, 39],
      [50, 39],
    ],
    [null, null, null, null],
  ],
  [
    'a quiet one in between says nothing',
    [
      [50, 39],
      [3, 0],
      [50, 39],
      [50, 39],
    ],
    [null, null, null, 'partial'],
  ],
  [
    'cleared by 95 %',
    [
      [20, 0],
      [100, 95],
    ],
    ['no_events', null],
  ],
  [
    'not by 94 %',
    [
      [20, 0],
      [100, 94],
    ],
    ['no_events', 'no_events'],
  ],
  [
    'not by silence',
    [
      [20, 0],
      [0, 0],
    ],
    ['no_events', 'no_events'],
  ],
] satisfies [string, [number, number][], (StarvedReason | null)[]][])('%s', (_name, readings, expected) => {
  expect(feed(readings).states).toEqual(expected);
});

test('starvation is dated from the reading before the first bad one, with the number of missing events', () => {
  expect(
    feed([
      [100, 100],
      [50, 10],
      [50, 10],
      [50, 10],
      [50, 0],
    ]).state,
  ).toEqual({
    reason: 'no_events',
    sinceMs: 1000,
    lost: 170,
  });
});

test('a counter that fell is a new baseline, and surplus of one account does not make up for another', () => {
  const starvation = createStarvation(null);
  starvation.read(files({ a: 100, b: 100 }), new Map(), 0);
  const restarted = starvation.read(files({ a: 10, b: 150 }), new Map([['b', 50]]), 1);
  expect(restarted.compared).toEqual({ growth: 50, received: 50 });
  const unequal = starvation.read(files({ a: 50, b: 190 }), new Map([['b', 500]]), 2);
  expect(unequal.compared).toEqual({ growth: 80, received: 40 });
});

test('a version that does not count causes no warning', () => {
  const starvation = createStarvation(null);
  starvation.read([{ authIndex: 'a', requests: null }], new Map(), 0);
  expect(starvation.read([{ authIndex: 'a', requests: null }], new Map(), 1).compared).toEqual({
    growth: 0,
    received: 0,
  });
  expect(starvation.state()).toBeNull();
});

test('after a time away the second reading is the first to compare', () => {
  const starvation = createStarvation(null);
  starvation.read(files({ a: 0 }), new Map(), 0);
  starvation.rebase();
  expect(starvation.read(files({ a: 500 }), new Map(), 1).compared).toBeNull();
  expect(starvation.read(files({ a: 520 }), new Map(), 2).compared).toEqual({ growth: 20, received: 0 });
});
