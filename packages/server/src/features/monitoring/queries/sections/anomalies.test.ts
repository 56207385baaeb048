import { describe, expect, test } from 'bun:test';
import type { TimelinePoint } from '@manager/core/contract/monitoring/sections';
import { anomalyPoints } from './anomalies.ts';

function bucket(index: number, members: Partial<TimelinePoint> = {}): TimelinePoint {
  return {
    bucket_ms: index * 3_600_000,
    bucket_end_ms: (index + 1) * 3_600_000,
    label: `${index}:00`,
    calls: 100,
    tokens: 1_000,
    success: 100,
    failure: 0,
    input_tokens: 0,
    output_tokens: 0,
    cached_tokens: 0,
    cache_read_tokens: 0,
    cache_creation_tokens: 0,
    cache_hit_rate: 0.5,
    reasoning_tokens: 0,
    total_tokens: 1_000,
    cost: 1,
    average_latency_ms: 100,
    p95_latency_ms: 100,
    p95_ttft_ms: null,
    success_rate: 1,
    failure_rate: 0.25,
    ...members,
  };
}

const keysOf = (before: Partial<TimelinePoint>, after: Partial<TimelinePoint>) =>
  anomalyPoints([bucket(0, before), bucket(1, after)]).flatMap((point) => point.metric_keys);

// Fractions are sums of powers of two, so that a change is exactly at its limit.
const LIMITS = [
  ['request_spike', { calls: 200, total_tokens: 2_000 }, { calls: 201, total_tokens: 2_010 }],
  ['cost_spike', { cost: 2 }, { cost: 2.01 }],
  ['tokens_per_request_spike', { total_tokens: 1_500 }, { total_tokens: 1_501 }],
  ['cache_hit_drop', { cache_hit_rate: 0.301 }, { cache_hit_rate: 0.299 }],
  ['failure_rate_spike', { failure_rate: 0.449 }, { failure_rate: 0.451 }],
  ['latency_spike', { p95_latency_ms: 150 }, { p95_latency_ms: 151 }],
] as const;

describe('a bucket is an anomaly', () => {
  for (const [key, at, above] of LIMITS) {
    test(`by ${key} only above its limit`, () => {
      expect(keysOf({}, at)).toEqual([]);
      expect(keysOf({}, above)).toEqual([key]);
    });
  }

  test('with its number of unpriced requests, unless it is 0', () => {
    const above = { calls: 201, total_tokens: 2_010 };
    const [lacking] = anomalyPoints([bucket(0), bucket(1, { ...above, unpriced_calls: 4 })]);
    expect(lacking).toMatchObject({ cost: 1, unpriced_calls: 4 });
    const [whole] = anomalyPoints([bucket(0, { unpriced_calls: 4 }), bucket(1, above)]);
    expect(whole).not.toHaveProperty('unpriced_calls');
  });

  test('never as the first, and not compared with itself', () => {
    expect(anomalyPoints([])).toEqual([]);
    expect(anomalyPoints([bucket(0, { cost: 900 })])).toEqual([]);
    expect(anomalyPoints([bucket(0), bucket(5)])).toEqual([]);
  });

  test('from 0 to any value as a doubling, which alone is no spike', () => {
    const [point] = anomalyPoints([
      bucket(0, { cost: 0, p95_latency_ms: null }),
      bucket(1, { cost: 5, p95_latency_ms: 700 }),
    ]);
    expect(point).toMatchObject({ cost_change: 1, latency_p95_change: 1, metric_keys: ['latency_spike'] });
  });
});

test('severity follows the number of keys, order the score, then the newer bucket', () => {
  const spikes = { cost: 16, failure_rate: 0.5 };
  const points = anomalyPoints([
    bucket(0),
    bucket(1, { cost: 4 }),
    bucket(2),
    bucket(3, { cost: 4 }),
    bucket(4),
    bucket(5, spikes),
    bucket(6),
    bucket(7, { cost: 4, p95_latency_ms: 200, failure_rate: 0.5 }),
  ]);
  // 20 + 15 + 0.25 before 30 + 3 + 1 + 0.25: a medium one can outrank a high one.
  expect(points.map(({ bucket_ms, severity }) => [bucket_ms / 3_600_000, severity])).toEqual([
    [5, 'medium'],
    [7, 'high'],
    [3, 'low'],
    [1, 'low'],
  ]);
  expect(
    anomalyPoints(Array.from({ length: 140 }, (_, index) => bucket(index, { cost: index % 2 === 0 ? 1 : 9 }))),
  ).toHaveLength(50);
});
