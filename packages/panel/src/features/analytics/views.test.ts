import { describe, expect, test } from 'bun:test';
import { parseUrlSearch } from '../../platform/browser/url-search.ts';
import { createMasker, PLAIN } from '../../platform/format/mask.ts';
import { weekdayOf } from '../../platform/format/time.ts';
import { tokenParts } from '../../ui/requests/token-structure.tsx';
import { DEFAULT_SCOPE, readAnalyticsSearch } from './analytics-search.ts';
import { barShare, compareChart, metricRows, pairRows } from './compare/compare-view.ts';
import { daysOf, heatRows, hourOfDay, weekdayOrder } from './heat/heat-view.ts';
import { measure } from './measures.ts';
import { moneyOf, validMoney } from './money.ts';
import { accountNarrowing, monitoringSearch, narrowed } from './monitoring-search.ts';
import { granularityFor, keywordHashes, plainScope } from './question.ts';
import { testAnswered, testKey, testModel, testPoint, testSummary } from './testing/answers.ts';
import { completeAnomalies, timelineChart } from './trends/timeline-chart.ts';
import { chosenMeasures, meanOf, peakOf, toggledSeries } from './trends/trends-view.ts';
import { entityChart } from './usage/entity-chart.ts';
import { keyRows, modelRow, providerRows, ranked, rankText, shareOf } from './usage/usage-rows.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const t = (key: string) => key;
const DOLLARS = moneyOf({ factor: 1, label: '' });
const NAMING = {
  aliases: new Map([['aa', 'Team A']]),
  keyNames: new Map([
    ['aa', 'Team A'],
    ['cc', 'sk…ef'],
  ]),
  masker: PLAIN,
  noKey: 'no key',
  noAccount: 'no account',
};

describe('the question', () => {
  test.each([
    ['auto', DAY, 'hour'],
    ['auto', 7 * DAY + 2_000, 'hour'],
    ['auto', 30 * DAY, 'day'],
    ['day', DAY, 'day'],
    ['hour', 30 * DAY, 'hour'],
    ['hour', 400 * DAY, 'day'],
  ] as const)('%s over %d ms is asked by %s', (choice, length, expected) => {
    expect(granularityFor(choice, { fromMs: 0, toMs: length })).toBe(expected);
  });

  test('a keyword finds keys by a part of their name or the start of their hash', () => {
    expect(keywordHashes('team', NAMING.aliases, ['bb'])).toEqual(['aa']);
    expect(keywordHashes('b', NAMING.aliases, ['bb'])).toEqual(['bb']);
  });

  test('a keyword without matches filters out everything', () => {
    const scope = { ...DEFAULT_SCOPE, keyKeyword: 'nobody' };
    expect(plainScope(scope, NAMING.aliases, []).lists.api_key_hash).toEqual(['-']);
    const both = narrowed({ ...DEFAULT_SCOPE, keyKeyword: 'team' }, { api_key_hash: ['bb'] });
    expect(plainScope(both, NAMING.aliases, ['bb']).lists.api_key_hash).toEqual(['-']);
  });
});

describe('the way to the requests', () => {
  const { scope } = readAnalyticsSearch(parseUrlSearch('?time_range=7d&model=a&status=failed'));

  test('a range that means something else there goes as its instants, with all filters', () => {
    expect(monitoringSearch(scope, { fromMs: 100, toMs: 900 })).toEqual({
      range: ['custom'],
      from_ms: ['100'],
      to_ms: ['900'],
      model: ['a'],
      status: ['failed'],
    });
  });

  test('a range that means the same keeps its name', () => {
    expect(monitoringSearch(DEFAULT_SCOPE, { fromMs: 100, toMs: 900 })).toEqual({ range: ['24h'] });
  });

  test('a bucket is cut to the range it was counted in', () => {
    const search = monitoringSearch(DEFAULT_SCOPE, { fromMs: 100, toMs: 900 }, { fromMs: 50, toMs: 500 });
    expect(search).toEqual({ range: ['custom'], from_ms: ['100'], to_ms: ['500'] });
  });

  test('e-mail addresses of accounts never appear in it', () => {
    expect(accountNarrowing({ auth_index: 'i1', auth_file_snapshot: 'me@example.com.json' })).toEqual({
      auth_index: ['i1'],
    });
    const [token] = accountNarrowing({ account_snapshot: 'me@example.com' }).account ?? [];
    expect(token).toMatch(/^h:[0-9a-f]{16}$/);
    expect(accountNarrowing({})).toEqual({});
  });
});

describe('rows', () => {
  test('rank by what is chosen, then by requests', () => {
    const rows = [
      modelRow(testModel('a', { cost: 1, calls: 2 })),
      modelRow(testModel('b', { cost: 3, calls: 1 })),
      modelRow(testModel('c', { cost: 1, calls: 9 })),
    ];
    expect(ranked(rows, 'cost').map(({ key }) => key)).toEqual(['b', 'c', 'a']);
    expect(ranked(rows, 'requests').map(({ key }) => key)).toEqual(['c', 'a', 'b']);
  });

  test('cache hits without input are unknown, and at most 100 %', () => {
    expect(modelRow(testModel('a')).hitRate).toBe(null);
    expect(modelRow(testModel('a', { input_tokens: 10, cache_read_tokens: 8, cached_tokens: 9 })).hitRate).toBe(1);
  });

  test('keys have their alias, their own ends while the gateway has them, the start of their hash, and all requests without one are one row', () => {
    const hash = 'b'.repeat(64);
    const rows = keyRows(
      [
        ...[testKey('', { id: 'u1', account_snapshot: 'me@example.com' }), testKey('aa'), testKey('cc'), testKey(hash)],
        testKey('', { id: 'u2' }),
      ],
      {
        ...NAMING,
        masker: createMasker(),
      },
    );
    expect(rows.map(({ name }) => name)).toEqual(['Team A', 'sk…ef', '#bbbbbbbb', 'no key']);
    expect(rows[1]?.plainName).toBe('cc');
    expect(rows[3]).toMatchObject({ hash: '', ids: ['u1', 'u2'], calls: 2 * testKey('').calls, detail: '' });
  });

  test('providers add up; requests without an auth index have no account', () => {
    const channel = { calls: 1, success: 1, failure: 0, tokens: 2, cost: 3, average_latency_ms: 5 };
    const rows = providerRows(
      [
        { auth_index: '1', auth_provider_snapshot: 'p', ...channel },
        { auth_index: '2', auth_provider_snapshot: 'p', ...channel },
        { auth_index: '-', auth_provider_snapshot: 'p', ...channel },
      ],
      'none',
    );
    expect(rows.map(({ name, calls, cost }) => [name, calls, cost])).toEqual([
      ['p', 2, 6],
      ['none', 1, 3],
    ]);
  });

  test.each([
    [0, 2, '–', null],
    [0, 0, '$0', 0],
    [1, 2, '≥$1.000', 0.25],
    [1, 0, '$1.000', 0.25],
  ])('a cost of %p with %p requests without a price', (cost, unpriced, text, share) => {
    const row = { calls: 2, tokens: 5, cost, unpriced };
    expect([rankText(row, 'cost', DOLLARS), shareOf(row, 4, 'cost')]).toEqual([text, share]);
    expect(rankText(row, 'requests', DOLLARS)).toBe('2');
  });

  test.each([
    // Reasoning inside the output, beside it, and a total that no part explains.
    ['inside', { output_tokens: 20, reasoning_tokens: 5, total_tokens: 120 }, [30, 60, 10, 15, 5]],
    ['beside', { output_tokens: 20, reasoning_tokens: 5, total_tokens: 125 }, [30, 60, 10, 20, 5]],
    ['more', { output_tokens: 20, reasoning_tokens: 5, total_tokens: 130 }, [30, 60, 10, 20, 5, 5]],
  ])('parts of the tokens do not overlap and add up to the total: reasoning %s', (_, sums, expected) => {
    const summary = testSummary({
      input_tokens: 100,
      cache_read_tokens: 40,
      cached_tokens: 20,
      cache_creation_tokens: 10,
      ...sums,
    });
    const tokens = tokenParts(summary).map((part) => part.tokens);
    expect(tokens).toEqual(expected);
    expect(tokens.reduce((sum, part) => sum + part, 0)).toBe(summary.total_tokens);
  });
});

describe('timelines', () => {
  const answered = testAnswered(
    {
      timeline: [
        testPoint(HOUR, { calls: 4, failure: 1, failure_rate: 0.25, cost: 2 }),
        testPoint(3 * HOUR, { calls: 9 }),
      ],
      gaps: [{ from_ms: 2 * HOUR, to_ms: 2.5 * HOUR, kind: 'away', estimated_lost: null }],
    },
    { nowMs: 3.5 * HOUR },
  );

  test('an hour without requests is 0 requests and no rate', () => {
    const chart = timelineChart(answered, [measure('requests'), measure('failureRate')], t, DOLLARS);
    expect(chart.lanes.map((lane) => lane.series[0]?.values)).toEqual([
      [0, 4, 0, 9],
      [null, 0.25, null, 0],
    ]);
    expect(chart.gaps?.length).toBe(1);
    expect(chart.buckets.map(({ partial }) => partial ?? false)).toEqual([false, false, false, true]);
  });

  test('the bucket that is not over is no peak and in no mean', () => {
    const view = {
      buckets: timelineChart(answered, [], t, DOLLARS).buckets,
      points: [undefined, testPoint(HOUR, { calls: 4 }), undefined, testPoint(3 * HOUR, { calls: 9 })],
    };
    expect(peakOf(view, 'requests')?.value).toBe(4);
    expect(meanOf(view, 'requests')).toBeCloseTo(4 / 3);
    expect(peakOf(view, 'failureRate')).toBe(null);
  });

  test('an anomaly of, or after, a bucket that was cut is ignored', () => {
    const anomaly = (hour: number) => ({
      bucket_ms: hour * HOUR,
      bucket_end_ms: (hour + 1) * HOUR,
      label: '',
      severity: 'low' as const,
      metric_keys: ['request_spike' as const],
      calls: 1,
      total_tokens: 0,
      cost: 0,
      failure_rate: 0,
      request_change: 2,
      cost_change: 0,
      tokens_per_request_change: 0,
      cache_hit_rate_change: 0,
      failure_rate_change: 0,
      latency_p95_change: 0,
    });
    const timeline = [0, 1, 2, 3].map((hour) => testPoint(hour * HOUR));
    const cut = testAnswered(
      { timeline, anomaly_points: [0, 1, 2, 3].map(anomaly) },
      { fromMs: HOUR / 2, nowMs: 3.5 * HOUR },
    );
    expect(completeAnomalies(cut).map(({ bucket_ms }) => bucket_ms / HOUR)).toEqual([2]);
  });

  test('nothing at all is an empty chart', () => {
    expect(timelineChart(testAnswered({}), [measure('requests')], t, DOLLARS).buckets).toEqual([]);
  });

  test('series keep the order of the list, and at least one stays', () => {
    expect(chosenMeasures(['p95', 'requests', 'nonsense']).map(({ id }) => id)).toEqual(['requests', 'p95']);
    expect(toggledSeries([measure('cost')], 'cost')).toEqual(['cost']);
    expect(toggledSeries(chosenMeasures(['requests', 'tokens', 'cost']), 'failureRate')).toEqual([]);
  });

  test('lines of keys are named as on screen, in files too, and apart', () => {
    const lines = [
      { name: 'same', look: 0, points: [testPoint(0, { calls: 2 })] },
      { name: 'same', look: 5, points: [] },
    ];
    const chart = entityChart(testAnswered({}), lines, [], [measure('requests')], t, DOLLARS);
    expect(chart.lanes[0]?.series.map(({ id }) => id)).toEqual(['same', 'same (2)']);
    expect(chart.lanes[0]?.series.map(({ values }) => values)).toEqual([
      [2, 0, 0, 0],
      [0, 0, 0, 0],
    ]);
  });
});

test('the cost of a key or account breaks where no request had a price, and is 0 where there was none', () => {
  const points = [
    testPoint(0, { calls: 2, cost: 0, unpriced_calls: 2 }),
    testPoint(HOUR, { calls: 2, cost: 3, unpriced_calls: 1 }),
    testPoint(2 * HOUR, { calls: 1, cost: 0 }),
  ];
  const chart = entityChart(testAnswered({}), [{ name: 'key', look: 0, points }], [], [measure('cost')], t, DOLLARS);
  expect(chart.lanes[0]?.series[0]?.values).toEqual([null, 3, 0, 0]);
});

describe('a comparison', () => {
  const a = testAnswered({
    summary: testSummary({ total_calls: 20, failure_calls: 1, total_cost: 4, average_cost_per_call: 0.2 }),
    timeline: [testPoint(HOUR, { calls: 3 })],
  });
  const b = testAnswered(
    {
      summary: testSummary({ total_calls: 10 }),
      timeline: [testPoint(100 * HOUR, { calls: 7 })],
      gaps: [{ from_ms: 101 * HOUR, to_ms: 102 * HOUR, kind: 'away', estimated_lost: null }],
    },
    { fromMs: 100 * HOUR, toMs: 103 * HOUR, nowMs: 200 * HOUR },
  );

  test('lays both over each other from their first bucket; a gap breaks its own side only', () => {
    const chart = compareChart(a, b, [measure('requests')], { a: 'A', b: 'B' }, t, DOLLARS);
    expect(chart.lanes[0]?.series.map(({ values }) => values)).toEqual([
      [0, 3, 0, 0],
      [7, 0, 0, null],
    ]);
    expect(chart.gaps).toMatchObject([{ fromMs: HOUR, toMs: 2 * HOUR, series: ['b'] }]);
  });

  test('end at the present where a side is running', () => {
    const nowOf = (nowMs: number) =>
      compareChart(a, { ...b, nowMs }, [measure('requests')], { a: 'A', b: 'B' }, t, DOLLARS).nowMs;
    expect([nowOf(102.5 * HOUR), nowOf(200 * HOUR)]).toEqual([2.5 * HOUR, undefined]);
  });

  test('unknown is not 0, and nothing has no rate', () => {
    const rows = new Map(metricRows(a, b, DOLLARS).map((row) => [row.id, row]));
    expect(rows.get('requests')).toMatchObject({ a: 20, b: 10, difference: '+10' });
    expect(rows.get('failure_rate')).toMatchObject({ a: 0.05, b: 0, difference: '+5.0 pt', verdict: 'neutral' });
    expect(rows.get('p95_latency_ms')).toMatchObject({ a: null, b: null, difference: null, change: { kind: 'none' } });
    expect(rows.get('cost_usd')?.change.kind).toBe('new');
  });

  test('parts are beside each other; the rest is summed up', () => {
    const model = (name: string, cost: number) => modelRow(testModel(name, { cost }));
    const rows = pairRows(
      [model('x', 5), model('y', 1)],
      [model('x', 2), model('z', 9)],
      'cost',
      2,
      (n) => `${n} others`,
    );
    expect(rows).toMatchObject([
      { key: 'z', a: null, b: 9 },
      { name: '2 others', a: 6, b: 2, others: true },
    ]);
  });

  test('a cost that lacks requests is a lower bound, in sums, parts and their rest', () => {
    const lacking = testAnswered({ summary: testSummary({ total_calls: 10, total_cost: 4, unpriced_calls: 3 }) });
    const cost = metricRows(lacking, a, DOLLARS).find(({ id }) => id === 'cost_usd');
    expect([cost?.texts, cost?.unpriced]).toEqual([
      { a: '≥$4.000', b: '$4.000' },
      { a: 3, b: 0 },
    ]);
    const model = (name: string, unpriced_calls: number) => modelRow(testModel(name, { cost: 1, unpriced_calls }));
    const rows = pairRows([model('x', 0), model('y', 2), model('z', 1)], [model('x', 4)], 'cost', 2, String);
    expect(rows.map(({ unpriced }) => unpriced)).toEqual([
      { a: 0, b: 4 },
      { a: 3, b: 0 },
    ]);
  });

  test('bars never leave their half', () => {
    expect(barShare({ kind: 'relative', value: 7 })).toBe(1);
    expect(barShare({ kind: 'points', value: -0.05 })).toBeCloseTo(-0.5);
    expect(barShare({ kind: 'new' })).toBe(0);
  });
});

describe('the heat map', () => {
  const cell = (weekday: number, hour: number, calls: number, failure = 0) => ({
    weekday,
    hour,
    calls,
    success: calls - failure,
    failure,
    tokens: 0,
    cost: 0,
    failure_rate: calls === 0 ? 0 : failure / calls,
  });
  const cells = [cell(1, 9, 10, 5), cell(1, 10, 4, 4), cell(2, 9, 20)];
  const order = [1, 2, 3, 4, 5, 6, 0];

  test('starts with the chosen day, else with that of the language', () => {
    expect(weekdayOrder('en-GB', 0)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(weekdayOrder('en-US', 6)).toEqual([6, 0, 1, 2, 3, 4, 5]);
    expect(weekdayOrder('en-GB', null)).toEqual(order);
  });

  test('measures against all, its weekday or its hour', () => {
    const at = (scale: 'absolute' | 'byWeekday' | 'byHour') =>
      heatRows(cells, 'requests', scale, order)[0]?.[9]?.intensity;
    expect([at('absolute'), at('byWeekday'), at('byHour')]).toEqual([0.5, 1, 0.5]);
  });

  test('a rate of fewer than five requests is unknown', () => {
    const [monday] = heatRows(cells, 'failureRate', 'absolute', order);
    expect([monday?.[9]?.value, monday?.[10]?.value, monday?.[11]?.value]).toEqual([0.5, null, null]);
  });

  test('a cost of requests without a price is unknown, not 0', () => {
    const [first, ...others] = cells;
    if (first === undefined) throw new Error('there are cells');
    const [monday] = heatRows([{ ...first, unpriced_calls: 3 }, ...others], 'cost', 'absolute', order);
    expect([monday?.[9]?.value, monday?.[10]?.value]).toEqual([null, 0]);
  });

  test('days follow the zone, over a change of the clock as well', () => {
    const range = { fromMs: Date.parse('2026-03-07T12:00Z'), toMs: Date.parse('2026-03-09T03:30Z') };
    const days = daysOf(range, 'America/New_York');
    expect(days.map((day) => weekdayOf(day, 'America/New_York'))).toEqual([0, 6]);
    const [sunday] = days;
    // 02:00 was skipped.
    expect(hourOfDay(sunday ?? 0, 2, 'America/New_York')).toBe(null);
    expect(hourOfDay(sunday ?? 0, 3, 'America/New_York')).toEqual({
      fromMs: Date.parse('2026-03-08T07:00Z'),
      toMs: Date.parse('2026-03-08T08:00Z'),
    });
  });
});

describe('costs', () => {
  test('are dollars, or what the reader wants, and say so', () => {
    expect(DOLLARS.format(1.5)).toBe('$1.500');
    const yuan = moneyOf(validMoney(7.1, '¥'));
    expect([yuan.format(100), yuan.axis(10), yuan.mark]).toEqual(['¥710.00', '¥71', ' ×7.1']);
    expect(yuan.format(null)).toBe('–');
  });

  test('an invalid factor is 1', () => {
    expect(validMoney(-1, ' a very long label ')).toEqual({ factor: 1, label: 'a very l' });
    expect(validMoney(Number.NaN, '')).toEqual({ factor: 1, label: '' });
  });
});
