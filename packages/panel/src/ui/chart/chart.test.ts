import { describe, expect, test } from 'bun:test';
import { axisCost, axisCount, axisDuration, axisShare } from './axis-format.ts';
import { bucketAt, chartBuckets, peakIndex } from './buckets.ts';
import { barRuns, lineIndexes, MAX_POINTS } from './downsample.ts';
import { bucketSpan } from './drag.ts';
import { chartGaps } from './gaps.ts';
import { firstLines, highlight, isCrowded } from './highlight.ts';
import { bucketName } from './names.ts';
import { laneBands, laneTicks, niceTop, valueY } from './scales.ts';
import { barRects, gapBands } from './shapes.ts';
import { timeTicks } from './time-ticks.ts';
import type { ChartData, ChartLane, ChartSeries } from './types.ts';
import { chartView, middle } from './view.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('scales', () => {
  test.each([
    [0, false, 1],
    [0, true, 2],
    [1, true, 2],
    [3, true, 4],
    [5, true, 6],
    [7, true, 8],
    [121, true, 160],
    [2_210, true, 2_400],
    [5_800, true, 6_000],
    [0.07, false, 0.08],
    [64_000_000, true, 80_000_000],
    [9.7, false, 10],
    [10.1, false, 12],
  ])('%p (whole: %p) is below the round top %p', (max, whole, top) => {
    expect(niceTop(max, whole)).toBe(top);
  });

  test('every top holds its maximum, and whole ones have a whole half', () => {
    for (let max = 1; max < 20_000; max += 7) {
      const top = niceTop(max, true);
      expect(top).toBeGreaterThanOrEqual(max);
      expect(top / 2).toBe(Math.round(top / 2));
      expect(top).toBeLessThanOrEqual(Math.max(2, max * 2));
    }
  });

  test('a share never gets a label above 100%', () => {
    expect(niceTop(0.98, false, 1)).toBe(1);
    expect(niceTop(1.02, false, 1)).toBe(1);
  });

  test('three labels, two in a low lane', () => {
    expect(laneTicks(6, 100)).toEqual([0, 3, 6]);
    expect(laneTicks(6, 30)).toEqual([0, 6]);
  });

  test('lanes share the height by weight, without titles and gaps', () => {
    const bands = laneBands([{ title: 'a', weight: 3 }, { title: 'b' }], 208);
    expect(bands).toEqual([
      { top: 20, bottom: 140 },
      { top: 168, bottom: 208 },
    ]);
    expect(laneBands([{ title: '' }], 100)).toEqual([{ top: 0, bottom: 100 }]);
  });

  test('values begin at 0 and stay inside their lane', () => {
    const band = { top: 20, bottom: 120 };
    expect([0, 5, 10, 99, -3].map((value) => valueY(value, 10, band))).toEqual([120, 70, 20, 20, 120]);
  });
});

describe('labels of a scale', () => {
  test.each([
    [axisCount(0), '0'],
    [axisCount(2_400), '2.4K'],
    [axisCount(80_000_000), '80M'],
    [axisCost(0.05), '$0.05'],
    [axisCost(80), '$80'],
    [axisShare(0.025), '2.5%'],
    [axisShare(1), '100%'],
    [axisDuration(0), '0'],
    [axisDuration(600), '600 ms'],
    [axisDuration(15_000), '15 s'],
    [axisDuration(120_000), '2 min'],
  ])('%s carries no zero too many', (label, expected) => {
    expect(label).toBe(expected);
  });
});

describe('labels of the time', () => {
  const labels = (from: string, to: string, most: number, zone: string) =>
    timeTicks(Date.parse(from), Date.parse(to), most, zone, 'en-GB').map((tick) => tick.label);

  test('of a day alone end with its 24th hour', () => {
    expect(labels('2025-08-27T00:00Z', '2025-08-28T00:00Z', 9, 'UTC')).toEqual([
      '00:00',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
      '15:00',
      '18:00',
      '21:00',
      '24:00',
    ]);
  });

  test('are at round times of the zone, also with half hours', () => {
    expect(labels('2025-08-27T00:10Z', '2025-08-27T06:10Z', 4, 'Asia/Kolkata')).toEqual(['06:00', '08:00', '10:00']);
  });

  test('name the day at midnight when there are several', () => {
    expect(labels('2025-08-26T12:00Z', '2025-08-28T12:00Z', 4, 'UTC')).toEqual([
      '12:00',
      '27 Aug',
      '12:00',
      '28 Aug',
      '12:00',
    ]);
  });

  test('keep to the clock on days of 23 and 25 hours', () => {
    // Berlin: 30 March 2025 has 23 hours, 26 October has 25.
    expect(labels('2025-03-29T23:00Z', '2025-03-30T22:00Z', 9, 'Europe/Berlin').slice(0, 4)).toEqual([
      '00:00',
      '03:00',
      '06:00',
      '09:00',
    ]);
    expect(labels('2025-10-25T22:00Z', '2025-10-26T23:00Z', 9, 'Europe/Berlin').at(-1)).toBe('24:00');
  });

  test.each([
    [7 * DAY, 8],
    [30 * DAY, 10],
    [365 * DAY, 8],
    [1_500 * DAY, 8],
    [5 * 60_000, 6],
  ])('%p ms give at most %p, in order', (span, most) => {
    const from = Date.parse('2025-02-03T04:05:06Z');
    const ticks = timeTicks(from, from + span, most, 'America/New_York', 'en-GB');
    expect(ticks.length).toBeGreaterThan(1);
    expect(ticks.length).toBeLessThanOrEqual(most + 1);
    expect(ticks.every((tick, index) => tick.atMs >= from && tick.atMs > (ticks[index - 1]?.atMs ?? 0))).toBe(true);
  });

  test('an empty range has none', () => {
    expect(timeTicks(5, 5, 4, 'UTC', 'en-GB')).toEqual([]);
  });
});

describe('drawing fewer points', () => {
  test('keeps the smallest and largest value and the unknown ones', () => {
    const values = Array.from({ length: 100_000 }, (_, index): number | null => index % 10);
    values[70_123] = 5_000;
    values[33] = -1;
    values[50_000] = null;
    const indexes = lineIndexes(values);
    expect(indexes.length).toBeLessThanOrEqual(MAX_POINTS);
    for (const index of [70_123, 33, 50_000]) expect(indexes).toContain(index);
    expect(indexes).toEqual([...indexes].sort((a, b) => a - b));
  });

  test('changes nothing below the limit', () => {
    expect(lineIndexes([1, null, 3])).toEqual([0, 1, 2]);
  });

  test('bars keep the highest stack of a run', () => {
    const buckets = Array.from({ length: 10_000 }, (_, index) => ({ startMs: index, endMs: index + 1 }));
    const a = buckets.map((_, index) => (index === 7_777 ? 50 : 1));
    const b = buckets.map(() => 1);
    const runs = barRuns(buckets, [a, b]);
    expect(runs).toHaveLength(MAX_POINTS);
    expect(runs.filter((run) => run.values[0] === 50 && run.values[1] === 1)).toHaveLength(1);
    expect(runs[0]?.bucket.startMs).toBe(0);
    expect(runs.at(-1)?.bucket.endMs).toBe(10_000);
  });
});

describe('buckets', () => {
  const points = [0, 1, 2].map((hour) => ({ bucket_ms: hour * HOUR, bucket_end_ms: (hour + 1) * HOUR }));
  const range = { fromMs: HOUR / 2, toMs: 3 * HOUR };

  test('are partial where the range or the present cuts them', () => {
    const partial = chartBuckets(points, range, 2.5 * HOUR).map((bucket) => bucket.partial === true);
    expect(partial).toEqual([true, false, true]);
  });

  test('partial ones are no peak', () => {
    const buckets = chartBuckets(points, range, 2.5 * HOUR);
    expect(peakIndex(buckets, [9, 1, 9])).toBe(1);
    expect(peakIndex(buckets, [9, null, 9])).toBe(-1);
  });

  test('an instant finds its bucket, or the nearest one', () => {
    const buckets = [
      { startMs: 0, endMs: 10 },
      { startMs: 10, endMs: 20 },
      { startMs: 100, endMs: 110 },
    ];
    expect([-5, 0, 9, 10, 19, 30, 90, 105, 500].map((ms) => bucketAt(buckets, ms))).toEqual([
      0, 0, 0, 1, 1, 1, 2, 2, 2,
    ]);
    expect(bucketAt([], 5)).toBe(-1);
  });

  test('have names in the zone of the panel', () => {
    const at = (from: string, to: string) => ({ startMs: Date.parse(from), endMs: Date.parse(to) });
    expect(bucketName(at('2025-08-27T07:00Z', '2025-08-27T08:00Z'), 'Europe/Berlin', 'en-GB')).toBe(
      '27 Aug 09:00 – 10:00',
    );
    expect(bucketName(at('2025-08-27T21:00Z', '2025-08-27T22:00Z'), 'Europe/Berlin', 'en-GB')).toBe(
      '27 Aug 23:00 – 24:00',
    );
    expect(bucketName(at('2025-10-25T22:00Z', '2025-10-26T23:00Z'), 'Europe/Berlin', 'en-GB')).toBe('26 Oct');
    expect(bucketName(at('2025-08-25T00:00Z', '2025-09-01T00:00Z'), 'UTC', 'en-GB')).toBe('25 Aug – 31 Aug');
  });
});

describe('gaps', () => {
  const range = { fromMs: 1_000, toMs: 2_000 };
  const gap = (from_ms: number, to_ms: number | null, kind = 'away') => ({
    from_ms,
    to_ms,
    kind,
    estimated_lost: null,
  });

  test('an open one lasts until now, those outside are left out, unknown kinds have a text', () => {
    const found = chartGaps([gap(0, 500), gap(900, 1_100), gap(1_500, null, 'new_kind')], range, 1_800, (key) => key);
    expect(found).toEqual([
      { fromMs: 900, toMs: 1_100, text: 'gap.away' },
      { fromMs: 1_500, toMs: 1_800, text: 'gap.other' },
    ]);
  });
});

const series = (id: string, kind: 'bars' | 'line', values: readonly (number | null)[]): ChartSeries => ({
  id,
  label: id,
  color: 'series-1',
  kind,
  values,
  format: String,
});
const lane = (id: string, all: readonly ChartSeries[]): ChartLane => ({ id, title: id, axis: String, series: all });
const data: ChartData = {
  fromMs: 0,
  toMs: 4 * HOUR,
  buckets: [0, 1, 2, 3].map((hour) => ({
    startMs: hour * HOUR,
    endMs: (hour + 1) * HOUR,
    ...(hour === 3 ? { partial: true } : {}),
  })),
  lanes: [
    lane('stack', [series('a', 'bars', [1, 2, 0, 1]), series('b', 'bars', [3, 2, 0, 1])]),
    lane('level', [series('c', 'line', [5, null, 7, 8])]),
  ],
  gaps: [
    { fromMs: HOUR, toMs: 1.5 * HOUR, text: 'gap' },
    { fromMs: 2 * HOUR, toMs: 2 * HOUR + 1, text: 'gap' },
  ],
};

describe('the drawing', () => {
  const view = chartView(data, 500, 260, () => [{ atMs: 2 * HOUR, label: 'middle' }]);
  const [stack, level] = view.lanes;

  test('stacks bars of a bucket, each lane with its own scale', () => {
    expect(stack?.top).toBe(4);
    expect(level?.top).toBe(8);
    const rects = stack === undefined ? [] : barRects(view, stack);
    // Nothing is drawn for 0.
    expect(rects).toHaveLength(6);
    const [lower, upper] = rects;
    expect((upper?.y ?? 0) + (upper?.height ?? 0)).toBe(lower?.y ?? -1);
    expect(upper?.y).toBe(Math.round(stack?.band.top ?? -1));
    expect(rects.map((rect) => rect.partial)).toEqual([false, false, false, false, true, true]);
    expect(rects.every((rect) => rect.x >= view.plot.left && rect.x + rect.width <= 500)).toBe(true);
  });

  test('leaves unknown values out of a line and marks what is not complete', () => {
    expect(level?.lines[0]?.points.map((point) => [point.y === null, point.partial])).toEqual([
      [false, false],
      [true, false],
      [false, false],
      [false, true],
    ]);
  });

  test('draws gaps at their length, the shortest still to be seen', () => {
    const [long, short] = gapBands(view);
    expect(long?.x).toBe(view.xOf(HOUR));
    expect(long?.width).toBeCloseTo(view.plot.width / 8);
    expect(short?.width).toBe(3);
  });

  test('keeps every label of a scale inside, also without a title above it', () => {
    const bare = chartView({ ...data, lanes: [lane('', [series('a', 'line', [5, 6, 7, 8])])] }, 500, 260, () => []);
    // Labels are 11 px high and centered on their line.
    for (const { y } of [...view.lanes, ...bare.lanes].flatMap(({ ticks }) => ticks)) {
      expect(y).toBeGreaterThanOrEqual(7);
    }
  });

  test('finds the bucket under a position and puts labels at their time', () => {
    expect(view.indexAt(view.xOf(2.5 * HOUR))).toBe(2);
    expect(view.ticks).toEqual([{ x: view.xOf(2 * HOUR), label: 'middle' }]);
  });
});

describe('many lines', () => {
  const crowded: ChartData = {
    ...data,
    lanes: [
      lane(
        'many',
        ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => series(id, 'line', [1, 2, 3, 4])),
      ),
    ],
  };

  test('beyond four only the chosen ones keep their colour, in the same order', () => {
    expect(isCrowded(data)).toBe(false);
    expect(isCrowded(crowded)).toBe(true);
    expect([...firstLines(crowded)]).toEqual(['a', 'b', 'c', 'd']);
    const drawn = highlight(crowded, new Set(['f'])).lanes[0]?.series;
    expect(drawn?.map((one) => [one.id, one.color])).toEqual([
      ['a', 'line-strong'],
      ['b', 'line-strong'],
      ['c', 'line-strong'],
      ['d', 'line-strong'],
      ['e', 'line-strong'],
      ['f', 'series-1'],
    ]);
    expect(highlight(data, new Set())).toBe(data);
  });
});

describe('a range that is dragged over', () => {
  const data: ChartData = {
    fromMs: HOUR / 2,
    toMs: 24 * HOUR,
    nowMs: 20.25 * HOUR,
    lanes: [],
    buckets: [
      { startMs: 0, endMs: HOUR },
      { startMs: 5 * HOUR, endMs: 6 * HOUR },
      { startMs: 20 * HOUR, endMs: 21 * HOUR, partial: true },
    ],
  };

  test.each([
    ['whole buckets', 5.5, 5.6, 5, 6],
    ['from right to left', 20.1, 5.5, 5, 20.25],
    ['buckets without events, as long as the others', 8.2, 10.7, 8, 11],
    ['not beyond the present', 19.5, 23, 19, 20.25],
    ['not before the range', 0.6, 0.7, 0.5, 1],
  ])('is %s', (_, one, other, from, to) => {
    expect(bucketSpan(data, one * HOUR, other * HOUR)).toEqual({ fromMs: from * HOUR, toMs: to * HOUR });
  });

  test('is nothing in the future or without buckets', () => {
    expect(bucketSpan(data, 21.5 * HOUR, 22 * HOUR)).toBeNull();
    expect(bucketSpan({ ...data, buckets: [] }, 1, 2)).toBeNull();
  });

  test('points of a bucket that range or present cuts are in the middle of what is shown', () => {
    const middles = data.buckets.map((bucket) => middle(bucket, data) / HOUR);
    expect(middles).toEqual([0.75, 5.5, 20.125]);
  });
});
