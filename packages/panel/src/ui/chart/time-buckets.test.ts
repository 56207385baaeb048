import { describe, expect, test } from 'bun:test';
import { fillBuckets, timeBuckets } from './time-buckets.ts';

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);
const starts = (from: string, to: string, granularity: 'hour' | 'day', zone: string) =>
  timeBuckets({ fromMs: at(from), toMs: at(to) }, granularity, zone).map(({ startMs }) =>
    new Date(startMs).toISOString().slice(5, 16),
  );

describe('buckets of a range', () => {
  test.each([
    ['whole hours', '2026-03-01T06:30Z', '2026-03-01T09:00Z', 'UTC', ['03-01T06:00', '03-01T07:00', '03-01T08:00']],
    ['half-hour zones', '2026-03-01T06:40Z', '2026-03-01T08:00Z', 'Asia/Kolkata', ['03-01T06:30', '03-01T07:30']],
    [
      'a skipped hour is none',
      '2026-03-08T06:00Z',
      '2026-03-08T08:30Z',
      'America/New_York',
      ['03-08T06:00', '03-08T07:00', '03-08T08:00'],
    ],
    [
      'a repeated hour is two',
      '2026-11-01T05:00Z',
      '2026-11-01T07:30Z',
      'America/New_York',
      ['11-01T05:00', '11-01T06:00', '11-01T07:00'],
    ],
    [
      'a change of half an hour begins a bucket',
      '2026-04-04T14:00Z',
      '2026-04-04T16:00Z',
      'Australia/Lord_Howe',
      ['04-04T14:00', '04-04T15:00', '04-04T15:30'],
    ],
  ])('hours: %s', (_, from, to, zone, expected) => {
    expect(starts(from, to, 'hour', zone)).toEqual(expected);
  });

  test('days have 23 and 25 hours where the clock is changed', () => {
    const days = timeBuckets(
      { fromMs: at('2026-03-07T12:00Z'), toMs: at('2026-03-09T12:00Z') },
      'day',
      'America/New_York',
    );
    expect(days.map(({ startMs, endMs }) => (endMs - startMs) / HOUR)).toEqual([24, 23, 24]);
    const autumn = timeBuckets(
      { fromMs: at('2026-11-01T12:00Z'), toMs: at('2026-11-01T13:00Z') },
      'day',
      'America/New_York',
    );
    expect(autumn.map(({ startMs, endMs }) => (endMs - startMs) / HOUR)).toEqual([25]);
  });

  test('no more are made up than a chart can hold', () => {
    expect(timeBuckets({ fromMs: 0, toMs: 10_000 * HOUR }, 'hour', 'UTC')).toEqual([]);
  });

  test('points are in their buckets, the others are empty', () => {
    const all = timeBuckets({ fromMs: 0, toMs: 3 * HOUR }, 'hour', 'UTC');
    const point = { bucket_ms: HOUR, bucket_end_ms: 2 * HOUR };
    expect(fillBuckets([point], all).map((bucket) => bucket.point)).toEqual([undefined, point, undefined]);
  });

  test('a point that fits no bucket is not lost', () => {
    const point = { bucket_ms: 17, bucket_end_ms: HOUR };
    const all = timeBuckets({ fromMs: 0, toMs: 3 * HOUR }, 'hour', 'UTC');
    expect(fillBuckets([point], all)).toEqual([{ startMs: 17, endMs: HOUR, point }]);
  });
});
