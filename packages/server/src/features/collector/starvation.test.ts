import { describe, expect, test } from 'bun:test';
import { createStarvation, type Starvation, type StarvedReason, type TakenEvents } from './starvation.ts';

const MINUTE_MS = 60_000;

/** Growth of the gateway's counter within one reading, and how many of the events arrived; `failed` are of both. */
interface Answers {
  readonly counted: number;
  readonly received: number;
  readonly failed?: readonly [counted: number, received: number];
}

/** Feeds readings, one a minute, of accounts by their provider. */
function gateway(providers: Readonly<Record<string, string>>, starvation: Starvation = createStarvation(null)) {
  const totals = new Map(Object.keys(providers).map((index) => [index, { success: 100, failed: 10 }]));
  const gaps: TakenEvents[] = [];
  let minute = 0;
  const list = () =>
    Object.entries(providers).map(([authIndex, provider]) => ({
      authIndex,
      answers: { ...(totals.get(authIndex) ?? { success: 0, failed: 0 }) },
      snapshot: { provider },
    }));
  starvation.read(list(), new Map(), new Map(), 0);
  return {
    starvation,
    gaps,
    reading(answers: Readonly<Record<string, Answers>>): StarvedReason | null {
      const received = new Map<string, { success: number; failed: number }>();
      for (const [index, { counted, received: arrived, failed = [0, 0] }] of Object.entries(answers)) {
        const total = totals.get(index);
        if (total !== undefined) {
          total.success += counted;
          total.failed += failed[0];
        }
        received.set(index, { success: arrived, failed: failed[1] });
      }
      minute += 1;
      const { over } = starvation.read(list(), received, new Map(), minute * MINUTE_MS);
      if (over !== null) gaps.push(over);
      return starvation.state()?.reason ?? null;
    },
  };
}

/** Readings of one account whose answers all have events. */
function feed(readings: readonly (readonly [counted: number, received: number])[]) {
  const { reading, gaps, starvation } = gateway({ a: 'antigravity' });
  const states = readings.map(([counted, received]) => reading({ a: { counted, received } }));
  return { states, gaps, state: starvation.state() };
}

const partial = 'partial';
const none = 'no_events';

test.each([
  ['nothing received of 20', [[20, 0]], [none]],
  ['nothing received of 19 says too little', [[19, 0]], [null]],
  [
    'nothing received of 20 in two readings',
    [
      [19, 0],
      [1, 0],
    ],
    [null, none],
  ],
  ['an idle gateway', [[0, 0]], [null]],
  ['everything received', [[500, 500]], [null]],
  ['less than a half of 50', [[50, 24]], [partial]],
  [
    'a part in three readings in a row',
    [
      [50, 39],
      [50, 39],
      [50, 39],
    ],
    [null, null, partial],
  ],
  [
    '80 % is enough',
    [
      [50, 40],
      [50, 40],
      [50, 40],
      [50, 40],
    ],
    [null, null, null, null],
  ],
  [
    'one in order in between ends it',
    [
      [50, 39],
      [50, 50],
      [50, 39],
      [50, 39],
    ],
    [null, null, null, null],
  ],
  [
    'a quiet one in between adds up',
    [
      [50, 39],
      [3, 0],
      [50, 39],
    ],
    [null, null, partial],
  ],
  [
    'small readings add up',
    [
      [12, 6],
      [12, 4],
      [12, 5],
      [14, 7],
    ],
    [null, null, null, partial],
  ],
  [
    'a loss is not diluted by the time before it',
    [
      [100, 90],
      [100, 90],
      [100, 90],
      [100, 0],
    ],
    [null, null, null, none],
  ],
  [
    'cleared by 95 %',
    [
      [20, 0],
      [100, 95],
    ],
    [none, null],
  ],
  [
    'not by 94 %',
    [
      [20, 0],
      [100, 94],
    ],
    [none, none],
  ],
  [
    'not by few',
    [
      [20, 0],
      [19, 19],
    ],
    [none, none],
  ],
  [
    'by few that are all of five minutes',
    [
      [20, 0],
      [1, 1],
      [2, 2],
      [1, 1],
      [0, 0],
      [1, 1],
    ],
    [none, none, none, none, none, null],
  ],
  [
    'not by silence',
    [
      [20, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ],
    Array(7).fill(none),
  ],
] satisfies [string, [number, number][], (StarvedReason | null)[]][])('%s', (_name, readings, expected) => {
  expect(feed(readings).states).toEqual(expected);
});

test('a gap goes from the last reading in order to the first one in order again, with the number of missing events', () => {
  const { states, gaps } = feed([
    [100, 100],
    [120, 50],
    [120, 0],
    [120, 0],
    [120, 80],
    [120, 119],
  ]);
  expect(states).toEqual([null, partial, none, none, partial, null]);
  expect(gaps).toEqual([{ fromMs: MINUTE_MS, toMs: 6 * MINUTE_MS, lost: 70 + 120 + 120 + 40 + 1 }]);
});

test('a loss that was over before the alarm is a gap too', () => {
  const { states, gaps } = feed([
    [120, 120],
    [120, 90],
    [120, 120],
  ]);
  expect(states).toEqual([null, null, null]);
  expect(gaps).toEqual([{ fromMs: MINUTE_MS, toMs: 3 * MINUTE_MS, lost: 30 }]);
});

test('events that only arrive late are no loss', () => {
  expect(
    feed([
      [120, 120],
      [120, 60],
      [120, 180],
      [120, 120],
    ]).gaps,
  ).toEqual([]);
});

test.each([
  [
    'before a loss',
    [
      [100, 110],
      [100, 50],
      [100, 100],
    ],
    [40],
  ],
  [
    'within a loss',
    [
      [100, 70],
      [100, 110],
      [100, 60],
      [100, 100],
    ],
    [20, 40],
  ],
] satisfies [string, [number, number][], number[]][])(
  'events that arrive before the gateway counts them are counted once: %s',
  (_name, readings, lost) => {
    expect(feed(readings).gaps.map((gap) => gap.lost)).toEqual(lost);
  },
);

test('events that the gateway never counts do not add up', () => {
  const surplus: [number, number][] = Array(50).fill([100, 101]);
  expect(feed([...surplus, [100, 0]]).states.at(-1)).toBe(partial);
});

test('a counter that fell is a new baseline, and surplus of one account does not make up for another', () => {
  const starvation = createStarvation(null);
  const list = (a: number, b: number) =>
    [['a', a] as const, ['b', b] as const].map(([authIndex, success]) => ({
      authIndex,
      answers: { success, failed: 0 },
      snapshot: { provider: 'gemini' },
    }));
  const events = (count: number) => new Map([['b', { success: count, failed: 0 }]]);
  starvation.read(list(100, 100), new Map(), new Map(), 0);
  expect(starvation.read(list(10, 150), events(50), new Map(), 1).compared).toEqual({ growth: 50, received: 50 });
  expect(starvation.read(list(50, 190), events(500), new Map(), 2).compared).toEqual({ growth: 80, received: 40 });
});

test('a version that does not count causes no warning', () => {
  const starvation = createStarvation(null);
  const list = [{ authIndex: 'a', answers: null, snapshot: { provider: 'codex' } }];
  starvation.read(list, new Map(), new Map(), 0);
  expect(starvation.read(list, new Map(), new Map(), 1).compared).toEqual({ growth: 0, received: 0 });
  expect(starvation.state()).toBeNull();
});

test('after a time away the second reading is the first to compare, and a loss before it is kept', () => {
  const { reading, starvation } = gateway({ a: 'antigravity' });
  reading({ a: { counted: 120, received: 80 } });
  expect(starvation.rebase()).toEqual({ fromMs: 0, toMs: MINUTE_MS, lost: 40 });
  expect(starvation.rebase()).toBeNull();
  reading({ a: { counted: 500, received: 0 } });
  expect(starvation.state()).toBeNull();
  reading({ a: { counted: 20, received: 0 } });
  expect(starvation.state()).toMatchObject({ reason: none, sinceMs: 2 * MINUTE_MS });
});

test('an alarm of an earlier process continues, and how much was lost is unknown', () => {
  const restored = createStarvation({ reason: partial, sinceMs: 5 });
  const { reading, gaps } = gateway({ a: 'antigravity' }, restored);
  expect(reading({ a: { counted: 30, received: 10 } })).toBe(partial);
  expect(reading({ a: { counted: 30, received: 30 } })).toBeNull();
  expect(gaps).toEqual([{ fromMs: 5, toMs: 2 * MINUTE_MS, lost: null }]);
});

describe('successes without events', () => {
  const SILENT = ['claude', 'codex', 'xai', 'kimi'];

  test.each(SILENT)('of %s alone never raise an alarm or a gap', (provider) => {
    const { reading, gaps } = gateway({ a: provider });
    for (let minute = 0; minute < 60; minute += 1) {
      expect(reading({ a: { counted: 120, received: 0 } })).toBeNull();
    }
    reading({ a: { counted: 120, received: 120 } });
    expect(gaps).toEqual([]);
  });

  test.each([0.1, 0.3, 0.5, 0.9])('as a share of %d do not, beside complete failures', (share) => {
    const { reading, gaps } = gateway({ a: 'codex', b: 'claude' });
    const counted = 100;
    const received = Math.round(counted * (1 - share));
    for (let minute = 0; minute < 60; minute += 1) {
      const begins = minute >= 20;
      const answers = { counted, received: begins ? received : counted, failed: [4, 4] as const };
      expect(reading({ a: answers, b: { counted: 10, received: 10 } })).toBeNull();
    }
    for (let minute = 0; minute < 5; minute += 1) reading({ a: { counted, received: counted } });
    expect(gaps).toEqual([]);
  });

  test('of one account do not, while the events of another arrive', () => {
    const { reading, gaps } = gateway({ a: 'codex', b: 'openai' });
    for (let minute = 0; minute < 30; minute += 1) {
      expect(reading({ a: { counted: 200, received: 0 }, b: { counted: 10, received: 10 } })).toBeNull();
    }
    expect(gaps).toEqual([]);
  });

  test('do not hide failures without events', () => {
    const { reading } = gateway({ a: 'codex' });
    expect(reading({ a: { counted: 60, received: 0, failed: [3, 0] } })).toBe(none);
  });

  test('do not hide missing events of other providers', () => {
    const { reading } = gateway({ a: 'codex', b: 'gemini' });
    expect(reading({ a: { counted: 60, received: 0 }, b: { counted: 20, received: 10 } })).toBe(partial);
  });

  test('cannot explain that all events of accounts are missing that had one for each success', () => {
    const { reading, gaps } = gateway({ a: 'codex' });
    expect(reading({ a: { counted: 120, received: 119 } })).toBeNull();
    expect(reading({ a: { counted: 120, received: 0 } })).toBeNull();
    expect(reading({ a: { counted: 40, received: 0 } })).toBe(none);
    expect(reading({ a: { counted: 120, received: 120 } })).toBeNull();
    expect(gaps).toEqual([{ fromMs: MINUTE_MS, toMs: 4 * MINUTE_MS, lost: 160 }]);
  });

  test('once, after complete ones, are no alarm', () => {
    const { reading, gaps } = gateway({ a: 'codex' });
    reading({ a: { counted: 120, received: 120 } });
    expect(reading({ a: { counted: 60, received: 0 } })).toBeNull();
    expect(reading({ a: { counted: 120, received: 120 } })).toBeNull();
    expect(gaps).toEqual([]);
  });

  test('do not keep an alarm when a second consumer is gone', () => {
    const { reading, gaps } = gateway({ a: 'codex', b: 'gemini' });
    expect(reading({ a: { counted: 100, received: 0 }, b: { counted: 20, received: 0 } })).toBe(none);
    let reason: StarvedReason | null = none;
    for (let minute = 0; minute < 20 && reason !== null; minute += 1) {
      reason = reading({ a: { counted: 100, received: 80 }, b: { counted: 20, received: 20 } });
    }
    expect(reason).toBeNull();
    expect(gaps).toHaveLength(1);
  });
});
