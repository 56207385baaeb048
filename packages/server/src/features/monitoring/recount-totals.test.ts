import { expect, test } from 'bun:test';
import type { Granularity } from '@manager/core/contract/monitoring/analytics';
import { propertyRuns } from '@manager/core/testing/property-runs';
import fc from 'fast-check';
import { NO_FILTERS } from '../../facts/query.ts';
import { type StoredEvent, testEvent } from '../../facts/testing/test-database.ts';
import { parseAnalyticsRequest } from './request.ts';
import { matchesFilters } from './testing/random-events.ts';
import { type Moment, replayHistory } from './testing/random-history.ts';
import { PRICES } from './testing/recount-rows.ts';
import { comparison, heatmap, hourlyDistribution, summary, timeline } from './testing/recount-totals.ts';
import { differences } from './testing/vectors.ts';

// For any events, segments, zone and request, sums over time equal a plain recount, also after raw rows are deleted.

const HOUR_MS = 3_600_000;
/** Around changes of the offset, an ordinary hour, and implausible times. */
const MOMENTS = [
  '2026-03-08T06:30Z',
  '2026-11-01T05:40Z',
  '2026-04-04T14:45Z',
  '2026-10-03T15:20Z',
  '2026-06-15T18:10Z',
  '2010-11-07T02:20Z',
].map((text) => Date.parse(text));
const ZONES = [
  'UTC',
  'Asia/Kolkata',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'America/Havana',
  'Pacific/Apia',
];

const tokens = fc.constantFrom(0, 0, 1, 2, 70_000, 300_001);
const duration = fc.constantFrom(null, null, 0, 1, 17, 30_000, 5_000_000_000);
const time = fc.oneof(
  {
    weight: 20,
    arbitrary: fc
      .tuple(fc.constantFrom(...MOMENTS), fc.constantFrom(0, 1, 5, 299_999, 1_800_000, 3 * HOUR_MS, 30 * HOUR_MS))
      .map(([moment, after]) => moment + after),
  },
  { weight: 1, arbitrary: fc.constantFrom(-5, 0, 86_400_000, Date.UTC(2999, 5, 1)) },
);
const call = fc.record({
  timestamp_ms: time,
  early: fc.boolean(),
  model: fc.constantFrom('Ann', 'ann', 'x', 'x(high)', 'a_b', 'free', '', ' '),
  provider: fc.constantFrom('', 'p', 'q'),
  auth_provider_snapshot: fc.constantFrom('', 'p'),
  api_key_hash: fc.constantFrom('', ' ', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6'),
  source_hash: fc.constantFrom('', 's'),
  auth_index: fc.constantFrom('', 'a', 'b'),
  uncached: tokens,
  cached_tokens: tokens,
  cache_read_tokens: tokens,
  cache_creation_tokens: tokens,
  output_tokens: tokens,
  reasoning_tokens: tokens,
  total_tokens: tokens,
  unclassified_tokens: tokens,
  token_quality: fc.constantFrom('', 'inconsistent', 'unclassified'),
  latency_ms: duration,
  ttft_ms: duration,
  failed: fc.boolean(),
});
type Call = typeof call extends fc.Arbitrary<infer Value> ? Value : never;

function eventOf(id: number, { early, uncached, ...members }: Call): StoredEvent {
  const { cached_tokens, cache_read_tokens, cache_creation_tokens, timestamp_ms } = members;
  const residual = Math.max(cached_tokens - cache_read_tokens - cache_creation_tokens, 0);
  return testEvent(id, {
    ...members,
    timestamp: new Date(timestamp_ms).toISOString(),
    // Arrived long before it happened: an implausible time.
    created_at_ms: early && id % 5 === 0 ? timestamp_ms - 2 * 86_400_000 : timestamp_ms,
    billable_output_tokens: members.output_tokens + (id % 3),
    cache_write_1h_tokens: id % 3 === 0 ? Math.ceil(cache_creation_tokens / 2) : 0,
    normalized_uncached_input_tokens: uncached,
    normalized_total_input_tokens: uncached + residual + cache_read_tokens + cache_creation_tokens,
  });
}

const question = fc.record({
  zone: fc.constantFrom(...ZONES),
  granularity: fc.constantFrom<Granularity>('5m', '15m', 'hour', 'day'),
  fromMs: fc.oneof(
    fc.constant(1),
    fc.tuple(fc.constantFrom(...MOMENTS), fc.constantFrom(-HOUR_MS, 0, 1)).map(([ms, after]) => ms + after),
  ),
  toMs: fc.oneof(
    fc.constant(8e15),
    fc
      .tuple(fc.constantFrom(...MOMENTS), fc.constantFrom(2 * HOUR_MS, 3 * HOUR_MS + 1))
      .map(([ms, after]) => ms + after),
  ),
  nowMs: fc.constantFrom(...MOMENTS).map((ms) => ms + 1_800_000),
  filters: fc.constantFrom<Partial<typeof NO_FILTERS>>(
    {},
    {},
    { failed_only: true },
    { models: ['Ann', 'x'] },
    { models: ['Ann', 'ann'] },
    { models: ['ann', 'a_b'], include_failed: false },
    { min_latency_ms: 17 },
  ),
});
type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

function check({ events, ask }: Moment, { zone, granularity, fromMs, toMs, nowMs, filters }: Question): void {
  if (fromMs >= toMs) return;
  const wanted = { ...NO_FILTERS, ...filters };
  const include = {
    summary: true,
    summary_comparison: true,
    timeline: true,
    hourly_distribution: true,
    heatmap: true,
    granularity,
  };
  const request = { from_ms: fromMs, to_ms: toMs, now_ms: nowMs, time_zone: zone, filters, include };
  const answer = ask(parseAnalyticsRequest(JSON.stringify(request)));
  const passing = events.filter((event) => matchesFilters(event, wanted));
  const between = (from: number, to: number) =>
    passing.filter(({ timestamp_ms }) => timestamp_ms >= from && timestamp_ms < to);
  // 1 means all time.
  const inside = between(fromMs === 1 ? Number.NEGATIVE_INFINITY : fromMs, toMs);
  const before = fromMs - (toMs - fromMs);
  const expected = {
    summary: summary(inside, passing, nowMs, zone),
    summary_comparison: before > 0 ? comparison(between(before, fromMs), before, fromMs) : undefined,
    ...(inside.length > 0
      ? {
          timeline: timeline(inside, zone, granularity),
          hourly_distribution: hourlyDistribution(inside, zone),
          heatmap: heatmap(inside, zone),
        }
      : {}),
  };
  expect(differences(answer, expected)).toEqual([]);
  // No other section groups by model here, so the sums take another way.
  const few = { summary: true, summary_comparison: true, model_stats: true };
  const sums = ask(parseAnalyticsRequest(JSON.stringify({ ...request, include: few })));
  const { summary: total, summary_comparison: compared } = expected;
  expect(differences(sums, { summary: total, summary_comparison: compared })).toEqual([]);
  expect(sums.model_stats?.reduce((calls, row) => calls + row.calls, 0) ?? 0).toBe(inside.length);
  for (const point of answer.timeline ?? []) expect(point.bucket_end_ms).toBeGreaterThan(point.bucket_ms);
}

test('sums over time equal a plain recount', () => {
  const property = fc.property(
    fc.array(call, { minLength: 1, maxLength: 40 }),
    fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }),
    fc.array(fc.nat(), { maxLength: 1 }),
    fc.array(question, { minLength: 1, maxLength: 4 }),
    (drafts, seals, deleted, questions) => {
      const events = drafts.map((draft, index) => eventOf(index + 1, draft));
      replayHistory({ events, seals, deleted, prices: PRICES }, (moment) => {
        for (const asked of questions) check(moment, asked);
      });
    },
  );
  fc.assert(property, { numRuns: propertyRuns(60) });
}, 180_000);
