import { describe, expect, test } from 'bun:test';
import { allPoints, hourlyActivity, hoursOf, requestHealth, trafficTimeline } from './timelines.ts';

const START = 1_773_081_000_000;
const POINT = 600_000;

/** 4 requests in point 5, the last of hour 0; 2 in point 6, the first of hour 1; 1 in the last point of the day. */
const points = allPoints((index) => {
  if (index === 5) return { calls: 4, failures: 1, tokens: 100 };
  if (index === 6) return { calls: 2, failures: 0, tokens: 400 };
  return index === 143 ? { calls: 1, failures: 1, tokens: 0 } : undefined;
});

describe('hours', () => {
  const traffic = trafficTimeline(START, hoursOf(points));

  test('are 24, counted from the start of the day', () => {
    expect(traffic).toHaveLength(24);
    expect(traffic[1]?.bucket_ms).toBe(START + 3_600_000);
    expect(traffic.slice(0, 3)).toMatchObject([
      { calls: 4, success: 3, failure: 1, tokens: 100, calls_share: 1, tokens_share: 0.25, failure_rate: 0.25 },
      { calls: 2, success: 2, failure: 0, tokens: 400, calls_share: 0.5, tokens_share: 1, failure_rate: 0 },
      { calls: 0, success: 0, failure: 0, tokens: 0, calls_share: 0, tokens_share: 0, failure_rate: 0 },
    ]);
    expect(traffic[23]).toMatchObject({ calls: 1, failure_rate: 1 });
  });

  test('have the larger of their shares as intensity', () => {
    const activity = hourlyActivity(traffic);
    expect(activity.map(({ hour_index }) => hour_index)).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
    expect(activity.slice(0, 3).map(({ intensity }) => intensity)).toEqual([1, 1, 0]);
  });

  test('of an empty day have no shares', () => {
    const empty = trafficTimeline(START, hoursOf(allPoints(() => undefined)));
    expect(empty.every(({ calls_share, tokens_share }) => calls_share === 0 && tokens_share === 0)).toBe(true);
  });
});

describe('points', () => {
  test('are 144 of ten minutes with the sums of the day', () => {
    const health = requestHealth(START, START + 144 * POINT, points);
    expect(health).toMatchObject({ from_ms: START, to_ms: START + 86_400_000, bucket_ms: POINT });
    expect(health).toMatchObject({ total_calls: 7, success_calls: 5, failure_calls: 2, success_rate: 5 / 7 });
    expect(health.points).toHaveLength(144);
    expect(health.points[5]).toEqual({
      bucket_ms: START + 5 * POINT,
      calls: 4,
      tokens: 100,
      success: 3,
      failure: 1,
      success_rate: 0.75,
      failure_rate: 0.25,
      tone: 'bad',
      intensity: 1,
      future: false,
    });
    expect(health.points[6]).toMatchObject({ tone: 'good', intensity: 0.5 });
  });

  test('that start now are empty, later ones future', () => {
    const { points: all } = requestHealth(START, START + 7 * POINT, points);
    expect(all.slice(6, 9).map(({ tone, future }) => [tone, future])).toEqual([
      ['good', false],
      ['empty', false],
      ['future', true],
    ]);
    expect(all.findIndex(({ future }) => future)).toBe(8);
  });
});
