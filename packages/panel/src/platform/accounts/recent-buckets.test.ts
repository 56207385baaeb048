import { describe, expect, test } from 'bun:test';
import { bucketStart, recentBuckets, recentUse } from './recent-buckets.ts';

const MINUTE = 60_000;

describe('the buckets of an entry', () => {
  test('are read in their order', () => {
    const recent_requests = [
      { time: '08:00-08:10', success: 2, failed: 1 },
      { time: '08:10-08:20', success: 0, failed: 0 },
    ];
    expect(recentBuckets({ recent_requests })).toEqual([
      { success: 2, failed: 1 },
      { success: 0, failed: 0 },
    ]);
  });

  test('of an older gateway, or damaged ones, count nothing', () => {
    for (const entry of [null, {}, { recent_requests: null }, 'text']) expect(recentBuckets(entry)).toEqual([]);
    expect(recentBuckets({ recent_requests: [null, { success: 'two', failed: -1 }] })).toEqual([
      { success: 0, failed: 0 },
      { success: 0, failed: 0 },
    ]);
  });

  test('end with the running ten minutes', () => {
    const now = 125 * MINUTE;
    expect(bucketStart(19, 20, now)).toBe(120 * MINUTE);
    expect(bucketStart(0, 20, now)).toBe(-70 * MINUTE);
  });

  test('of several entries are added from their end', () => {
    const use = recentUse([
      [{ success: 1, failed: 0 }],
      [
        { success: 5, failed: 5 },
        { success: 2, failed: 3 },
      ],
      [],
    ]);
    expect(use).toEqual({
      buckets: [
        { success: 5, failed: 5 },
        { success: 3, failed: 3 },
      ],
      success: 8,
      failed: 8,
      minutes: 20,
    });
    expect(recentUse([]).minutes).toBe(0);
  });
});
